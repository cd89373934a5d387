"""The tile game played by the rules of Rummikub: referee, solver, opponents and table.

Start with `tilerummy.rules` (what is legal) and `tilerummy.play` (what happens).
"""

__version__ = "0.1.0"
