"""Addresses that fail get no calls for a while (``calls.md``, CALL-33 to CALL-35)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from balanced import BOTH, NAMES, Balanced, Held
from creo import CallOptions, CreoError, DeclaredError, ErrorCode
from scripted import failure, lost, refused

EJECTS = [refused, failure("untrusted-peer"), failure("protocol-mismatch")]


@BOTH
@pytest.mark.parametrize("fails", EJECTS)
def test_ejection_doubles(asynchronous: bool, fails: Any) -> None:
    """CALL-33, CALL-34"""
    balanced = Balanced(asynchronous, ["a", "b"])
    balanced.outcomes["a"] = fails
    assert balanced.went(2).count("a") == 1
    for seconds in (1, 2, 4, 8, 16, 32, 60, 60, 60):
        balanced.now += seconds - 0.001
        assert balanced.reached() == {"b"}
        balanced.now += 0.002
        assert balanced.went(12).count("a") == 1
    # A call that succeeds ends it, and the next ejection lasts a second again.
    balanced.outcomes["a"] = "a"
    balanced.now += 60
    assert balanced.went(12).count("a") == 6
    balanced.outcomes["a"] = fails
    balanced.went(2)
    balanced.now += 1.001
    assert "a" in balanced.reached(2)


@BOTH
def test_other_times(asynchronous: bool) -> None:
    balanced = Balanced(asynchronous, ["a", "b"], ejection=0.5, max_ejection=0.75)
    balanced.outcomes["a"] = refused
    balanced.went(2)
    for seconds in (0.5, 0.75, 0.75):
        balanced.now += seconds - 0.01
        assert balanced.reached() == {"b"}
        balanced.now += 0.02
        assert "a" in balanced.reached()


def test_an_address_may_fail_for_ever() -> None:
    balanced = Balanced(False, ["a", "b"])
    balanced.outcomes["a"] = refused
    for _ in range(2_000):
        assert "a" in balanced.went(2)
        balanced.now += 60.001


@BOTH
def test_three_lost_calls(asynchronous: bool) -> None:
    """CALL-33: in succession, and found by the client itself."""
    balanced = Balanced(asynchronous, ["a", "b"])
    told = failure(from_peer=True)
    harmless = failure("invalid-value")
    cases: list[tuple[list[Any], bool]] = [
        ([lost, lost, "a", lost, lost], False),
        ([lost, told, lost, lost], False),
        ([told] * 5, False),
        ([lost, lost, failure("deadline-exceeded"), lost, lost], False),
        ([failure("deadline-exceeded")] * 5, False),
        ([lost, harmless, lost], False),
        ([lost, lost, harmless, lost], True),
    ]
    for outcomes, ejected in cases:
        for outcome in outcomes:
            balanced.outcomes["a"] = outcome
            assert "a" in balanced.went(2)
        assert (balanced.reached() == {"b"}) is ejected
        balanced.outcomes["a"] = "a"
        balanced.now += 2
        balanced.went(2)


@BOTH
@pytest.mark.parametrize(
    ("outcome", "back"),
    [
        ("a", True), (DeclaredError.__new__(DeclaredError), True),
        (failure("internal", from_peer=True), True), (failure("malformed"), True),
        (failure("unavailable", from_peer=True), True), (failure("overloaded", from_peer=True), True),
        (refused, False), (lost, False), (failure("deadline-exceeded"), False),
        (failure("untrusted-peer"), False),
        (failure("unavailable", from_peer=True, started="no"), False),
    ],
)  # fmt: skip
def test_what_a_probe_finds(asynchronous: bool, outcome: Any, back: bool) -> None:
    balanced = Balanced(asynchronous, ["a", "b"])
    balanced.outcomes["a"] = refused
    balanced.went(2)
    balanced.now += 1.001
    balanced.outcomes["a"] = outcome
    assert balanced.went(2).count("a") == 1
    balanced.outcomes["a"] = "a"
    assert balanced.went(12).count("a") == (6 if back else 0)
    # An answer that is no success does not shorten the next ejection.
    succeeded = outcome == "a" or isinstance(outcome, DeclaredError)
    if back and not succeeded:
        balanced = Balanced(asynchronous, ["a", "b"])
        for outcome_ in (refused, outcome, refused):
            balanced.outcomes["a"] = outcome_
            balanced.went(2)
            balanced.now += 1.001
        assert balanced.reached() == {"b"}


@BOTH
def test_a_probe_that_says_nothing_is_followed_by_another(asynchronous: bool) -> None:
    balanced = Balanced(asynchronous, ["a", "b"])
    balanced.outcomes["a"] = refused
    balanced.went(2)
    balanced.now += 1.001
    for outcome in (failure("cancelled"), failure("invalid-value"), ValueError("x")):
        balanced.outcomes["a"] = outcome
        assert balanced.went(2).count("a") == 1
    balanced.outcomes["a"] = "a"
    assert balanced.went(12).count("a") == 6


def test_one_probe_at_a_time() -> None:
    """CALL-34, and a call that began before the ejection changes nothing."""

    async def run() -> None:
        balanced = Balanced(True, ["a", "b"])
        held = Held(balanced)
        old = [await held.start() for _ in range(6)]
        error = refused(CallOptions())
        await held.end("a", error)
        assert held.ends["a"]
        # The call went to b, and a is ejected.
        assert [(await held.start())[0] for _ in range(4)] == ["b"] * 4
        balanced.now += 1.001
        went = [(await held.start())[0] for _ in range(6)]
        assert sorted(went) == ["a", "b", "b", "b", "b", "b"]
        await held.end("a", CreoError(ErrorCode.UNAVAILABLE, "x"))
        await held.end("a", 1)
        assert [(await held.start())[0] for _ in range(4)] == ["b"] * 4
        # The probe is answered.
        await held.end("a", 1)
        assert sorted([(await held.start())[0] for _ in range(4)]) == ["a", "a", "b", "b"]
        for _, task in old:
            task.cancel()

    asyncio.run(run())


@BOTH
def test_all_are_ejected(asynchronous: bool) -> None:
    """CALL-35: the one whose ejection ends first; an answer brings it back."""
    balanced = Balanced(asynchronous)
    order: list[str] = []
    for _ in range(3):
        for name in NAMES:
            balanced.outcomes[name] = failure("protocol-mismatch")
        order.append(balanced.went(1))
        balanced.now += 0.1
    assert sorted(order) == list(NAMES)
    assert balanced.went(4) == order[0] * 4
    balanced.outcomes.update(dict.fromkeys(NAMES, refused))
    assert balanced.went(1) == "".join(order)
    balanced.outcomes[order[2]] = 7
    assert balanced.went(1) == "".join(order)
    assert balanced.went(5) == order[2] * 5
