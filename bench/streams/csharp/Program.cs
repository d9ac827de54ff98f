using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;

namespace StreamsBenchmark;

/// <summary>Each method returns when the stream has ended, with what its reader added up.</summary>
public interface IClient
{
    long ReadBlocks(long count, int length);

    long WriteBlocks(long count, int length);

    long ReadReadings(long count);

    long WriteReadings(long count);
}

/// <summary>The values that are sent, by the formulas of every language.</summary>
internal static class Data
{
    private const long Start = 1_700_000_000_000;

    public static double[] Block(int length) => [.. Enumerable.Range(0, length).Select(i => (i * 0.5) + 1)];

    public static long Time(long i) => Start + i;

    public static double Value(long i) => i % 1000 * 0.5;

    public static int Flags(long i) => (int)(i & 7);
}

/// <summary>
/// A client of the benchmark of streams, controlled by its input, one command a line: <c>doubles read|write BLOCKS LENGTH</c> or <c>structs read|write COUNT</c>. It answers each
/// with the nanoseconds of the call and the sum, or with <c>cannot</c> and the reason. Arguments: PEER PORT.
/// </summary>
public static class Program
{
    public static int Main(string[] args)
    {
        if (args is ["--version"])
        {
            Console.WriteLine(Environment.Version);
            return 0;
        }
        int port = int.Parse(args[1], CultureInfo.InvariantCulture);
        IClient client = args[0] switch
        {
            "creo" => new CreoClient(port),
            "bare" => new BareClient(port),
            _ => throw new ArgumentException($"no such peer: {args[0]}"),
        };
        Console.WriteLine("ready");
        while (Console.ReadLine() is string line)
        {
            Console.WriteLine(Obey(client, line.Split(' ')));
        }
        return 0;
    }

    private static string Obey(IClient client, string[] words)
    {
        long count = long.Parse(words[2], CultureInfo.InvariantCulture);
        int length = words.Length > 3 ? int.Parse(words[3], CultureInfo.InvariantCulture) : 0;
        try
        {
            long start = Stopwatch.GetTimestamp();
            long sum = (words[0], words[1]) switch
            {
                ("doubles", "read") => client.ReadBlocks(count, length),
                ("doubles", _) => client.WriteBlocks(count, length),
                (_, "read") => client.ReadReadings(count),
                _ => client.WriteReadings(count),
            };
            return $"{(long)Stopwatch.GetElapsedTime(start).TotalNanoseconds} {sum}";
        }
        catch (Exception problem)
        {
            // Whatever a peer throws is its answer; the whole of it is in the log.
            Console.Error.WriteLine(problem);
            return $"cannot {problem.GetType().Name}: {problem.Message}".ReplaceLineEndings(" ");
        }
    }
}
