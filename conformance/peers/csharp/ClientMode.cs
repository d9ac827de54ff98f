using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using Creo;

namespace Conformance.Peer;

/// <summary>A scenario that did not go as the page of scenarios says.</summary>
public sealed class UnexpectedException(string message) : Exception(message);

/// <summary>Runs every scenario of conformance/scenarios.md and prints a line for each.</summary>
public static class ClientMode
{
    public static Task<bool> Run(string host, int port, string vectors) => Report([.. new Scenarios(host, port, vectors).All, .. new StreamScenarios(host, port).All]);

    /// <summary>Runs each scenario, and prints a line for it.</summary>
    public static async Task<bool> Report(IEnumerable<(string Name, Func<Task> Run)> scenarios)
    {
        bool all = true;
        foreach ((string name, Func<Task> scenario) in scenarios)
        {
            string? why = null;
            try
            {
                await scenario().WaitAsync(TimeSpan.FromSeconds(60));
            }
            catch (Exception e)
            {
                why = e is UnexpectedException ? e.Message : e.ToString();
            }
            all &= why is null;
            Console.WriteLine(why is null
                ? $"{{\"scenario\":{JsonSerializer.Serialize(name)},\"ok\":true}}"
                : $"{{\"scenario\":{JsonSerializer.Serialize(name)},\"ok\":false,\"why\":{JsonSerializer.Serialize(why)}}}");
        }
        return all;
    }
}

/// <summary>Expectations.</summary>
public static class Expect
{
    public static void Equal<T>(T expected, T actual, string what = "result")
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new UnexpectedException($"{what}: expected {expected}, got {actual}");
        }
    }

    public static void True(bool condition, string what)
    {
        if (!condition)
        {
            throw new UnexpectedException(what);
        }
    }

    public static TException Throws<TException>(Action action)
        where TException : Exception
    {
        try
        {
            action();
        }
        catch (TException e)
        {
            return e;
        }
        throw new UnexpectedException($"no {typeof(TException).Name}");
    }

    public static async Task<TException> ThrowsAsync<TException>(Func<Task> action)
        where TException : Exception
    {
        try
        {
            await action();
        }
        catch (TException e)
        {
            return e;
        }
        throw new UnexpectedException($"no {typeof(TException).Name}");
    }

    public static CreoException Error(ErrorCode code, Action action)
    {
        CreoException error = Throws<CreoException>(action);
        Equal(code, error.Code, $"code of \"{error.Message}\"");
        return error;
    }
}

/// <summary>The vectors, each sent to the method of a client that takes its type and gives it back.</summary>
public static class EchoVectors
{
    // Values of recursive types nest deeper than the default of the platform's reader.
    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 1000 };

    /// <summary>Sends those of a package's types, which are of a form.</summary>
    public static void Run(object client, string folder, string form, string package = "conformance.values.")
    {
        int count = 0;
        foreach (string path in Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal))
        {
            using JsonDocument file = JsonDocument.Parse(File.ReadAllText(path), Deep);
            foreach (JsonElement vector in file.RootElement.GetProperty("vectors").EnumerateArray())
            {
                string type = vector.GetProperty("type").GetString()!;
                if (Find(client.GetType(), package, type) is { } method)
                {
                    (byte[] read, byte[] expected) = Texts(vector, form);
                    AnyCodec codec = AnyCodec.Of(type);
                    object result = method.Invoke(client, BindingFlags.DoNotWrapExceptions, null, [codec.Read(form, read, Limits.Default), null], null)!;
                    Expect.Equal(Encoding.Latin1.GetString(expected), Encoding.Latin1.GetString(codec.Write(form, result)), vector.GetProperty("id").GetString()!);
                    count++;
                }
            }
        }
        Expect.True(count > 0, $"no vectors in {folder}");
    }

    // The input, and the expected output. Input that is not UTF-8 is given as bytes.
    private static (byte[] Read, byte[] Expected) Texts(JsonElement vector, string form)
    {
        byte[]? Bytes(string name) => vector.TryGetProperty(name, out JsonElement text) ? Convert.FromHexString(text.GetString()!) : null;
        byte[]? Text(string name) => vector.TryGetProperty(name, out JsonElement text) ? Encoding.UTF8.GetBytes(text.GetString()!) : null;
        byte[]? read = Bytes("bytes") ?? Text(form == "soap" ? "xml" : form);
        return form switch
        {
            "codec" => (read!, Bytes("encoded") ?? read!),
            "tdxml" => (read ?? Text("record")!, Text("record")!),
            _ => (read!, Text("encoded") ?? read!),
        };
    }

    // The method of one parameter of the type with that name and a result of the same type.
    private static MethodInfo? Find(Type client, string package, string type)
    {
        string name = type[(type.LastIndexOf('.') + 1)..];
        MethodInfo? method = client.GetMethod(name);
        return type.StartsWith(package, StringComparison.Ordinal) && method?.ReturnType.Name == name ? method : null;
    }
}
