"""The extension, which ``pyproject.toml`` cannot describe: one for all versions of CPython from 3.9."""

import sys
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent
#: The C runtime; `shared.c` includes some of its files.
RUNTIME = HERE.resolve().parent / "c"

setup(
    ext_modules=[
        Extension(
            "creo_accelerator._codec",
            sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.c")),
            depends=sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.h")),
            include_dirs=[str(RUNTIME / "include"), str(RUNTIME / "src")],
            extra_compile_args=[] if sys.platform == "win32" else ["-std=c11", "-fvisibility=hidden"],
            define_macros=[("Py_LIMITED_API", "0x03090000")],
            py_limited_api=True,
        )
    ],
)
