using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>The scenarios with streams, each in both forms: blocking and awaited.</summary>
public sealed class StreamScenarios
{
    private const long Endless = 1L << 62;

    // More than the credit of a stream holds.
    private const int NotMuch = 1_000_000;

    private readonly Func<ClientOptions, Binding> _open;
    private readonly ClientOptions _options;
    private readonly StreamsClient _streams;
    private readonly EchoClient _echo;

    public StreamScenarios(string host, int port, ClientOptions? options = null)
        : this(given => new TcpBinding(host, port, given), options ?? ClientOptions.Default)
    {
    }

    /// <summary>Scenarios over bindings that a function makes.</summary>
    /// <param name="open">Makes a binding to the interface of streams.</param>
    /// <param name="options">The options.</param>
    /// <param name="echo">The binding for other calls; null for that of the streams.</param>
    public StreamScenarios(Func<ClientOptions, Binding> open, ClientOptions options, Binding? echo = null)
    {
        (_open, _options) = (open, options);
        Binding binding = open(options);
        _streams = new StreamsClient(binding);
        _echo = new EchoClient(echo ?? binding);
        All =
        [
            ("streams", Streams),
            ("streams-talk", Talk),
            ("streams-close", Close),
            ("streams-deadline", Deadline),
            ("streams-metadata", Metadata),
            ("streams-source", Source),
        ];
        AsLines =
        [
            ("streams", Streams),
            ("streams-talk", Refused),
            ("streams-close", CloseTicks),
            ("streams-deadline", Deadline),
            ("streams-metadata", Metadata),
            ("streams-source", Source),
        ];
        OnlyResults =
        [
            ("streams", Results),
            ("streams-talk", NoParameters),
            ("streams-close", CloseTicks),
            ("streams-deadline", DeadlineWhenConnected),
            ("streams-metadata", Metadata),
        ];
    }

    public IReadOnlyList<(string Name, Func<Task> Run)> All { get; }

    /// <summary>Those over HTTP, which does not carry methods with two streams (CALL-47).</summary>
    public IReadOnlyList<(string Name, Func<Task> Run)> AsLines { get; }

    /// <summary>Those over JMS, which carries no streams of parameters (JMS-23).</summary>
    public IReadOnlyList<(string Name, Func<Task> Run)> OnlyResults { get; }

    /// <summary>The tick of a number.</summary>
    public static Tick Tick(long i) => new() { Number = i, Text = $"tick {i}", Values = [i, i + 0.5] };

    /// <summary>Some items, awaited: every thousandth needs time.</summary>
    public static async IAsyncEnumerable<T> Slowly<T>(IEnumerable<T> items)
    {
        int count = 0;
        foreach (T item in items)
        {
            if (count++ % 1000 == 0)
            {
                await Task.Yield();
            }
            yield return item;
        }
    }

    /// <summary>All items of a stream.</summary>
    public static async Task<List<T>> ToListAsync<T>(IAsyncEnumerable<T> items)
    {
        var all = new List<T>();
        await foreach (T item in items)
        {
            all.Add(item);
        }
        return all;
    }

    private async Task Results()
    {
        await After(() => Expect.True(_streams.Ticks(1000).SequenceEqual(Enumerable.Range(0, 1000).Select(i => Tick(i))), "ticks"));
        await After(async () => Expect.True((await ToListAsync(_streams.TicksAsync(1000))).SequenceEqual(Enumerable.Range(0, 1000).Select(i => Tick(i))), "ticks"));
        await After(() => Expect.Equal(0, _streams.Ticks(0).Count(), "ticks"));
        await After(async () => Expect.Equal(0, (await ToListAsync(_streams.TicksAsync(0))).Count, "ticks"));
        await After(Stopping);
        await After(StoppingAsync);
        await After(() => Expect.True(_streams.Blocks(100, 1000).SequenceEqual(Blocks()), "blocks"));
        await After(async () => Expect.True((await ToListAsync(_streams.BlocksAsync(100, 1000))).SequenceEqual(Blocks()), "blocks"));
    }

