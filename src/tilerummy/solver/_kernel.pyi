from tilerummy.solver.problem import Grammar

Rows = tuple[tuple[int, ...], ...]

def cover(
    plain: bool,
    must: bytes,
    may: bytes,
    weights: bytes,
    grammar: Grammar,
    stand: int,
    floor: int,
    node_limit: int,
    /,
) -> tuple[int, Rows, int, bool] | None: ...
def turn(
    table: Rows,
    rack: tuple[int, ...],
    weights: bytes,
    grammar: Grammar,
    bound: bool,
    node_limit: int,
    /,
) -> tuple[Rows, tuple[int, ...], int, int, bool] | None: ...
