"""The score pad on the terminal: its files, its questions and its words."""