    private async Task Streams()
    {
        await Results();

        await After(() => Expect.Equal(4999950000L, _streams.Sum(Enumerable.Range(0, 100_000).Select(i => (long)i).ToArray())));
        await After(() => Expect.Equal(4999950000L, _streams.Sum(Enumerable.Range(0, 100_000).Select(i => (long)i))));
        await After(async () => Expect.Equal(4999950000L, await _streams.SumAsync(Slowly(Enumerable.Range(0, 100_000).Select(i => (long)i)))));

        await After(() =>
        {
            Expect.Equal(45L, _streams.First(10, Counted(out Func<long> taken)));
            Expect.True(taken() < NotMuch, "the source was read much further");
        });
        await After(async () =>
        {
            Expect.Equal(45L, await _streams.FirstAsync(10, Slowly(Counted(out Func<long> taken))));
            Expect.True(taken() < NotMuch, "the source was read much further");
        });
        await After(() => Expect.Equal(5, Expect.Throws<StoppedException>(() => _streams.First(10, [0L, 1, 2, 3, 4])).After));
        await After(async () => Expect.Equal(5, (await Expect.ThrowsAsync<StoppedException>(async () => await _streams.FirstAsync(10, Slowly([0L, 1, 2, 3, 4])))).After));

        await After(() => Expect.Equal(4999950000.0, _streams.Total(Blocks())));
        await After(async () => Expect.Equal(4999950000.0, await _streams.TotalAsync(Slowly(Blocks()))));
    }

    private static IEnumerable<long> Counted(out Func<long> taken)
    {
        long count = 0;
        taken = () => Interlocked.Read(ref count);
        IEnumerable<long> Count()
        {
            while (true)
            {
                yield return Interlocked.Increment(ref count) - 1;
            }
        }
        return Count();
    }

    private static IEnumerable<ValueArray<double>> Blocks() =>
        Enumerable.Range(0, 100).Select(i => (ValueArray<double>)Enumerable.Range(1000 * i, 1000).Select(n => (double)n).ToArray());

    private void Stopping()
    {
        var read = new List<long>();
        StoppedException stopped = Expect.Throws<StoppedException>(() =>
        {
            foreach (long number in _streams.Stopping(10))
            {
                read.Add(number);
            }
        });
        Expect.Equal(10, stopped.After);
        Expect.True(read.SequenceEqual(Enumerable.Range(0, 10).Select(i => (long)i)), "numbers");
    }

    private async Task StoppingAsync()
    {
        var read = new List<long>();
        StoppedException stopped = await Expect.ThrowsAsync<StoppedException>(async () =>
        {
            await foreach (long number in _streams.StoppingAsync(10))
            {
                read.Add(number);
            }
        });
        Expect.Equal(10, stopped.After);
        Expect.True(read.SequenceEqual(Enumerable.Range(0, 10).Select(i => (long)i)), "numbers");
    }

    private async Task Talk()
    {
        await After(() =>
        {
            using var read = new SemaphoreSlim(1);
            IEnumerable<Tick> Asks()
            {
                for (int i = 0; i < 100; i++)
                {
                    read.Wait();
                    yield return Tick(i);
                }
            }
            int count = 0;
            foreach (Tick reply in _streams.Talk(Asks()))
            {
                Expect.Equal(Tick(count) with { Number = 2L * count }, reply, "reply");
                count++;
                read.Release();
            }
            Expect.Equal(100, count, "replies");
        });
        await After(async () =>
        {
            using var read = new SemaphoreSlim(1);
            async IAsyncEnumerable<Tick> Asks()
            {
                for (int i = 0; i < 100; i++)
                {
                    await read.WaitAsync();
                    yield return Tick(i);
                }
            }
            int count = 0;
            await foreach (Tick reply in _streams.TalkAsync(Asks()))
            {
                Expect.Equal(Tick(count) with { Number = 2L * count }, reply, "reply");
                count++;
                read.Release();
            }
            Expect.Equal(100, count, "replies");
        });
    }

    private async Task Refused()
    {
        await Unknown(() => _streams.Talk([Tick(1)]).Count());
        await UnknownAsync(async () => await ToListAsync(_streams.TalkAsync(Slowly([Tick(1)]))));
    }

    private async Task NoParameters()
    {
        await Unknown(() => _streams.Sum([1L]));
        await UnknownAsync(async () => await _streams.SumAsync(Slowly([1L])));
        await Unknown(() => _streams.Total(Blocks()));
        await UnknownAsync(async () => await _streams.TotalAsync(Slowly(Blocks())));
        await Refused();
    }

