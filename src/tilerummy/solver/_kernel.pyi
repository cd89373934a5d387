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
    node_limit: int,
    /,
) -> tuple[int, Rows, tuple[int, ...], int, bool] | None: ...
