"""How the naive programs say what is wrong, and how much they checked."""


class Failures(list):
    """What failed, a line each, shown at once: who waits for the first need not wait for the last."""

    def append(self, failure):
        print(failure.encode("utf-8", "backslashreplace").decode("utf-8"), flush=True)
        super().append(failure)


def closing(checked, failures):
    """Prints the counts; the exit code."""
    print(f"{checked - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0
