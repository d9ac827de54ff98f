"""What ``pyproject.toml`` cannot say: the extension, one for all versions of CPython from 3.9 on."""

from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

HERE = Path(__file__).parent


class AbiWheel(bdist_wheel):
    """A wheel whose name says that one build serves all versions."""

    def finalize_options(self) -> None:
        self.py_limited_api = "cp39"
        super().finalize_options()


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
    cmdclass={"bdist_wheel": AbiWheel},
)
