"""The general kernel in Python: every kind of joker, every option, openings.

`kernel/general.c` does the same much faster and explains at length how: numbers are dealt with from
1 to 13, a state holds the rows that may still grow, and an A* search on the loss explores
successors as soon as they are made. The lean mode places only the jokers that rows cannot do
without and adds the others afterwards; the full mode, which decides where that fails, places them
all. The modules are named after the files of the C kernel.
"""

from tilerummy.solver.cover.general.walk import general_cover

__all__ = ["general_cover"]
