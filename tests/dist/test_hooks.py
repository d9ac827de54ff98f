"""The commands of the pre-commit hook and of the GitHub Action, in a repository."""

from __future__ import annotations

import os
import pathlib
import re
import shlex

import pytest
from conftest import DESCRIPTION, ROOT, run

CONFIG = '[[generate]]\ndescriptions = ["lab.creo"]\ntargets = ["python"]\nout = "generated"\n'
HOOKS = (ROOT / "integrations/pre-commit/pre-commit-config.yaml").read_text()
CHECK = ROOT / "integrations/github-action/check.sh"


@pytest.fixture
def repository(creo: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A repository in which all is well, with a branch origin/main of what it holds."""
    monkeypatch.setenv("PATH", f"{creo.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "repository"
    (folder / "more descriptions").mkdir(parents=True)
    (folder / "lab.creo").write_text(DESCRIPTION)
    (folder / "more descriptions/a b.creo").write_text('@PACKAGE("org.example.other")\n\nenum Unit { METRE, SECOND }\n')
    (folder / "creo.toml").write_text(CONFIG)
    run([creo, "fmt", "lab.creo", "more descriptions/a b.creo"], folder)
    run([creo, "generate"], folder)
    run(["git", "init", "-q"], folder)
    run(["git", "add", "."], folder)
    run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "begin"], folder)
    run(["git", "update-ref", "refs/remotes/origin/main", "HEAD"], folder)
    return folder


def hooks() -> dict[str, tuple[str, bool]]:
    """Each hook's command, and whether the names of files follow it."""
    blocks = re.split(r"^      - id: ", HOOKS, flags=re.M)[1:]
    found = {}
    for block in blocks:
        entry = re.search(r"^        entry: (.*)$", block, re.M)
        assert entry
        found[block.splitlines()[0]] = (entry[1], "pass_filenames: false" not in block)
    return found


def hook(name: str, folder: pathlib.Path, fails: bool = False) -> str:
    command, takes_files = hooks()[name]
    files = ["lab.creo", "more descriptions/a b.creo"] if takes_files else []
    return run([*shlex.split(command), *files], folder, fails=fails).text


def test_hooks_pass_where_all_is_well(repository: pathlib.Path) -> None:
    assert list(hooks()) == ["creo-check", "creo-fmt", "creo-generate", "creo-diff"]
    for name in hooks():
        hook(name, repository)


def test_each_hook_finds_what_is_wrong(repository: pathlib.Path) -> None:
    lab = repository / "lab.creo"
    good = lab.read_text()
    lab.write_text(good.replace("double[] values", "float[] values"))
    assert "breaking: field-altered" in hook("creo-diff", repository, fails=True)
    assert "different: " in hook("creo-generate", repository, fails=True)
    lab.write_text(good.replace("    double", "  double"))
    assert "lab.creo" in hook("creo-fmt", repository, fails=True)
    lab.write_text(good.replace("double[]", "duoble[]"))
    assert "unknown-type" in hook("creo-check", repository, fails=True)


def test_the_action_runs_every_check(repository: pathlib.Path) -> None:
    def action(fails: bool = False, files: str = "**/*.creo", against: str = "git:origin/main") -> str:
        return run(["bash", CHECK], repository, fails=fails, environment={"CREO_FILES": files, "CREO_AGAINST": against}).text

    told = action()
    assert [word for word in re.findall(r"::group::creo (\w+)", told)] == ["check", "fmt", "generate", "diff"]
    assert "2 files OK" in told
    assert "::group::creo diff" not in action(against="")
    assert "1 file OK" in action(files="lab.creo")
    assert "no description: nope/*.creo" in action(fails=True, files="nope/*.creo")
    lab = repository / "lab.creo"
    lab.write_text(lab.read_text().replace("    double[] values", "  float[] values"))
    told = action(fails=True)
    assert "breaking: field-altered" in told and "different: " in told and "1 file not formatted" in told


def test_the_action_hands_no_input_to_a_shell() -> None:
    """Inputs reach the shell as variables: `${{ }}` within a script would be code of whoever names a branch."""
    text = (ROOT / "integrations/github-action/action.yml").read_text()
    assert not [line for line in text.splitlines() if "run:" in line and "${{" in line]
