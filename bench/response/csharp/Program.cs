using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;

namespace ResponseBenchmark;

/// <summary>A client for one caller, whose calls come one after the other.</summary>
public interface IClient
{
    /// <summary>The objects of a request, to be sent as often as one likes by every client of the peer.</summary>
    object Prepare(string kind, int count);

    /// <summary>Sends a request and waits for the number of items that arrived.</summary>
    int Call(string kind, object request);
}

/// <summary>
/// A client of the response time benchmark, controlled by its input, one command per line. <c>prepare KIND SIZE</c> makes a request and sends it
/// once: <c>ok</c>. <c>run CALLERS NANOSECONDS LEAST</c> calls that long, each caller at least that often: <c>CALLS NANOSECONDS</c> and nine
/// quantiles of the times of single calls. Impossible commands are answered with <c>cannot</c> and the reason. Arguments: PEER ADDRESS.
/// </summary>
public static class Program
{
    private const int Quantiles = 9;

    private static readonly List<IClient> Clients = [];
    private static Func<IClient> connect = () => throw new InvalidOperationException();
    private static string kind = "";
    private static int count;
    private static object request = "";

    public static int Main(string[] args)
    {
        if (args is ["--version"])
        {
            Console.WriteLine(Environment.Version);
            return 0;
        }
        int port = int.Parse(args[1], CultureInfo.InvariantCulture);
        connect = args[0] switch
        {
            "creo" => () => new CreoClient(port),
            "raw" => () => new RawClient(port),
            _ => throw new ArgumentException($"no such peer: {args[0]}"),
        };
        Console.WriteLine("ready");
        while (Console.ReadLine() is string line)
        {
            Console.WriteLine(Obey(line.Split(' ')));
        }
        return 0;
    }

    private static string Obey(string[] words)
    {
        try
        {
            if (words[0] == "prepare")
            {
                request = "";
                kind = words[1];
                count = int.Parse(words[2], CultureInfo.InvariantCulture) / (kind == "bytes" ? 1 : 10);
                request = Client(0).Prepare(kind, count);
                Call(Client(0));
                return "ok";
            }
            return Run(int.Parse(words[1], CultureInfo.InvariantCulture), long.Parse(words[2], CultureInfo.InvariantCulture), int.Parse(words[3], CultureInfo.InvariantCulture));
        }
        catch (Exception problem)
        {
            // Whatever a peer throws is its answer; the whole of it is in the log.
            Console.Error.WriteLine(problem);
            string text = $"{problem.GetType().Name}: {problem.Message}".ReplaceLineEndings(" ");
            return "cannot " + text[..Math.Min(160, text.Length)];
        }
    }

    private static IClient Client(int index)
    {
        while (Clients.Count <= index)
        {
            Clients.Add(connect());
        }
        return Clients[index];
    }

    private static void Call(IClient client)
    {
        int answer = client.Call(kind, request);
        if (answer != count)
        {
            throw new InvalidOperationException($"the service got {answer} items instead of {count}");
        }
    }

    private static string Run(int callers, long nanoseconds, int least)
    {
        var clients = Enumerable.Range(0, callers).Select(Client).ToList();
        var times = new List<long>[callers];
        Exception? failure = null;
        long start = Stopwatch.GetTimestamp();
        long end = start + (long)(nanoseconds * 1e-9 * Stopwatch.Frequency);
        if (callers == 1)
        {
            times[0] = Loop(clients[0], end, least);
        }
        else
        {
            var threads = Enumerable.Range(0, callers).Select(i => new Thread(() =>
            {
                try
                {
                    times[i] = Loop(clients[i], end, least);
                }
                catch (Exception problem)
                {
                    failure = problem;
                }
            })).ToList();
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
        }
        double elapsed = Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        if (failure is not null)
        {
            throw failure;
        }
        long[] sorted = [.. times.SelectMany(each => each).Order()];
        int shown = Math.Min(Quantiles, sorted.Length);
        var thinned = Enumerable.Range(0, shown).Select(i => sorted[((2L * i) + 1) * sorted.Length / (2L * shown)] * 1_000_000_000 / Stopwatch.Frequency);
        return string.Create(CultureInfo.InvariantCulture, $"{sorted.Length} {elapsed:F0} {string.Join(',', thinned)}");
    }

    private static List<long> Loop(IClient client, long end, int least)
    {
        var times = new List<long>(1 << 16);
        for (long before = Stopwatch.GetTimestamp(); before < end || times.Count < least;)
        {
            Call(client);
            long now = Stopwatch.GetTimestamp();
            times.Add(now - before);
            before = now;
        }
        return times;
    }
}
