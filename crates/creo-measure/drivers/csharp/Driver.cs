using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

namespace Creo.Measured;

/// <summary>
/// Measures what messages cost in one warm process (COST-33). Arguments: the file of the cases, the rounds, the microseconds of a sample, the milliseconds of
/// all warming, and the wires with commas between them. A case is a line: its number, <c>request</c> or <c>response</c>, <c>interface.method</c> in full, and
/// the file of its binary body. It prints lines of words: <c>version TEXT</c>, <c>progress DONE ALL</c>, <c>noise NANOSECONDS</c>, <c>reference NANOSECONDS</c>, and
/// <c>point NUMBER WIRE BYTES SERIALIZE DESERIALIZE</c>: the lower quartile of all slices, in nanoseconds at the clock rate at which the reference takes as long as was said.
/// </summary>
internal static partial class Driver
{
    private const int WarmRounds = 2;

    // How often each message is written and read in a turn of warming, and for how long at most: code is compiled again after thirty calls.
    private const int LeastCalls = 32;
    private const int WarmCalls = 64;
    private const long WarmNanoseconds = 3_000_000;
    private const int WarmTurns = 3;
    private const int Many = 200;

    private static object? s_sink;

    public static int Main(string[] args)
    {
        int rounds = int.Parse(args[1], CultureInfo.InvariantCulture);
        long wanted = long.Parse(args[2], CultureInfo.InvariantCulture) * 1000;
        long warm = long.Parse(args[3], CultureInfo.InvariantCulture) * 1_000_000;
        string[] wires = args[4].Split(',');
        List<Subject> subjects = Subjects(args[0], wires);
        Console.WriteLine($"version {RuntimeInformation.FrameworkDescription}");
        TouchMemory();
        Warm(subjects, warm);
        long all = (long)(rounds + WarmRounds) * subjects.Count;
        long done = 0;
        for (int round = -WarmRounds; round < rounds; round++)
        {
            foreach (Subject subject in subjects)
            {
                subject.Sample(serialize: true, wanted, keep: round >= 0);
                subject.Sample(serialize: false, wanted, keep: round >= 0);
                if (++done % 64 == 0 || done == all)
                {
                    Console.WriteLine($"progress {done} {all}");
                }
            }
            WaitForCompiler();
        }
        double usual = Reference.Kept.Quantile(0.5);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"noise {Noise() * usual:R}"));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"reference {usual:R}"));
        foreach (Subject s in subjects)
        {
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"point {s.Number} {s.Wire} {s.Length} {s.Writing * usual:R} {s.Reading * usual:R}"));
        }
        return 0;
    }

    // Implemented where another stack is measured, too.
    static partial void AddForeign(List<Subject> subjects, string number, Message message, byte[] body, string wire);

    private static List<Subject> Subjects(string cases, string[] wires)
    {
        Dictionary<string, Message> messages = AllMessages.All.ToDictionary(Message.Key);
        var subjects = new List<Subject>();
        foreach (string line in File.ReadLines(cases))
        {
            string[] words = line.Split('\t');
            if (!messages.TryGetValue($"{words[1]} {words[2]}", out Message? message))
            {
                throw new InvalidDataException($"there is no {words[1]} of {words[2]}");
            }
            byte[] body = File.ReadAllBytes(words[3]);
            foreach (string wire in wires)
            {
                if (message.On(wire, words[0], body) is { } subject)
                {
                    subject.Check();
                    subjects.Add(subject);
                    continue;
                }
                int before = subjects.Count;
                AddForeign(subjects, words[0], message, body, wire);
                if (subjects.Count == before)
                {
                    throw new InvalidDataException($"there is no wire {wire}");
                }
            }
        }
        return subjects;
    }

    // New objects have memory that was used before, as they have in a service that lasts: that the system hands out pages is no part of a message's cost. The
    // collector takes as much memory as it likes before it comes round for the first time.
    private static void TouchMemory()
    {
        int until = GC.CollectionCount(0) + 3;
        while (GC.CollectionCount(0) < until)
        {
            s_sink = new byte[8000];
        }
    }

    // In turns, since code must not be compiled for a single message.
    private static void Warm(List<Subject> subjects, long inAll)
    {
        // Both ways of each have their share of every turn.
        long share = subjects.Count > Many ? WarmNanoseconds : inAll / 2 / WarmTurns / Math.Max(1, subjects.Count);
        for (int turn = 0; turn < WarmTurns; turn++)
        {
            foreach (Subject subject in subjects)
            {
                // At first so often that all of it is compiled again, however large it is.
                subject.Warm(turn == 0 ? LeastCalls : 1, WarmCalls, share);
            }
            WaitForCompiler();
        }
    }

    /// <summary>Waits until nothing has been compiled for a while: the compiler runs on another thread, and replaces code with better code.</summary>
    private static void WaitForCompiler()
    {
        for (int turn = 0; turn < 100; turn++)
        {
            long before = JitInfo.GetCompiledMethodCount(currentThread: false);
            Thread.Sleep(20);
            if (JitInfo.GetCompiledMethodCount(currentThread: false) == before)
            {
                return;
            }
        }
    }

    // What a loop around nothing seems to cost, in references a call: no time below this means anything.
    private static double Noise()
    {
        double least = double.PositiveInfinity;
        for (int round = 0; round < 40; round++)
        {
            const int Times = 100_000;
            long start = ThreadClock.Nanoseconds();
            for (int i = 0; i < Times; i++)
            {
                s_sink = (i & 1) == 0 ? string.Empty : typeof(Driver);
            }
            least = Math.Min(least, (ThreadClock.Nanoseconds() - start) / (double)Times / Reference.Nanoseconds());
        }
        return s_sink is null ? 0 : least;
    }
}

