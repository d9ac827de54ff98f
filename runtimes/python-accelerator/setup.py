"""What ``pyproject.toml`` cannot say: the extension, one for all versions of CPython from 3.9 on."""

from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent

setup(
    ext_modules=[
        Extension(
            "creo_accelerator._codec",
            sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.c")),
            depends=sorted(str(path.relative_to(HERE)) for path in (HERE / "src").glob("*.h")),
            define_macros=[("Py_LIMITED_API", "0x03090000")],
            py_limited_api=True,
        )
    ],
)
