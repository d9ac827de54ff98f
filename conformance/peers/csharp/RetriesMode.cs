using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>Makes many calls with a retry policy, at one address or several, and says how they ended.</summary>
public static class RetriesMode
{
    public static async Task Run(TextReader input, TextWriter output)
    {
        // That of hedged calls, which stays open until the next question: its end would hide which attempts were cancelled.
        Binding? kept = null;
        while (await input.ReadLineAsync() is { } line)
        {
            kept?.Dispose();
            using JsonDocument question = JsonDocument.Parse(line);
            Witness? witness = question.RootElement.TryGetProperty("witness", out _) ? new Witness() : null;
            Binding binding = Open(question.RootElement, witness);
            await output.WriteLineAsync(JsonSerializer.Serialize(await Answer(question.RootElement, binding, witness)));
            await output.FlushAsync();
            kept = binding;
            if (witness is null)
            {
                binding.Dispose();
            }
        }
        kept?.Dispose();
    }

    private static TimeSpan Time(JsonElement question, string name) => TimeSpan.FromMilliseconds(question.GetProperty(name).GetInt64());

    private static Binding Open(JsonElement question, Witness? witness)
    {
        var policy = new RetryPolicy
        {
            Attempts = question.GetProperty("attempts").GetInt32(),
            BaseDelay = Time(question, "baseDelay"),
            MaxDelay = Time(question, "maxDelay"),
            HedgeAfter = question.TryGetProperty("hedgeAfter", out _) ? Time(question, "hedgeAfter") : null,
        };
        string[] ports = question.GetProperty("ports").EnumerateArray().Select(port => port.ToString()).ToArray();
        if (ports.Length == 1)
        {
            return Open(question, ports[0], new ClientOptions { Retry = policy, Interceptors = witness is null ? [] : [witness] });
        }
        Binding binding = new BalancedBinding(ports, port => Open(question, port, null)).WithRetry(policy);
        return witness is null ? binding : new Witnessed(binding, witness);
    }

    private static Binding Open(JsonElement question, string port, ClientOptions? options) =>
        question.GetProperty("wire").GetString() == "json"
            ? new JsonBinding($"http://127.0.0.1:{port}/Ledger", options)
            : new TcpBinding("127.0.0.1", int.Parse(port, null), options);

    private static async Task<object> Answer(JsonElement question, Binding binding, Witness? witness)
    {
        int values = 0;
        var errors = new SortedDictionary<string, int>();
        var seen = new List<object>();
        for (long i = 0; i < question.GetProperty("calls").GetInt64(); i++)
        {
            (string end, CreoException? error) = await Call(question, new LedgerClient(binding), witness, i);
            if (end == "value")
            {
                values++;
            }
            else
            {
                errors[end] = errors.GetValueOrDefault(end) + 1;
            }
            if (witness is not null)
            {
                seen.Add(witness.Saw(end, error));
            }
        }
        return witness is null ? new { values, errors } : new { values, errors, seen };
    }

    private static async Task<(string End, CreoException? Error)> Call(JsonElement question, LedgerClient client, Witness? witness, long number)
    {
        var options = new CallOptions { Deadline = Time(question, "deadline"), OnAnswer = witness is null ? null : witness.Answered };
        bool looks = question.GetProperty("method").GetString() == "look";
        try
        {
            long value;
            if (!question.GetProperty("async").GetBoolean())
            {
                value = looks ? client.Look(number, options) : client.Book(number, options);
            }
            else
            {
                using var cancel = new CancellationTokenSource();
                ValueTask<long> call = looks ? client.LookAsync(number, options, cancel.Token) : client.BookAsync(number, options, cancel.Token);
                if (question.TryGetProperty("cancel", out JsonElement cancels) && cancels.GetBoolean())
                {
                    // The host answers another call when all attempts of this one have come.
                    using Binding other = Open(question, question.GetProperty("ports")[0].ToString(), null);
                    await new LedgerClient(other).LookAsync(number + 1);
                    cancel.Cancel();
                }
                value = await call;
            }
            return (value == number ? "value" : "wrong-value", null);
        }
        catch (CreoException e)
        {
            return (CodecMode.Word(e), e);
        }
        catch (OperationCanceledException)
        {
            return ("cancelled", null);
        }
    }

    /// <summary>Sees what the program learns of a hedged call besides its end.</summary>
    private sealed class Witness : IInterceptor
    {
        private int _begun;
        private int _ended;
        private Answer? _answer;

        public void Answered(Answer answer) => _answer = answer;

        public void Began() => Interlocked.Increment(ref _begun);

        public void Ended() => Interlocked.Increment(ref _ended);

        public Action<Outcome>? Begin(OutgoingCall call)
        {
            Began();
            return _ => Ended();
        }

        /// <summary>What was seen of the last call; forgets it.</summary>
        public object Saw(string end, CreoException? error)
        {
            object saw = new
            {
                end,
                answer = _answer?.Metadata.GetValueOrDefault("attempt"),
                attempts = error?.Details.GetValueOrDefault("attempts"),
                started = error?.Details.GetValueOrDefault("started"),
                begun = _begun,
                ended = _ended,
            };
            (_begun, _ended, _answer) = (0, 0, null);
            return saw;
        }
    }

    /// <summary>Shows the calls of a binding to a witness, as its caller makes them: interceptors of addresses see what goes to each.</summary>
    private sealed class Witnessed(Binding inner, Witness witness) : Binding
    {
        public override TResult Call<TArguments, TResult>(Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null)
        {
            witness.Began();
            try
            {
                return inner.Call(method, arguments, options);
            }
            finally
            {
                witness.Ended();
            }
        }

        public override async ValueTask<TResult> CallAsync<TArguments, TResult>(
            Method<TArguments, TResult> method, TArguments arguments, CallOptions? options = null, CancellationToken cancellationToken = default)
        {
            witness.Began();
            try
            {
                return await inner.CallAsync(method, arguments, options, cancellationToken);
            }
            finally
            {
                witness.Ended();
            }
        }

        public override void Dispose() => inner.Dispose();
    }
}
