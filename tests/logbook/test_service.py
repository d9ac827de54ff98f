"""The service and the programs: settings that change while they run, hostile texts, and a service that is killed."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import run as logbook
from calls import PATIENCE, call, entry, read_all, serving, until, working


def test_programs_notice_a_changed_setting(database: str, languages: list[str]) -> None:
    with serving(database) as service, working(languages, service.port):
        port = service.port

        def configure(program: str, level: str) -> None:
            version = until(lambda: [each["version"] for each in call(port, "settings") if each["program"] == program], f"{program} asks for its setting")[0]
            # A program that has read its setting begins to work.
            until(lambda: call(port, "read", query={"program": program}), f"{program} works")
            done = call(port, "configure", setting={"program": program, "level": level, "intervalMillis": 10, "version": version})
            assert done == {"program": program, "level": level, "intervalMillis": 10, "version": version + 1}

        def entries(program: str) -> list[dict[str, Any]]:
            return [each["entry"] for each in read_all(port) if each["entry"]["program"] == program]

        for program in languages:
            configure(program, "DEBUG")
        for program in languages:
            until(lambda: any(each["level"] == "DEBUG" for each in entries(program)), f"{program} logs more")
            found = entries(program)
            noticed = [each["text"] for each in found].index("new setting: level DEBUG, a step each 10 ms")
            assert not any(each["level"] == "DEBUG" for each in found[:noticed])
        for program in languages:
            configure(program, "ERROR")
        for program in languages:
            notice = "new setting: level ERROR, a step each 10 ms"
            until(lambda: [each["level"] for each in entries(program)][-1] == "ERROR", f"{program} logs less")
            found = entries(program)
            noticed = [each["text"] for each in found].index(notice)
            assert {each["level"] for each in found[noticed + 1 :]} == {"ERROR"}


def test_one_command_runs_it_all(languages: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(logbook, "build", lambda chosen: None)
    database = f"jdbc:sqlite:{tmp_path / 'logbook.db'}"
    words = ["--port", "0", "--page-port", "0", "--languages", ",".join(languages), "--database", database, "--seconds", "1"]
    monkeypatch.setattr("sys.argv", ["run.py", *words])
    assert logbook.main() == 0
    assert "open http://127.0.0.1:" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["run.py", "--languages", "cobol"])
    with pytest.raises(SystemExit):
        logbook.main()
    assert "there is no program in cobol" in capsys.readouterr().err


def test_an_entry_that_is_sent_twice_is_kept_once(database: str, languages: list[str]) -> None:
    with serving(database) as service:
        call(service.port, "write", entries=[entry("a", 0), entry("a", 1), entry("b", 0), entry("a", 1)])
        call(service.port, "write", entries=[entry("a", 1, "another text"), entry("a", 2)])
        kept = read_all(service.port)
        assert [(each["entry"]["writer"], each["entry"]["number"], each["entry"]["text"]) for each in kept] == [(w, n, "text") for w, n in (("a", 0), ("a", 1), ("b", 0), ("a", 2))]
        assert kept[0]["entry"] == entry("a", 0)
        assert call(service.port, "count") == 4
        assert [each["entry"]["number"] for each in call(service.port, "read", query={"last": True, "count": 2})] == [0, 2]


def test_hostile_entries_are_kept_as_text_or_refused(database: str, languages: list[str]) -> None:
    with serving(database) as service:
        texts = ["<script>alert(1)</script>", "'); DROP TABLE entries; --", "a\x00b\x1b[31m\uffff", "x" * 10_000, "\u202e\U0001f600", ""]
        call(service.port, "write", entries=[entry("a", i, text) for i, text in enumerate(texts)])
        texts[2] = "a\ufffdb\ufffd[31m\ufffd"
        assert [each["entry"]["text"] for each in read_all(service.port)] == texts
        for bad, reason in (
            (entry("a", 10, "x" * 10_001), "text: more than 10000 characters"),
            (entry("", 10), "writer: 1 to 100 printable characters"),
            (entry("a\n\x07", 10), "writer: 1 to 100 printable characters"),
            (entry("a", 10, program="p" * 101), "program: 1 to 100 printable characters"),
        ):
            # All or none: the good one is not kept either.
            assert call(service.port, "write", entries=[entry("good", 0), bad]) == ("Refused", {"reason": reason})
        assert call(service.port, "write", entries=[entry("a", i) for i in range(1001)]) == ("Refused", {"reason": "more than 1000 entries"})
        assert call(service.port, "count") == len(texts)
        assert call(service.port, "setting", program="", knownVersion=0, waitMillis=0)[0] == "Refused"
        assert call(service.port, "read", query={"count": -5, "after": -(2**53)}) == []


def test_a_setting_changes_only_for_those_who_know_it(database: str, languages: list[str]) -> None:
    with serving(database) as service:
        first = call(service.port, "setting", program="p", knownVersion=0, waitMillis=0)
        assert first == {"program": "p", "level": "INFO", "intervalMillis": 1000, "version": 1}
        second = {**first, "level": "ERROR"}
        assert call(service.port, "configure", setting=second) == {**second, "version": 2}
        assert call(service.port, "configure", setting=first) == ("Changed", {"setting": {**second, "version": 2}})
        assert call(service.port, "configure", setting={**first, "program": "q"})[0] == "Refused"
        assert call(service.port, "configure", setting={**first, "intervalMillis": 9, "version": 2})[0] == "Refused"
        # A call that waits ends with the change, not with its time.
        waits: list[Any] = []
        waiter = threading.Thread(target=lambda: waits.append(call(service.port, "setting", program="p", knownVersion=2, waitMillis=20_000)))
        waiter.start()
        call(service.port, "configure", setting={**second, "version": 2})
        waiter.join()
        assert waits == [{**second, "version": 3}]


def follow(port: int, found: list[int], end: threading.Event) -> None:
    """Reads as the page does, and notes the positions."""
    while not end.is_set():
        try:
            found += [each["position"] for each in call(port, "read", query={"after": found[-1] if found else 0, "count": 1000, "waitMillis": 500})]
        except (OSError, http.client.HTTPException):
            # The service was killed before, or within, its answer.
            end.wait(0.1)


def test_readers_miss_nothing_of_two_services_of_one_database(database: str, languages: list[str]) -> None:
    each = 60
    with serving(database) as one, serving(database) as other:
        followed: list[int] = []
        over = threading.Event()
        follower = threading.Thread(target=follow, args=(one.port, followed, over))

        def write(port: int, writer: str) -> None:
            for number in range(each):
                call(port, "write", entries=[entry(writer, number)])

        writers = [threading.Thread(target=write, args=(service.port, f"{name} {i}")) for name, service in (("one", one), ("other", other)) for i in range(3)]
        for thread in (follower, *writers):
            thread.start()
        for thread in writers:
            thread.join()
        try:
            until(lambda: len(followed) >= 6 * each, "the reader has seen all")
        finally:
            over.set()
            follower.join()
        assert followed == [found["position"] for found in read_all(other.port)]


def test_the_service_connects_again(database: str, languages: list[str], break_connections: Callable[[str], None]) -> None:
    with serving(database) as service:
        writer = logbook.program("python", service.port, "python", 2_000)
        try:
            for _ in range(3):
                before = call_again(service.port, "count")
                until(lambda: writer.poll() is not None or call_again(service.port, "count") > before, "entries come")
                break_connections(database)
            assert writer.wait(timeout=PATIENCE) == 0
        finally:
            writer.kill()
            writer.wait()
        assert call_again(service.port, "count") == 2_000


def call_again(port: int, method: str) -> Any:
    """As `call`; again while the database is away."""
    return until(lambda: [result] if (result := available(port, method)) is not None else None, f"{method} is answered")[0]


def available(port: int, method: str) -> Any:
    try:
        return call(port, method)
    except AssertionError as error:
        assert "unavailable" in str(error)
        return None


def test_nothing_is_lost_when_the_service_is_killed(database: str, languages: list[str], short: bool) -> None:
    each, kills = (1_000, 1) if short else (6_250, 3)
    total = 16 * each
    # In the short form most are of the languages that start at once.
    count = {"java": 1, "python": 8} if short else {}
    names = [language for language in languages for _ in range(count.get(language, 0 if short and language != "c" else 16 // len(languages)))]
    names = (names + [languages[-1]] * 16)[:16]
    service = logbook.Service(database)
    followed: list[int] = []
    over = threading.Event()
    follower = threading.Thread(target=follow, args=(service.port, followed, over))
    writers = [logbook.program(name, service.port, f"{name}-{i}", each) for i, name in enumerate(names)]
    try:
        follower.start()
        for kill in range(1, kills + 1):
            until(lambda: call(service.port, "count") >= total * kill // (kills + 1), "entries come")
            service.kill()
            service = logbook.Service(database, service.port, service.page_port)
        said = [writer.communicate(timeout=PATIENCE)[0] for writer in writers]
        assert [writer.returncode for writer in writers] == [0] * 16
        # The kills met calls.
        assert any(" 0 calls repeated" not in text for text in said), said
        kept = read_all(service.port)
        assert call(service.port, "count") == len(kept) == total
        numbers: dict[str, list[int]] = {}
        for found in kept:
            numbers.setdefault(found["entry"]["writer"], []).append(found["entry"]["number"])
        assert sorted(len(all_) for all_ in numbers.values()) == [each] * 16
        # Each entry of each writer once, in its order.
        assert all(all_ == list(range(each)) for all_ in numbers.values())
        until(lambda: len(followed) >= total, "the reader has seen all")
        assert followed == [found["position"] for found in kept]
    finally:
        over.set()
        for writer in writers:
            writer.kill()
            writer.wait()
        service.stop()
        follower.join()
