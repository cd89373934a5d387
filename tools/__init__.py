"""Developer tools: build, check and measure the project. Run as `python -m tools.NAME`."""
