// The C# compiler as a command, for machines that have Roslyn's libraries but no SDK.
//
//   driver -out:X.dll [-target:library|exe] [-nullable] [-warnaserror] [-define:A;B] [-r:Y.dll] [-recurse:DIR/*.cs] files...
//   driver @FILE            the arguments stand in FILE, one a line
//   driver -batch:FILE      each line of FILE is one compilation: its arguments, separated by tabs
//
// Diagnostics go to standard error as `file(line,column): error CS0000: text`. Exit codes: 0 compiled, 1 errors in the code, 2 usage.

using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Microsoft.CodeAnalysis.Text;

namespace Creo.Tools;

public static class Driver
{
    private static readonly Dictionary<string, MetadataReference> References = new(StringComparer.Ordinal);
    private static readonly Dictionary<string, (DateTime Written, SyntaxTree Tree)> Trees = new(StringComparer.Ordinal);

    public static int Main(string[] args)
    {
        try
        {
            if (args.Length == 1 && args[0].StartsWith('@'))
            {
                args = File.ReadAllLines(args[0][1..]).Where(line => line.Length > 0).ToArray();
            }
            if (args.Length == 1 && args[0].StartsWith("-batch:", StringComparison.Ordinal))
            {
                bool all = true;
                foreach (string line in File.ReadAllLines(args[0]["-batch:".Length..]))
                {
                    if (line.Length > 0)
                    {
                        all &= Compile(Request.Parse(line.Split('\t', StringSplitOptions.RemoveEmptyEntries)));
                    }
                }
                return all ? 0 : 1;
            }
            return Compile(Request.Parse(args)) ? 0 : 1;
        }
        catch (Exception e) when (e is UsageException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"csc: {e.Message}");
            return 2;
        }
    }

    private static bool Compile(Request request)
    {
        var parse = new CSharpParseOptions(LanguageVersion.CSharp12, DocumentationMode.Diagnose, preprocessorSymbols: request.Defines);
        var options = new CSharpCompilationOptions(
            request.Executable ? OutputKind.ConsoleApplication : OutputKind.DynamicallyLinkedLibrary,
            optimizationLevel: OptimizationLevel.Release,
            nullableContextOptions: request.Nullable ? NullableContextOptions.Enable : NullableContextOptions.Disable,
            generalDiagnosticOption: request.WarningsAsErrors ? ReportDiagnostic.Error : ReportDiagnostic.Default,
            warningLevel: 8,
            deterministic: true,
            // Documentation is parsed, which reveals malformed comments, but it is not required for every member.
            specificDiagnosticOptions: [new("CS1591", ReportDiagnostic.Suppress)]);
        var compilation = CSharpCompilation.Create(
            Path.GetFileNameWithoutExtension(request.Output),
            request.Sources.Select(path => Parse(path, parse)),
            FrameworkReferences().Concat(request.References.Select(Reference)),
            options);

        string? folder = Path.GetDirectoryName(Path.GetFullPath(request.Output));
        Directory.CreateDirectory(folder!);
        EmitResult result;
        using (var image = new MemoryStream())
        {
            result = compilation.Emit(image, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.Embedded));
            Report(result.Diagnostics, request);
            if (result.Success)
            {
                File.WriteAllBytes(request.Output, image.ToArray());
            }
        }
        if (result.Success && request.Executable)
        {
            File.WriteAllText(Path.ChangeExtension(request.Output, ".runtimeconfig.json"), RuntimeConfig);
        }
        return result.Success;
    }

    private const string RuntimeConfig = """
        {
          "runtimeOptions": {
            "tfm": "net8.0",
            "rollForward": "LatestMajor",
            "framework": { "name": "Microsoft.NETCore.App", "version": "8.0.0" },
            "configProperties": { "System.Globalization.Invariant": true }
          }
        }

        """;

    private static SyntaxTree Parse(string path, CSharpParseOptions options)
    {
        string full = Path.GetFullPath(path);
        DateTime written = File.GetLastWriteTimeUtc(full);
        string key = full + "\0" + string.Join(';', options.PreprocessorSymbolNames);
        if (!Trees.TryGetValue(key, out var known) || known.Written != written)
        {
            using FileStream file = File.OpenRead(full);
            SourceText text = SourceText.From(file, new UTF8Encoding(false, true));
            known = (written, CSharpSyntaxTree.ParseText(text, options, path));
            Trees[key] = known;
        }
        return known.Tree;
    }

    private static IEnumerable<MetadataReference> FrameworkReferences()
    {
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        return Directory.EnumerateFiles(folder, "*.dll")
            .Where(path => Path.GetFileName(path) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal) || name is "netstandard.dll" or "mscorlib.dll"
                    || name.StartsWith("Microsoft.Win32", StringComparison.Ordinal))
                && !name.EndsWith(".Native.dll", StringComparison.Ordinal))
            .OrderBy(path => path, StringComparer.Ordinal)
            .Select(Reference);
    }

    private static MetadataReference Reference(string path)
    {
        string full = Path.GetFullPath(path);
        string key = full + "\0" + File.GetLastWriteTimeUtc(full).Ticks;
        if (!References.TryGetValue(key, out MetadataReference? reference))
        {
            reference = MetadataReference.CreateFromImage(File.ReadAllBytes(full));
            References[key] = reference;
        }
        return reference;
    }

    private static void Report(ImmutableArray<Diagnostic> diagnostics, Request request)
    {
        var shown = diagnostics
            .Where(d => !d.IsSuppressed && d.Severity is DiagnosticSeverity.Error or DiagnosticSeverity.Warning)
            .Select(d => CSharpDiagnosticFormatter.Instance.Format(d))
            .Distinct()
            .ToList();
        foreach (string line in shown.Take(100))
        {
            Console.Error.WriteLine(line);
        }
        if (shown.Count > 100)
        {
            Console.Error.WriteLine($"csc: {shown.Count - 100} more in {request.Output}");
        }
    }

    private sealed class UsageException(string message) : Exception(message);

    private sealed record Request(
        string Output, bool Executable, bool Nullable, bool WarningsAsErrors, List<string> Defines, List<string> References, List<string> Sources)
    {
        public static Request Parse(string[] args)
        {
            string? output = null;
            bool executable = false, nullable = false, warningsAsErrors = false;
            List<string> defines = [], references = [], sources = [];
            foreach (string arg in args)
            {
                string Value(string option) => arg[option.Length..];
                if (arg.StartsWith("-out:", StringComparison.Ordinal)) output = Value("-out:");
                else if (arg is "-target:exe" or "-target:library") executable = arg == "-target:exe";
                else if (arg is "-nullable" or "-nullable:enable") nullable = true;
                else if (arg is "-warnaserror" or "-warnaserror+") warningsAsErrors = true;
                else if (arg.StartsWith("-define:", StringComparison.Ordinal)) defines.AddRange(Value("-define:").Split(';'));
                else if (arg.StartsWith("-r:", StringComparison.Ordinal)) references.Add(Value("-r:"));
                else if (arg.StartsWith("-recurse:", StringComparison.Ordinal)) sources.AddRange(Find(Value("-recurse:")));
                else if (arg.StartsWith('-')) throw new UsageException($"unknown option {arg}");
                else sources.Add(arg);
            }
            if (output is null) throw new UsageException("no -out:FILE");
            if (sources.Count == 0) throw new UsageException($"no source files for {output}");
            foreach (string path in sources.Concat(references))
            {
                if (!File.Exists(path)) throw new UsageException($"{path} is not a file");
            }
            return new(output, executable, nullable, warningsAsErrors, defines, references, sources);
        }

        private static IEnumerable<string> Find(string pattern)
        {
            string folder = Path.GetDirectoryName(pattern) is { Length: > 0 } named ? named : ".";
            if (!Directory.Exists(folder)) throw new UsageException($"{folder} is not a folder");
            return Directory.EnumerateFiles(folder, Path.GetFileName(pattern), SearchOption.AllDirectories)
                .Where(path => !path.Split('/', '\\').Any(part => part is "obj" or "bin"))
                .OrderBy(path => path, StringComparer.Ordinal);
        }
    }
}
