"""What hosts and clients have written down, and whether it agrees."""

from __future__ import annotations

import collections
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

# How often the broker delivers a message before it is a dead letter (spec/transports/jms.md, JMS-13).
DELIVERIES = 5
# How a call may end when the broker or its host is gone (JMS-10, JMS-14).
KNOWN_ERRORS = {"unavailable", "deadline-exceeded"}


@dataclass
class Execution:
    """One delivery of a call to a host."""

    host: str
    id: str
    redelivered: bool
    # Seconds of the machine's clock.
    at: float


@dataclass
class Books:
    """All lines that were written so far."""

    folder: pathlib.Path
    lines: int = 0
    seconds: float = 0.0
    # By number: of what kind it is and which life of which client made it, and how it ended there.
    made: dict[int, tuple[str, str]] = field(default_factory=dict)
    outcomes: dict[int, list[str]] = field(default_factory=lambda: collections.defaultdict(list))
    begun: dict[int, list[Execution]] = field(default_factory=lambda: collections.defaultdict(list))
    finished: collections.Counter[int] = field(default_factory=collections.Counter)
    # Left at the broker.
    dead: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    audit_done: bool = False
    # From when to when there was no broker.
    outages: list[tuple[float, float]] = field(default_factory=list)
    _read: dict[pathlib.Path, int] = field(default_factory=dict)

    def read(self) -> None:
        """Reads the whole lines that are new."""
        for path in sorted(self.folder.glob("*.txt")):
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            self._read[path] = self._read.get(path, 0) + len(whole)
            for line in whole.decode("ascii").splitlines():
                self._take(path.stem, line)

    def _take(self, who: str, line: str) -> None:
        self.lines += 1
        word, number_text, *rest = line.split(" ", 2)
        number = int(number_text)
        if word == "made":
            if number in self.made:
                self.outcomes[number].append("wrong made twice")
            self.made[number] = (rest[0], who)
        elif word == "begin":
            call_id, redelivered, at = rest[0].split(" ")
            self.begun[number].append(Execution(who, call_id, redelivered == "true", int(at) / 1000))
        elif word == "end":
            self.finished[number] += 1
        else:
            self.outcomes[number].append(" ".join([word, *rest]))

    def audited(self, lines: list[str]) -> None:
        """Takes what the broker holds now."""
        self.audit_done = lines[-1:] == ["done"]
        self.dead = [int(line.split(" ")[1]) for line in lines if line.startswith("dead ")]
        self.left = [int(line.split(" ")[1]) for line in lines if line.startswith("left ")]

    @property
    def ended_calls(self) -> int:
        return len(self.outcomes)

    def next_of(self, language: str, first: int) -> int:
        """The number after those that a client has made."""
        mine = [number for number, (_, who) in self.made.items() if who.startswith(f"client-{language}-")]
        return max(mine, default=first - 1) + 1

    def of(self, *words: str) -> set[int]:
        """The calls that ended so."""
        return {number for number, all_outcomes in self.outcomes.items() if all_outcomes[0].split(" ")[0] in words}

    def poisonous(self) -> set[int]:
        return {number for number, (kind, _) in self.made.items() if kind == "poison"}

    def open(self) -> set[int]:
        """What was stored for the hosts and is neither finished nor, as far as is known, a dead letter."""
        return {number for number in self.of("stored") if not self.finished[number]} - set(self.dead)

    def made_by(self, language: str) -> set[int]:
        """The calls that clients of a language have made."""
        return {number for number, (_, who) in self.made.items() if who.startswith(f"client-{language}-")}

    def errors(self) -> collections.Counter[str]:
        return collections.Counter(outcome.split(" ")[1].lower().replace("_", "-") for each in self.outcomes.values() for outcome in each if outcome.startswith("error "))

    def abandoned(self) -> set[int]:
        """Calls whose client was killed before they had ended."""
        return set(self.made) - set(self.outcomes)

    def repeats(self) -> int:
        return sum(len(executions) - 1 for executions in self.begun.values())

    def untold(self, excused: bool) -> set[int]:
        """Calls of which a repeat is not told as one; excused if the broker was killed in between, just when it had delivered the call and not yet written that down."""
        found = set()
        for number, executions in self.begun.items():
            firsts = sorted(e.at for e in executions if not e.redelivered)
            for before, after in zip(firsts, firsts[1:]):
                if any(before <= back and after >= gone for gone, back in self.outages) == excused:
                    found.add(number)
        return found

    def delivered_too_often(self) -> set[int]:
        """Calls that began more often than the broker delivers one; a delivery that it had perhaps not yet written down when it was killed is not held against it."""
        found = set()
        for number, executions in self.begun.items():
            times = sorted(e.at for e in executions)
            uncounted = sum(any(before <= back and after >= gone for before, after in zip(times, times[1:])) for gone, back in self.outages)
            if len(times) - uncounted > DELIVERIES:
                found.add(number)
        return found

    def unfinished(self) -> int:
        """Executions that began and did not end: their host was killed in mid-call."""
        return sum(len(executions) for executions in self.begun.values()) - sum(self.finished.values())

    def summary(self) -> str:
        ended = ", ".join(f"{count} {name}" for name, count in sorted(self.errors().items()))
        return (
            f"made {len(self.made)}: answered {len(self.of('answered'))}, refused as declared {len(self.of('refused'))}, stored {len(self.of('stored'))}, errors {ended or 'none'}, "
            f"client killed {len(self.abandoned())}; executions {sum(len(e) for e in self.begun.values())}, of which repeats {self.repeats()}, cut off {self.unfinished()}; "
            f"dead letters {len(self.dead)}; {self.seconds:.0f} s"
        )


