"""Who plays alone. Every bot sees a `View` and answers with a turn."""
