using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text.RegularExpressions;
using Creo;

namespace Interop;

/// <summary>Runs cases, and says how each went.</summary>
internal sealed class Cases
{
    private readonly List<(string Name, Action Run)> _cases = [];

    public Cases Add(string name, Action run)
    {
        _cases.Add((name, run));
        return this;
    }

    /// <summary>The exit code: 0 if all went well.</summary>
    public int Run()
    {
        int code = 0;
        foreach ((string name, Action run) in _cases)
        {
            try
            {
                run();
                Console.WriteLine($"ok {name}");
            }
            catch (Exception e)
            {
                Console.WriteLine($"FAIL {name}: {Regex.Replace($"{e.GetType().Name}: {e.Message}", @"\s+", " ")}");
                code = 1;
            }
        }
        return code;
    }

    /// <summary>The binding to an address, in the mode that the arguments name.</summary>
    public static SoapBinding Binding(string address, string mode) =>
        new(address, soap: SoapOptions.Default with
        {
            Version = mode == "imported" ? null : mode is "1.2" or "addressing12" ? SoapVersion.Soap12 : SoapVersion.Soap11,
            Mtom = mode == "mtom",
            Addressing = mode.StartsWith("addressing", StringComparison.Ordinal) ? true : null,
            Token = mode is "token" or "digest" ? new UsernameToken("anna", "Geheimnis-\u00df") { Digest = mode == "digest" } : null,
            Timestamp = mode == "digest",
        });

    public static void Equal<T>(T wanted, T got)
    {
        if (!EqualityComparer<T>.Default.Equals(wanted, got))
        {
            throw new InvalidOperationException($"expected {wanted}, got {got}");
        }
    }

    /// <summary>Fails unless the call throws this.</summary>
    public static T Throws<T>(Func<object?> call)
        where T : Exception
    {
        try
        {
            throw new InvalidOperationException($"no fault, but {call()}");
        }
        catch (T e)
        {
            return e;
        }
    }

    /// <summary>Asks again, for at most 20 seconds: a oneway call may be under way.</summary>
    public static void Until(Func<bool> good)
    {
        var watch = Stopwatch.StartNew();
        while (!good())
        {
            Equal(true, watch.Elapsed < TimeSpan.FromSeconds(20));
        }
    }

    public static ValueArray<byte> Pattern(int count)
    {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++)
        {
            bytes[i] = (byte)(i * 7);
        }
        return bytes;
    }
}
