using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using WireBenchmark;
using Workload.Plain;

namespace Workload;

/// <summary>
/// One cell of the workloads in C#: WORKLOAD WIRE PEER FOLDER SECONDS. Prints a JSON line: bytes and CRC-32 of the message, and nanoseconds a call of this thread's processor time.
/// </summary>
public static class Program
{
    private const double SampleTime = 1e7;
    private static object? sink;

    public static int Main(string[] args)
    {
        if (args is ["--version"])
        {
            Console.WriteLine(Environment.Version);
            return 0;
        }
        (string workload, string folder) = (args[0], args[3]);
        object plain = Values.Of(workload, File.ReadAllBytes(Path.Combine(folder, workload + ".bin")));
        Peer peer = Peer.Of(args[1], args[2], plain);
        object? built = peer.Build();
        byte[] bytes = built is null ? File.ReadAllBytes(Path.Combine(folder, workload + ".soap")) : peer.Encode(built);
        if (peer.Read(peer.Decode(bytes)) != Values.Read(plain))
        {
            throw new InvalidDataException($"{args[2]} does not give back {workload} on {args[1]}");
        }
        var operations = new List<(string Name, Func<object> Run)>();
        if (built is not null)
        {
            operations.Add(("encode", () => peer.Encode(built)));
            operations.Add(("build and encode", () => peer.Encode(peer.Build()!)));
        }
        operations.Add(("decode", () => peer.Decode(bytes)));
        operations.Add(("decode and read", () => peer.Read(peer.Decode(bytes))));
        double seconds = double.Parse(args[4], CultureInfo.InvariantCulture);
        // The runtime compiles again what was found hot, in pauses.
        for (int i = 0; i < 8; i++)
        {
            Sample(operations, Math.Max(2, seconds) / 8);
            Thread.Sleep(100);
        }
        List<double>[] samples = Sample(operations, seconds);
        string shown = string.Join(", ", operations.Zip(samples, (o, s) => $"\"{o.Name}\": [{string.Join(", ", s.Select(ns => ns.ToString("F2", CultureInfo.InvariantCulture)))}]"));
        Console.WriteLine($"{{\"bytes\": {bytes.Length}, \"crc\": {Crc32.Of(bytes)}, \"samples\": {{{shown}}}}}");
        return 0;
    }

    /// <summary>Takes samples in turns, each after a collection, until the seconds are over.</summary>
    private static List<double>[] Sample(List<(string Name, Func<object> Run)> operations, double seconds)
    {
        var samples = operations.Select(_ => new List<double>()).ToArray();
        int[] loops = operations.Select(_ => 1).ToArray();
        double end = ThreadClock.Nanoseconds() + seconds * 1e9;
        while (ThreadClock.Nanoseconds() < end)
        {
            for (int i = 0; i < operations.Count; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Func<object> run = operations[i].Run;
                double start = ThreadClock.Nanoseconds();
                for (int k = 0; k < loops[i]; k++)
                {
                    sink = run();
                }
                double took = Math.Max(ThreadClock.Nanoseconds() - start, 1);
                if (took > SampleTime / 2)
                {
                    samples[i].Add(took / loops[i]);
                }
                loops[i] = (int)Math.Max(1, Math.Min(loops[i] * 4L, loops[i] * SampleTime / took));
            }
        }
        return samples;
    }
}
