using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace WireBenchmark;

/// <summary>The serialized values, the same in every language of the benchmark for comparable bytes.</summary>
public enum Workload
{
    /// <summary>Blocks of a double and a short, 10 bytes each.</summary>
    Numbers,

    /// <summary>Strings of 10 characters.</summary>
    Strings,

    /// <summary>Strings of 1 to 19 characters, a tenth of them not ASCII.</summary>
    Texts,

    /// <summary>One byte array.</summary>
    Bytes,

    /// <summary>One array of doubles.</summary>
    Reals,
}

/// <summary>The values of a workload, as plain code would hold them.</summary>
public static class Values
{
    /// <summary>How many items make up a payload of that many bytes.</summary>
    public static int Count(Workload workload, int size) => workload switch
    {
        Workload.Numbers or Workload.Strings or Workload.Texts => size / 10,
        Workload.Bytes => size,
        Workload.Reals => size / 8,
        _ => throw new ArgumentOutOfRangeException(nameof(workload)),
    };

    public static double D(int i) => i / 8.0 - 3;

    public static short S(int i) => unchecked((short)(i * 7919));

    public static string String(int i) => (i * 1234567891L % 10_000_000_000L).ToString("D10", CultureInfo.InvariantCulture);

    public static string Text(int i)
    {
        string text = (String(i) + String(i + 1))[..(1 + (int)(i * 7L % 19))];
        return i % 10 == 0 ? 'é' + text[1..] : text;
    }

    /// <summary>The strings of <see cref="Workload.Strings"/> or <see cref="Workload.Texts"/>.</summary>
    public static string[] Strings(Workload workload, int count) => Of<string>(count, workload == Workload.Texts ? Text : String);

    public static T[] Of<T>(int count, Func<int, T> make) => Enumerable.Range(0, count).Select(make).ToArray();

    public static byte[] Bytes(int count) => Of(count, i => unchecked((byte)(i * 31 + 7)));
}