def some(numbers: Any) -> str:
    """A few of them, for a person to look for."""
    chosen = sorted(numbers)
    return f"{len(chosen)}: {chosen[:10]}" if chosen else ""


def checks(books: Books, threads: int, kills: Mapping[str, int], poison: list[int]) -> Iterator[tuple[str, str]]:
    """What must hold, and of each what does not."""
    answered = books.of("answered", "refused")
    stored, failed, abandoned = books.of("stored"), books.of("error"), books.abandoned()
    yield "no answer is wrong", some(books.of("wrong"))
    yield "each call ends once", some(number for number, each in books.outcomes.items() if len(each) > 1)
    total = len(answered) + len(stored) + len(failed) + len(abandoned) + len(books.of("wrong"))
    yield "answered, stored, known errors and those of killed clients are all that was made", "" if total == len(books.made) else f"{total} of {len(books.made)}"
    yield "errors are known ones", ", ".join(sorted(set(books.errors()) - KNOWN_ERRORS))
    per_life = collections.Counter(books.made[number][1] for number in abandoned)
    killed_lives = sum(1 for count in per_life.values() if count)
    yield "a killed client leaves at most one call per thread", some(n for n in abandoned if per_life[books.made[n][1]] > threads)
    yield "only killed clients leave calls", "" if killed_lives <= kills["client"] else f"{killed_lives} clients, and {kills['client']} were killed"
    yield "what is answered was executed to its end", some(number for number in answered if not books.finished[number])
    lost = {number for number in stored - set(poison) if not books.finished[number] and number not in books.dead}
    yield "what is stored was executed to its end, or is a dead letter", some(lost)
    yield "only what was made was executed", some(set(books.begun) - set(books.made))
    yield "redelivery is bounded", some(books.delivered_too_often())
    yield "a call has one id", some(number for number, executions in books.begun.items() if len({e.id for e in executions}) > 1)
    yield "ids are of one call", some(_shared_ids(books))
    yield "a repeat is told from the first, unless the broker has died in between", some(books.untold(excused=False))
    stored_poison = stored & set(poison)
    # Not always five times: a delivery counts also if the host, or the broker, is killed before the call begins.
    yield "poison kills its host", some(number for number in stored_poison if not books.begun[number])
    yield "poison was made", "" if books.poisonous() == set(poison) else f"{sorted(books.poisonous())} of {poison}"
    yield "the audit was made", "" if books.audit_done else "it did not come to its end"
    yield "poison ends as a dead letter", some(stored_poison - set(books.dead))
    yield "a dead letter is there once", some(number for number, count in collections.Counter(books.dead).items() if count > 1)
    yield "what was answered is no dead letter", some(answered & set(books.dead))
    yield "nothing is left in the queue", some(books.left)


