using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace WireBenchmark;

/// <summary>
/// A benchmark in C#, of the binary or of the text wires, by the peers that <see cref="Cases"/> has. Every round takes one sample of each cell, beginning with another peer than the round before, so that a slow minute of the
/// machine falls on all. Writes one JSON line for each cell and operation: its samples, and the bytes that a call allocates. Arguments, all required:
/// OUT ROUNDS MILLISECONDS WORKLOADS SIZES PEERS, the last three separated by commas. Zero rounds only check the round trips, and write one line for
/// each cell: its bytes and their CRC-32.
/// </summary>
public static class Program
{
    private static object? sink;

    private sealed record Cell(string Workload, string Size, string Peer, string Operation, Case Case)
    {
        public List<double> Samples { get; } = [];

        public double Allocated { get; set; }

        public int Loops { get; set; }

        public double Quickest { get; set; } = double.PositiveInfinity;
    }

    public static int Main(string[] args)
    {
        if (args is ["--version"])
        {
            Console.WriteLine(Environment.Version);
            return 0;
        }
        int rounds = int.Parse(args[1], CultureInfo.InvariantCulture);
        int milliseconds = int.Parse(args[2], CultureInfo.InvariantCulture);
        string[] peers = args[5].Length == 0 ? [.. Cases.Peers] : args[5].Split(',');
        var groups = new List<List<Cell>>();
        foreach (string workload in args[3].Split(','))
        {
            foreach (string size in args[4].Split(','))
            {
                groups.Add(Checked(workload, size, peers));
            }
        }
        foreach (List<Cell> group in groups)
        {
            // Warm up in turns, with rests in which the runtime compiles again what was found hot, until nothing becomes quicker.
            bool quicker = rounds > 0;
            for (int turn = 0; quicker && turn < 20; turn++)
            {
                quicker = turn < 8;
                foreach (Cell cell in group)
                {
                    // Slow code recompiles its loops within few calls.
                    if (turn < 3 || cell.Quickest < 5e7)
                    {
                        quicker |= Calibrate(cell, milliseconds);
                    }
                }
                Thread.Sleep(150);
            }
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < group.Count; i++)
                {
                    Sample(group[(i + round) % group.Count]);
                }
            }
        }
        using var lines = new StreamWriter(args[0]);
        foreach (Cell cell in groups.SelectMany(group => group))
        {
            if (rounds > 0)
            {
                lines.WriteLine(Measured(cell));
            }
            else if (cell.Operation == "serialize")
            {
                lines.WriteLine(Bytes(cell));
            }
        }
        return 0;
    }

    private static List<Cell> Checked(string workload, string size, string[] peers)
    {
        var cells = new List<Cell>();
        foreach (string peer in peers)
        {
            if (Cases.Create(workload, size, peer) is { } made)
            {
                cells.Add(new Cell(workload, size, peer, "serialize", made));
                cells.Add(new Cell(workload, size, peer, "deserialize", made));
            }
        }
        return cells;
    }

    /// <summary>Finds how many calls take the time of a sample; says whether a call was clearly quicker than ever before.</summary>
    private static bool Calibrate(Cell cell, int milliseconds)
    {
        int loops = 1;
        double took = Time(cell, loops);
        while (took < milliseconds * 1e6 && loops < 1 << 28)
        {
            loops *= took * 4 < milliseconds * 1e6 ? 4 : 2;
            took = Time(cell, loops);
        }
        bool quicker = took / loops < 0.9 * cell.Quickest;
        cell.Quickest = Math.Min(cell.Quickest, took / loops);
        cell.Loops = loops;
        return quicker;
    }

    private static void Sample(Cell cell)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        long before = GC.GetAllocatedBytesForCurrentThread();
        cell.Samples.Add(Time(cell, cell.Loops) / cell.Loops);
        cell.Allocated = (GC.GetAllocatedBytesForCurrentThread() - before) / (double)cell.Loops;
    }

    /// <summary>Nanoseconds that this thread takes for that many calls, which no other program's work adds to.</summary>
    private static double Time(Cell cell, int loops)
    {
        Case subject = cell.Case;
        double start = ThreadClock.Nanoseconds();
        if (cell.Operation == "serialize")
        {
            for (int i = 0; i < loops; i++)
            {
                subject.Serialize();
            }
        }
        else
        {
            for (int i = 0; i < loops; i++)
            {
                sink = subject.Deserialize();
            }
        }
        return ThreadClock.Nanoseconds() - start;
    }

    private static string Measured(Cell cell)
    {
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{{{Head(cell)},\"operation\":\"{cell.Operation}\",\"allocated\":{Math.Round(cell.Allocated)},"
            + $"\"ns\":[{string.Join(',', cell.Samples.Select(s => s.ToString("F2", CultureInfo.InvariantCulture)))}]}}");
    }

    private static string Bytes(Cell cell)
    {
        cell.Case.Serialize();
        return string.Create(CultureInfo.InvariantCulture, $"{{{Head(cell)},\"bytes\":{cell.Case.Written.Length},\"crc\":{Crc32.Of(cell.Case.Written)}}}");
    }

    private static string Head(Cell cell)
    {
        string size = char.IsDigit(cell.Size[0]) ? cell.Size : $"\"{cell.Size}\"";
        return $"\"workload\":\"{cell.Workload}\",\"size\":{size},\"peer\":\"{cell.Peer}\"";
    }
}
