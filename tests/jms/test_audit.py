"""That the audit sees what it is there for."""

from __future__ import annotations

import pathlib

from audit import DELIVERIES, Books, Execution


def books(times: list[float], outages: list[tuple[float, float]]) -> Books:
    kept = Books(pathlib.Path())
    kept.begun[7] = [Execution(f"host-{i}", "ID:7", i > 0, at) for i, at in enumerate(times)]
    kept.outages = outages
    return kept


def test_as_often_as_the_broker_delivers_is_not_too_often() -> None:
    assert books([float(i) for i in range(DELIVERIES)], []).delivered_too_often() == set()


def test_once_more_is_too_often() -> None:
    assert books([float(i) for i in range(DELIVERIES + 1)], []).delivered_too_often() == {7}


def test_a_delivery_before_the_broker_died_need_not_count() -> None:
    assert books([float(i) for i in range(DELIVERIES + 1)], [(2.1, 2.6)]).delivered_too_often() == set()


def test_each_death_of_the_broker_is_an_excuse_for_one_delivery() -> None:
    times = [float(i) for i in range(DELIVERIES + 2)]
    assert books(times, [(2.1, 4.5)]).delivered_too_often() == {7}
    assert books(times, [(2.1, 2.6), (3.1, 3.6)]).delivered_too_often() == set()


def test_a_death_before_the_first_or_after_the_last_delivery_is_none() -> None:
    times = [10.0 + i for i in range(DELIVERIES + 1)]
    assert books(times, [(8.0, 9.0), (30.0, 31.0)]).delivered_too_often() == {7}