def _shared_ids(books: Books) -> set[int]:
    owners: dict[str, int] = {}
    return {number for number, executions in books.begun.items() for e in executions if owners.setdefault(e.id, number) != number}


def page(books: Books, scale: Any, languages: list[str], kills: Mapping[str, int], poison: list[int], seed: int) -> str:
    """The figures, for people."""
    executions = sum(len(e) for e in books.begun.values())
    errors = books.errors()
    rows = [
        ("calls made", len(books.made)),
        ("answered", len(books.of("answered"))),
        ("refused as declared", len(books.of("refused"))),
        ("oneway, stored by the broker", len(books.of("stored"))),
        *((f"ended as `{name}`", count) for name, count in sorted(errors.items())),
        ("under way in a client that was killed", len(books.abandoned())),
        ("executions", executions),
        ("of these repeats", books.repeats()),
        ("of these not told as such, the broker having died in between", len(books.untold(excused=True))),
        ("executions cut off by the death of the host", books.unfinished()),
        ("answered or stored calls that were not executed", len([n for n in books.of("answered", "refused", "stored") if not books.begun[n]])),
        ("dead letters", len(books.dead)),
        ("of these poisonous calls", len(set(books.dead) & set(poison))),
        ("requests left in the queue", len(books.left)),
    ]
    names = {"java": "Java", "python": "Python", "c": "C", "csharp": "C#"}
    ends = {"answered": ("answered",), "refused": ("refused",), "stored": ("stored",), "error": ("error",)}
    by_language = "\n".join(
        f"| {names[language]} | {len(mine):,} | {' | '.join(f'{len(mine & books.of(*words)):,}' for words in ends.values())} | {len(mine & books.abandoned()):,} | "
        f"{len({books.made[number][1] for number in mine})} |"
        for language in languages
        for mine in [books.made_by(language)]
    )
    table = "\n".join(f"| {name} | {count:,} |" for name, count in rows)
    return f"""# Nothing lost: calls through a broker under fire

Made by `make jms-faults` (seed {seed}); `tests/jms/` says what is done and checked. {scale.calls:,} calls with persistent messages by clients in {len(languages)} languages, of {scale.threads} threads each, over the binary, SOAP and table
wires (a client that is started again takes the next), to {scale.hosts} hosts of {scale.sessions} sessions. Killed by SIGKILL at points of the seeded plan, and started again: the broker {kills["broker"]} times, hosts {kills["host"]} times, clients {kills["client"]} times. {len(poison)} poisonous
calls killed {sum(len(books.begun[number]) for number in poison)} further hosts in mid-call. It took {books.seconds:.0f} seconds, starts of programs included.

| | |
|---|---:|
{table}

| client | calls | answered | refused as declared | stored | ended in an error | cut off with their client | lives |
|---|---:|---:|---:|---:|---:|---:|---:|
{by_language}

Answered, refused, stored, ended in an error and cut off with their client are together all calls that were made. Every answered and every stored call was executed to its end, or is a dead letter;
no call was executed more than {DELIVERIES} times, not counting a delivery that the broker had not yet written down when it was killed. A call that was under way beside a poisonous one in each of the {DELIVERIES} hosts that this killed is a dead letter like it (JMS-13). Every repeat has the id of the first (JMS-12), and was told to the service as a repeat but where the broker died just after the first delivery, before that was on its disk.
"""
