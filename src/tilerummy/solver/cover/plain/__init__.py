"""The plain kernel in Python: numbered tiles and J, every row anywhere.

`kernel/plain.c` does the same much faster and explains why it is exact. In short: numbers are taken
in order, and all that matters of the rows begun so far is, for each colour, how many runs are open
with one tile, with two, and with more. At each number a deal says how many tiles of each colour lie
in groups, and each colour settles the rest for itself: tiles go on with the short runs, then with
the long ones, then start new runs or stay. Jokers go where a row needs one; those that are spare
are added to the rows afterwards. The modules are named after the files of the C kernel.
"""

from tilerummy.solver.cover.plain.answer import plain_cover

__all__ = ["plain_cover"]
