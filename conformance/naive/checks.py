"""How the naive programs report errors, and how much they checked."""


class Failures(list):
    """Failures, one line each, shown at once."""

    def append(self, failure):
        print(failure.encode("utf-8", "backslashreplace").decode("utf-8"), flush=True)
        super().append(failure)


def closing(checked, failures):
    """Prints the counts; the exit code."""
    print(f"{checked - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0
