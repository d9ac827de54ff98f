"""Compiles the compiler driver once, with Roslyn called from Python.

Usage: bootstrap.py DOTNET_ROOT ROSLYN_FOLDER DRIVER_SOURCE OUTPUT_DLL

Needed only where there is no SDK: from then on the driver compiles everything, itself included.
"""

import json
import pathlib
import sys
import tempfile


def main() -> int:
    root, roslyn, source, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
    config = {
        "runtimeOptions": {
            "tfm": "net8.0",
            "framework": {"name": "Microsoft.NETCore.App", "version": "8.0.0"},
            "configProperties": {"System.Globalization.Invariant": True},
        }
    }
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bootstrap.runtimeconfig.json"
        path.write_text(json.dumps(config))

        from clr_loader import get_coreclr
        from pythonnet import set_runtime

        set_runtime(get_coreclr(runtime_config=str(path), dotnet_root=str(root)))
        return compile_driver(root, roslyn, source, output)


def compile_driver(root: pathlib.Path, roslyn: pathlib.Path, source: pathlib.Path, output: pathlib.Path) -> int:
    import clr

    clr.AddReference(str(roslyn / "Microsoft.CodeAnalysis.dll"))
    clr.AddReference(str(roslyn / "Microsoft.CodeAnalysis.CSharp.dll"))

    from Microsoft.CodeAnalysis import DiagnosticSeverity, MetadataReference, NullableContextOptions, OptimizationLevel, OutputKind, SyntaxTree
    from Microsoft.CodeAnalysis.CSharp import CSharpCompilation, CSharpCompilationOptions, CSharpSyntaxTree
    from System import Array
    from System.IO import MemoryStream

    framework = next((root / "shared" / "Microsoft.NETCore.App").glob("8.*"))
    libraries = sorted(
        path
        for path in framework.glob("*.dll")
        if path.name.startswith("System.") or path.name in ("netstandard.dll", "mscorlib.dll")
    )
    libraries += [roslyn / "Microsoft.CodeAnalysis.dll", roslyn / "Microsoft.CodeAnalysis.CSharp.dll"]
    references = Array[MetadataReference]([MetadataReference.CreateFromFile(str(path)) for path in libraries])
    trees = Array[SyntaxTree]([CSharpSyntaxTree.ParseText(source.read_text(encoding="utf-8"))])
    options = (
        CSharpCompilationOptions(OutputKind.ConsoleApplication)
        .WithOptimizationLevel(OptimizationLevel.Release)
        .WithNullableContextOptions(NullableContextOptions.Enable)
    )
    image = MemoryStream()
    result = CSharpCompilation.Create(output.stem, trees, references, options).Emit(image)
    if not result.Success:
        for diagnostic in result.Diagnostics:
            if diagnostic.Severity == DiagnosticSeverity.Error:
                print(diagnostic.ToString(), file=sys.stderr)
        return 1
    output.write_bytes(bytes(image.ToArray()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
