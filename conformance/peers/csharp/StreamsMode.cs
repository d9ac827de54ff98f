using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>Makes single calls with streams, and says what was read and how each ended.</summary>
public static class StreamsMode
{
    public static async Task Run(TextReader input, TextWriter output)
    {
        Binding? binding = null;
        while (await input.ReadLineAsync() is { } line)
        {
            using JsonDocument question = JsonDocument.Parse(line);
            if (binding is null || question.RootElement.GetProperty("fresh").GetBoolean())
            {
                binding?.Dispose();
                binding = new TcpBinding("127.0.0.1", question.RootElement.GetProperty("port").GetInt32());
            }
            object answer = await new OneStream(binding, question.RootElement).Answer();
            await output.WriteLineAsync(JsonSerializer.Serialize(answer));
            await output.FlushAsync();
        }
        binding?.Dispose();
    }

    private sealed class SourceException : Exception;

    private sealed class WrongValueException : Exception;

    private sealed class OneStream(Binding binding, JsonElement question)
    {
        private readonly StreamsClient _client = new(binding);
        private readonly string _method = question.GetProperty("method").GetString()!;
        private readonly long _count = question.GetProperty("count").GetInt64();
        private readonly long? _take = Number(question, "take");
        private readonly long? _failAfter = Number(question, "failAfter");
        private readonly int _pause = question.GetProperty("pause").GetInt32();

        // In lockstep, what the source waits for.
        private readonly SemaphoreSlim? _read = question.GetProperty("lockstep").GetBoolean() ? new SemaphoreSlim(1) : null;

        private long _items;
        private long _sum;
        private long _taken;

        private CallOptions? Options =>
            question.GetProperty("deadline").GetInt64() is > 0 and var milliseconds ? CallOptions.Within(TimeSpan.FromMilliseconds(milliseconds)) : null;

        public async Task<object> Answer()
        {
            string end;
            try
            {
                end = question.GetProperty("async").GetBoolean() ? await CallAsync() : await Task.Run(Call);
            }
            catch (StoppedException)
            {
                end = "declared";
            }
            catch (SourceException)
            {
                end = "source";
            }
            catch (WrongValueException)
            {
                end = "wrong-value";
            }
            catch (CreoException e)
            {
                end = CodecMode.Word(e);
            }
            return new { items = _items, sum = _sum, taken = Interlocked.Read(ref _taken), end };
        }

        private static long? Number(JsonElement question, string name) =>
            question.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetInt64() : null;

        private string Call()
        {
            switch (_method)
            {
                case "ticks": return Read(_client.Ticks(_count, Options), Ticked);
                case "stopping": return Read(_client.Stopping((int)_count, Options), Counted);
                case "talk": return Read(_client.Talk(Source(StreamScenarios.Tick), Options), Talked);
                case "sum": _sum = _client.Sum(Source(i => i), Options); return "value";
                case "first": _sum = _client.First(10, Source(i => i), Options); return "value";
                default: throw new ArgumentException($"no method {_method}");
            }
        }

        private async Task<string> CallAsync()
        {
            switch (_method)
            {
                case "ticks": return await ReadAsync(_client.TicksAsync(_count, Options), Ticked);
                case "stopping": return await ReadAsync(_client.StoppingAsync((int)_count, Options), Counted);
                case "talk": return await ReadAsync(_client.TalkAsync(SourceAsync(StreamScenarios.Tick), Options), Talked);
                case "sum": _sum = await _client.SumAsync(SourceAsync(i => i), Options); return "value";
                case "first": _sum = await _client.FirstAsync(10, SourceAsync(i => i), Options); return "value";
                default: throw new ArgumentException($"no method {_method}");
            }
        }

        private IEnumerable<T> Source<T>(Func<long, T> item)
        {
            for (long i = 0; i < _count; i++)
            {
                _read?.Wait();
                yield return Take(i, item);
            }
        }

        private async IAsyncEnumerable<T> SourceAsync<T>(Func<long, T> item)
        {
            for (long i = 0; i < _count; i++)
            {
                if (_read is not null)
                {
                    await _read.WaitAsync();
                }
                yield return Take(i, item);
            }
        }

        private T Take<T>(long i, Func<long, T> item)
        {
            if (i == _failAfter)
            {
                throw new SourceException();
            }
            Interlocked.Increment(ref _taken);
            return item(i);
        }

        private string Read<T>(IEnumerable<T> items, Func<T, long> number)
        {
            foreach (T item in items)
            {
                if (Keep(number(item)))
                {
                    return "closed";
                }
                Thread.Sleep(_pause);
                _read?.Release();
            }
            return "value";
        }

        private async Task<string> ReadAsync<T>(IAsyncEnumerable<T> items, Func<T, long> number)
        {
            await foreach (T item in items)
            {
                if (Keep(number(item)))
                {
                    return "closed";
                }
                if (_pause > 0)
                {
                    await Task.Delay(_pause);
                }
                _read?.Release();
            }
            return "value";
        }

        // Whether these are enough.
        private bool Keep(long number)
        {
            _items++;
            _sum += number;
            return _items == _take;
        }

        private long Ticked(Tick tick) => tick == StreamScenarios.Tick(_items) ? tick.Number : throw new WrongValueException();

        private long Counted(long number) => number == _items ? number : throw new WrongValueException();

        private long Talked(Tick tick) =>
            tick == StreamScenarios.Tick(_items) with { Number = 2 * _items } ? tick.Number : throw new WrongValueException();
    }
}