/// <summary>Multiplications, each of which waits for the one before: some ten microseconds, that nothing but the clock's rate makes longer.</summary>
internal static class Reference
{
    private const int Steps = 8_000;

    // What it begins and ends with.
    private static long s_seed = 1;

    /// <summary>How long it took before each sample that counts.</summary>
    public static Numbers Kept { get; } = new();

    /// <summary>The nanoseconds of the work now. A part of it runs first, uncounted, since a long message leaves nothing of it in the caches.</summary>
    public static long Nanoseconds()
    {
        _ = ThreadClock.Nanoseconds();
        Work(Steps / 10);
        long start = ThreadClock.Nanoseconds();
        Work(Steps);
        return Math.Max(1, ThreadClock.Nanoseconds() - start);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void Work(int steps)
    {
        long value = Volatile.Read(ref s_seed);
        for (int i = 0; i < steps; i++)
        {
            value = unchecked((value * 6364136223846793005) + 1442695040888963407);
        }
        Volatile.Write(ref s_seed, value);
    }
}

/// <summary>As many as come.</summary>
internal sealed class Numbers
{
    private readonly List<double> _all = [];

    public int Count => _all.Count;

    public void Add(double number) => _all.Add(number);

    /// <summary>The number below which a share of them is, or the next above.</summary>
    public double Quantile(double share)
    {
        if (Count == 0)
        {
            throw new InvalidOperationException("nothing was measured");
        }
        double[] sorted = [.. _all];
        Array.Sort(sorted);
        return sorted[(int)Math.Ceiling(share * (sorted.Length - 1))];
    }
}

/// <summary>The processor time of the calling thread, on Linux and macOS: .NET itself knows only that of the whole process.</summary>
internal static class ThreadClock
{
    private static readonly int s_clock = OperatingSystem.IsMacOS() ? 16 : 3;

    public static long Nanoseconds()
    {
        if (GetTime(s_clock, out Time now) != 0)
        {
            throw new NotSupportedException("the system has no clock of a thread's processor time");
        }
        return now.Seconds * 1_000_000_000L + now.Nanoseconds;
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int GetTime(int clock, out Time time);

    private struct Time
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