    private Task Unknown(Action call) => After(() => Expect.Error(ErrorCode.UnknownMethod, call));

    private Task UnknownAsync(Func<Task> call) => After(async () => Expect.Equal(ErrorCode.UnknownMethod, (await Expect.ThrowsAsync<CreoException>(call)).Code));

    private async Task CloseTicks()
    {
        await After(() => Expect.True(_streams.Ticks(Endless).Take(10).SequenceEqual(Enumerable.Range(0, 10).Select(i => Tick(i))), "ticks"));
        await After(async () =>
        {
            int count = 0;
            await foreach (Tick tick in _streams.TicksAsync(Endless))
            {
                Expect.Equal(Tick(count), tick, "tick");
                if (++count == 10)
                {
                    break;
                }
            }
        });
    }

    private async Task Close()
    {
        await CloseTicks();
        await After(() => Expect.Equal(0, _streams.Talk(Enumerable.Range(0, int.MaxValue).Select(i => Tick(i))).First().Number));
        await After(async () =>
        {
            await foreach (Tick tick in _streams.TalkAsync(Slowly(Enumerable.Range(0, int.MaxValue).Select(i => Tick(i)))))
            {
                Expect.Equal(0, tick.Number);
                break;
            }
        });
    }

    private async Task DeadlineWhenConnected()
    {
        Expect.Equal(1, _streams.Ticks(1).Count());
        await Deadline();
    }

    // A slow machine needs more time until the first item.
    private async Task Deadline()
    {
        await After(() =>
        {
            long count = 0;
            for (int time = 200; count == 0 && time < 60_000; time *= 2)
            {
                Expect.Error(ErrorCode.DeadlineExceeded, () =>
                {
                    foreach (Tick tick in _streams.Ticks(Endless, CallOptions.Within(TimeSpan.FromMilliseconds(time))))
                    {
                        Expect.Equal(count++, tick.Number);
                    }
                });
            }
            Expect.True(count > 0, "no items");
        });
        await After(async () =>
        {
            long count = 0;
            for (int time = 200; count == 0 && time < 60_000; time *= 2)
            {
                CreoException late = await Expect.ThrowsAsync<CreoException>(async () =>
                {
                    await foreach (Tick tick in _streams.TicksAsync(Endless, CallOptions.Within(TimeSpan.FromMilliseconds(time))))
                    {
                        Expect.Equal(count++, tick.Number);
                    }
                });
                Expect.Equal(ErrorCode.DeadlineExceeded, late.Code);
            }
            Expect.True(count > 0, "no items");
        });
    }

    private async Task Metadata()
    {
        using Binding binding = _open(_options with { Metadata = new Dictionary<string, string> { ["x-answer"] = "é" } });
        var answers = new List<Answer>();
        var keeping = new CallOptions { OnAnswer = answers.Add };
        Expect.Equal(3, new StreamsClient(binding).Ticks(3, keeping).Count());
        Expect.Equal(3, (await ToListAsync(new StreamsClient(binding).TicksAsync(3, keeping))).Count);
        Expect.Equal(2, answers.Count, "answers");
        foreach (Answer answer in answers)
        {
            Expect.Equal("é", answer.Metadata.GetValueOrDefault("x-answer"), "metadata");
        }
        Expect.Equal(3, _streams.Ticks(3, keeping).Count());
        Expect.Equal(0, answers[2].Metadata.Count, "pairs");
    }

    private async Task Source()
    {
        static IEnumerable<long> Failing() => Enumerable.Range(0, 100).Select(i => i < 10 ? (long)i : throw new FormatException("the source fails"));
        await After(() => Expect.Throws<FormatException>(() => _streams.Sum(Failing())));
        await After(() => Expect.ThrowsAsync<FormatException>(async () => await _streams.SumAsync(Slowly(Failing()))));
    }

    private Task After(Action call) => After(() => Task.Run(call));

    // The same binding carries other calls afterwards.
    private async Task After(Func<Task> call)
    {
        await call();
        Expect.Equal(3L, _echo.Add(1, 2));
        Expect.Equal(3L, await _echo.AddAsync(1, 2));
    }
}
