using System;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using Bench.Echo;
using Creo;

namespace InterceptorsBenchmark;

/// <summary>The C# client of the benchmark of interceptors: see the Java one. Arguments: PORT PORT BLOCKS CALLS.</summary>
public static class Program
{
    private const int Warm = 20_000;

    private sealed class Nothing : IInterceptor
    {
        public Action<Outcome>? Begin(OutgoingCall call) => static _ => { };
    }

    public static void Main(string[] args)
    {
        int[] numbers = [.. args.Select(word => int.Parse(word, CultureInfo.InvariantCulture))];
        string[] names = ["none", "client", "service"];
        EchoClient[] clients =
        [
            new("127.0.0.1", numbers[0]),
            new("127.0.0.1", numbers[0], new ClientOptions { Interceptors = [new Nothing()] }),
            new("127.0.0.1", numbers[1]),
        ];
        for (int i = 0; i < 3 * Warm; i++)
        {
            clients[i % 3].Echo("warm");
        }
        for (int i = 0; i < 3 * numbers[2]; i++)
        {
            int which = (i + (i / 3)) % 3;
            Console.WriteLine($"{names[which]} {Measure(clients[which], numbers[3])}");
        }
    }

    private static string Measure(EchoClient client, int calls)
    {
        var times = new long[calls];
        for (int i = 0; i < calls; i++)
        {
            long start = Stopwatch.GetTimestamp();
            client.Echo("Hello");
            times[i] = (long)Stopwatch.GetElapsedTime(start).TotalNanoseconds;
        }
        long total = times.Sum();
        Array.Sort(times);
        return $"{total} {times[calls * 99 / 100]}";
    }
}
