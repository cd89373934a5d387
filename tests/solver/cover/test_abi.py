"""The compiled kernel is used only if its ABI is the one that Python expects."""

from __future__ import annotations

from types import ModuleType

import pytest

from tilerummy.rules.tiles import FACES
from tilerummy.solver import Solution
from tilerummy.solver.cover import kernels
from tilerummy.solver.cover.abi import TURN_FIELDS, differences, expected_abi, pack_plan
from tilerummy.solver.cover.problem import Grammar


def module_with(abi: dict[str, object] | None) -> ModuleType:
    module = ModuleType("_kernel")
    if abi is not None:
        module.ABI = abi  # type: ignore[attr-defined]
    return module


def test_the_kernel_in_use_fits() -> None:
    if kernels.compiled is None:
        pytest.skip("there is no compiled kernel")
    assert differences(getattr(kernels.compiled, "ABI", None)) == []


def test_a_solution_has_the_fields_of_a_turn() -> None:
    assert Solution._fields == TURN_FIELDS


def test_a_plan_has_the_size_that_the_kernel_reads() -> None:
    plan = pack_plan([1] * FACES, [2] * FACES, 3, 4, True, Grammar())
    assert len(plan) == expected_abi()["plan_size"]


@pytest.mark.parametrize("name", sorted(expected_abi()))
def test_any_difference_is_noticed(name: str) -> None:
    other = {**expected_abi(), name: "something else"}
    assert differences(other) == [name]
    with pytest.warns(RuntimeWarning, match=rf"differs in {name}\)"):
        assert kernels.checked(module_with(other)) is None


def test_a_field_that_python_does_not_know_is_noticed() -> None:
    assert differences({**expected_abi(), "more": 1}) == ["more"]


def test_a_kernel_without_an_abi_is_refused() -> None:
    with pytest.warns(RuntimeWarning, match="does not fit these sources"):
        assert kernels.checked(module_with(None)) is None


def test_a_kernel_that_fits_is_taken() -> None:
    module = module_with(expected_abi())
    assert kernels.checked(module) is module
