"""A description of the machine, as far as readers need it to judge the figures."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path


def _field(path: str, key: str) -> str:
    try:
        match = re.search(rf"^{key}\s*:?\s*(.+)$", Path(path).read_text(), re.MULTILINE)
    except OSError:
        return "unknown"
    return match.group(1).strip() if match else "unknown"


def first_line(*command: str) -> str:
    """The first line that a program prints of its version; `missing` where it is not there."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "missing"
    text = (result.stdout or result.stderr).strip()
    return text.splitlines()[0] if text else "unknown"


def processor() -> str:
    """Its name, and which generation it is: virtual machines give processors of many years one name."""
    name, family, model = (_field("/proc/cpuinfo", key) for key in ("model name", "cpu family", "model"))
    return name if "unknown" in (family, model) else f"{name}, family {family}, model {model}"


def describe() -> dict[str, str | int]:
    memory = _field("/proc/meminfo", "MemTotal").split()
    return {
        "processor": processor(),
        "cpus": os.cpu_count() or 0,
        "memory": f"{int(memory[0]) // 1048576} GiB" if memory[0].isdigit() else "unknown",
        "kernel": f"{platform.system()} {platform.release()}",
    }


def load() -> str:
    """How many threads wanted a processor in the last 1, 5 and 15 minutes."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def command(name: str) -> str:
    """How this run was started; where its results go says nothing of them."""
    words = sys.argv[1:]
    if "--results" in words:
        at = words.index("--results")
        del words[at : at + 2]
    return shlex.join([f"scripts/{name}.sh", *words] if words else ["make", name])
