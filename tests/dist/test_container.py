"""The container file: its image is built by buildah, without a network, and its program run in it. Where there is no buildah, test_c.py runs the program in an empty root."""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest
from conftest import DESCRIPTION, ROOT, run

Find = Callable[[str], pathlib.Path]
Buildah = Callable[..., str]
RECIPE = ROOT / "integrations/container/Containerfile"
STORAGE = '[storage]\ndriver = "vfs"\nrunroot = "{0}/run"\ngraphroot = "{0}/graph"\n'

pytestmark = pytest.mark.skipif(not shutil.which("buildah"), reason="there is no buildah (Debian: buildah)")


@pytest.fixture
def buildah(tmp_path: pathlib.Path) -> Iterator[Buildah]:
    """Runs buildah with a separate store of images."""
    (tmp_path / "storage.conf").write_text(STORAGE.format(tmp_path))
    (tmp_path / "policy.json").write_text('{"default": [{"type": "insecureAcceptAnything"}]}')

    def call(*words: str | pathlib.Path, fails: bool = False) -> str:
        environment = {"CONTAINERS_STORAGE_CONF": str(tmp_path / "storage.conf"), "BUILDAH_ISOLATION": "chroot"}
        ran = run(["buildah", *words], tmp_path, fails=fails, environment=environment)
        return ran.text if fails else ran.out

    yield call
    call("rm", "--all")
    call("rmi", "--all", "--force")


def test_the_image_holds_the_program_and_runs_it(buildah: Buildah, packages: pathlib.Path, creo: pathlib.Path, version: str, tmp_path: pathlib.Path) -> None:
    buildah("build", "--signature-policy", tmp_path / "policy.json", "--file", RECIPE, "--tag", "creo", packages)
    image = json.loads(buildah("inspect", "--type", "image", "creo"))["OCIv1"]
    assert image["config"]["Entrypoint"] == ["creo"] and image["config"]["WorkingDir"] == "/work"
    container = buildah("from", "--pull-never", "--signature-policy", tmp_path / "policy.json", "creo").strip()
    root = pathlib.Path(buildah("mount", container).strip())
    held = {str(path.relative_to(root)).replace(version, "VERSION") for path in root.rglob("*") if path.is_file()}
    folder = "creo-VERSION-x86_64-linux"
    assert {path for path in held if not path.startswith(("etc/", "run/"))} == {
        f"{folder}/{name}"
        for name in ("creo", "LICENSE", "README.md", "THIRD-PARTY-LICENSES.txt", "completions/creo.bash", "completions/_creo", "completions/creo.fish")
    }
    (tmp_path / "work").mkdir()
    (tmp_path / "work/lab.creo").write_text(DESCRIPTION)
    command = ["run", "--volume", f"{tmp_path}/work:/work", container, "--", "creo", "generate", "lab.creo", "--target", "python", "--out", "generated"]
    headers = subprocess.run(["readelf", "--program-headers", creo], capture_output=True, text=True, check=True).stdout
    if "INTERP" in headers:
        # The debug program needs the C library, which the image lacks.
        assert "no such file or directory" in buildah(*command, fails=True)
    else:
        buildah(*command)
        assert (tmp_path / "work/generated/python/org/example/lab/__init__.py").is_file()
