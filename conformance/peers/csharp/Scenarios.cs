using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Conformance.Matrix;
using Conformance.Values;
using Creo;

namespace Conformance.Peer;

/// <summary>The scenarios, by the words of conformance/scenarios.md.</summary>
public sealed class Scenarios
{
    private readonly string _host;
    private readonly int _port;
    private readonly string _vectors;
    private readonly string _form;
    private readonly ClientOptions _options;
    private readonly Func<string, ClientOptions, Binding> _open;
    private readonly EchoClient _echo;
    private readonly TroubleClient _trouble;

    public Scenarios(string host, int port, string vectors, ClientOptions? options = null, string form = "codec")
        : this((_, own) => new TcpBinding(host, port, own), vectors, options, form)
    {
        _host = host;
        _port = port;
    }

    /// <summary>Scenarios over bindings to a service by its name, with options; the vectors are of a form.</summary>
    public Scenarios(Func<string, ClientOptions, Binding> open, string vectors, ClientOptions? options = null, string form = "codec")
    {
        _host = "";
        _form = form;
        _vectors = vectors;
        _options = options ?? ClientOptions.Default;
        _open = open;
        _echo = new EchoClient(open("Echo", _options));
        _trouble = new TroubleClient(open("Trouble", _options));
        All =
        [
            ("echo", Sync(() => EchoVectors.Run(_echo, _vectors, _form))),
            ("several", Sync(Several)),
            ("add", Sync(() => Expect.Equal(9223372036854775806, _echo.Add(-1, 9223372036854775807)))),
            ("maybe", Sync(Maybe)),
            ("declared-exception", Sync(DeclaredException)),
            ("hidden-failure", Sync(HiddenFailure)),
            ("own-error", Sync(OwnError)),
            ("after-errors", Sync(() => Expect.Equal("fine", _trouble.Fail("fine")))),
            ("unknown-method", Sync(UnknownMethod)),
            ("deadline", DeadlineEnds),
            ("cancel", Cancel),
            ("oneway", Sync(Oneway)),
            ("second-service", Sync(SecondService)),
            ("metadata", Sync(Metadata)),
            ("answer-metadata", AnswerMetadata),
            ("interceptors", Interceptors),
            ("invalid-value", Sync(InvalidValue)),
            ("too-large", TooLarge),
            ("big-response", Sync(BigResponse)),
            ("big-request", BigRequest),
            ("parallel", Parallel),
            ("async", Asynchronous),
            ("reconnect", () => Troubles.Reconnect(_host, _port, At)),
            ("refused", Sync(() => Troubles.Refused(At))),
            ("wrong-protocol", () => Troubles.WrongProtocol(At, Troubles.Http)),
        ];
    }

    public IReadOnlyList<(string Name, Func<Task> Run)> All { get; }

    private Binding At(int port) => new TcpBinding("127.0.0.1", port, _options);

    private static Func<Task> Sync(Action action) => () => Task.Run(action);

    private void Several()
    {
        string With(string? maybe) => _echo.Several(
            7, "x", new[] { 1.5, 2.5 }, new Point { X = 1, Y = 2 }, new Conformance.Other.Point { Column = 3, Row = 4 }, maybe, Colour.Blue);
        Expect.Equal("7 x 4.0 1.0 2.0 3 4 - BLUE", With(null));
        Expect.Equal("7 x 4.0 1.0 2.0 3 4 m BLUE", With("m"));
    }

    private void Maybe()
    {
        Expect.Equal(null, _echo.Maybe(null));
        Expect.Equal("", _echo.Maybe(""));
    }

    private void DeclaredException()
    {
        NotFoundException notFound = Expect.Throws<NotFoundException>(() => _trouble.Fail("not-found"));
        Expect.Equal("not-found", notFound.Description);
        Expect.Equal([1, 2, 3], notFound.Tried);
        RefusedException refused = Expect.Throws<RefusedException>(() => _trouble.Fail("refused"));
        Expect.Equal("refused", refused.Reason);
        Expect.Equal(30, refused.RetryAfter);
    }

    private void HiddenFailure()
    {
        CreoException error = Expect.Error(ErrorCode.Internal, () => _trouble.Fail("internal"));
        Expect.True(!error.Message.Contains("secret") && !error.Message.Contains("Exception"), $"the failure shows: {error.Message}");
        Expect.True(error.FromPeer, "the error came from the peer");
    }

    private void OwnError()
    {
        CreoException error = Expect.Error(ErrorCode.PermissionDenied, () => _trouble.Fail("denied"));
        Expect.Equal("not you", error.Text);
    }

    private void UnknownMethod()
    {
        using var client = new Conformance.Changed.AnswerClient(_host, _port, _options);
        CreoException error = Expect.Error(ErrorCode.UnknownMethod, () => client.Answer());
        foreach (ulong fingerprint in new[] { Conformance.Changed.AnswerMethods.Service.Fingerprint, AnswerMethods.Service.Fingerprint })
        {
            Expect.True(error.Message.Contains($"{fingerprint:x16}"), $"no {fingerprint:x16} in {error.Message}");
        }
        Expect.True(error.Message.Contains("conformance.matrix.Answer"), error.Message);
    }

    private async Task DeadlineEnds()
    {
        CallOptions soon = CallOptions.Within(TimeSpan.FromMilliseconds(100));
        var time = Stopwatch.StartNew();
        Expect.Error(ErrorCode.DeadlineExceeded, () => _trouble.Sleep(60_000, soon));
        Expect.Equal(3L, _echo.Add(1, 2));
        CreoException error = await Expect.ThrowsAsync<CreoException>(async () => await _trouble.SleepAsync(60_000, soon));
        Expect.Equal(ErrorCode.DeadlineExceeded, error.Code);
        Expect.Equal("fine", await _trouble.FailAsync("fine"));
        Expect.True(time.Elapsed < TimeSpan.FromSeconds(50), "the calls did not end at their deadline");
    }

    private async Task Cancel()
    {
        using var giveUp = new CancellationTokenSource();
        var time = Stopwatch.StartNew();
        ValueTask<int> call = _trouble.SleepAsync(5000, null, giveUp.Token);
        giveUp.CancelAfter(100);
        await Expect.ThrowsAsync<OperationCanceledException>(async () => await call);
        Expect.True(time.Elapsed < TimeSpan.FromSeconds(4), "the call did not end at once");
        Expect.Equal(1, await _trouble.SleepAsync(1));
    }

    private void Oneway()
    {
        string prefix = $"csharp-{Guid.NewGuid():n}-";
        _trouble.Note(prefix + "1");
        _trouble.Note(prefix + "2");
        ValueArray<string> expected = [prefix + "1", prefix + "2"];
        var time = Stopwatch.StartNew();
        while (true)
        {
            ValueArray<string> noted = _trouble.Noted(prefix);
            if (noted.Count >= 2 || time.Elapsed > TimeSpan.FromMinutes(1))
            {
                Expect.Equal(expected, noted);
                return;
            }
            Thread.Sleep(10);
        }
    }

    private void SecondService()
    {
        using Binding binding = _open("Answer", _options);
        using var client = new AnswerClient(binding);
        new AnswerClient(binding).Dispose();
        ValueTask closing = new AnswerClient(binding).DisposeAsync();
        Expect.True(closing.IsCompletedSuccessfully, "a client waits for a binding that it does not close");
        Expect.Equal(42, client.Answer());
    }

    private void Metadata()
    {
        ClientOptions options = _options with { Metadata = new Dictionary<string, string> { ["x-test"] = "é", ["traceparent"] = "00-a" } };
        using Binding binding = _open("Trouble", options);
        using var client = new TroubleClient(binding);
        ValueMap<string, string> seen = client.Metadata();
        Expect.Equal("é", seen["x-test"]);
        Expect.Equal("00-a", seen["traceparent"]);
    }

    private async Task AnswerMetadata()
    {
        ClientOptions options = _options with { Metadata = new Dictionary<string, string> { ["x-answer"] = "é" } };
        using Binding echoes = _open("Echo", options);
        using Binding troubles = _open("Trouble", options);
        var echo = new EchoClient(echoes);
        var trouble = new TroubleClient(troubles);
        var answers = new List<Answer>();
        var keeping = new CallOptions { OnAnswer = answers.Add };
        Expect.Equal(3L, echo.Add(1, 2, keeping));
        Expect.Throws<NotFoundException>(() => trouble.Fail("not-found", keeping));
        Expect.Error(ErrorCode.PermissionDenied, () => trouble.Fail("denied", keeping));
        Expect.Equal(3L, await echo.AddAsync(1, 2, keeping));
        Expect.Equal(4, answers.Count, "answers");
        string[] methods = ["add", "fail", "fail", "add"];
        for (int i = 0; i < answers.Count; i++)
        {
            Expect.Equal("é", answers[i].Metadata.GetValueOrDefault("x-answer"), $"metadata of answer {i}");
            Expect.Equal(1, answers[i].Metadata.Count, $"pairs of answer {i}");
            if (echoes is HttpBinding)
            {
                Expect.Equal(methods[i], answers[i].Header("X-Answered"), $"header of answer {i}");
                // An error of JSON has a status of its own.
                Expect.True(i is 1 or 2 ? answers[i].Status is >= 200 and < 600 : answers[i].Status == 200, $"status {answers[i].Status} of answer {i}");
            }
            else
            {
                Expect.Equal(0, answers[i].Status, $"status of answer {i}");
            }
        }
        _echo.Add(1, 2, keeping);
        Expect.Equal(0, answers[^1].Metadata.Count, "pairs without a question");
    }

    private async Task Interceptors()
    {
        var told = new List<string>();
        var first = new Told("first", told);
        var second = new Told("second", told);
        using Binding binding = _open("Trouble", _options with { Interceptors = [first, second] });
        var trouble = new TroubleClient(binding);
        ValueMap<string, string> seen = trouble.Metadata();
        Expect.Equal("1 2", $"{seen["x-first"]} {seen["x-second"]}", "metadata");
        Expect.Throws<NotFoundException>(() => trouble.Fail("not-found"));
        Expect.Error(ErrorCode.PermissionDenied, () => trouble.Fail("denied"));
        CreoException late = await Expect.ThrowsAsync<CreoException>(async () => await trouble.SleepAsync(5000, CallOptions.Within(TimeSpan.FromMilliseconds(100))));
        Expect.Equal(ErrorCode.DeadlineExceeded, late.Code);
        foreach ((string method, string outcome) in new[]
        {
            ("metadata", "result"), ("fail", "NotFoundException"), ("fail", "permission-denied"), ("sleep", "deadline-exceeded"),
        })
        {
            Expect.Equal($"first begins {method}, second begins {method}, second ends {outcome}, first ends {outcome}", string.Join(", ", told.Take(4)), "order");
            told.RemoveRange(0, 4);
        }
        Expect.Equal(0, told.Count, "told twice");
        second.Refuses = true;
        string prefix = $"csharp-{Guid.NewGuid():n}-";
        Expect.Error(ErrorCode.PermissionDenied, () => trouble.Note(prefix + "refused"));
        Expect.Equal("first begins note, second begins note, first ends permission-denied", string.Join(", ", told), "refused");
        second.Refuses = false;
        Expect.Equal(0, trouble.Noted(prefix).Count, "the service has seen the call");
    }

    private sealed class Told(string name, List<string> told) : IInterceptor
    {
        public bool Refuses { get; set; }

        public Action<Outcome>? Begin(OutgoingCall call)
        {
            told.Add($"{name} begins {call.Method}");
            Expect.Equal("conformance.matrix.Trouble", call.Interface, "interface");
            if (Refuses)
            {
                throw new CreoException(ErrorCode.PermissionDenied, "not now");
            }
            var pairs = new Dictionary<string, string>(call.Options.Metadata ?? new Dictionary<string, string>()) { [$"x-{name}"] = name == "first" ? "1" : "2" };
            call.Options = call.Options with { Metadata = pairs };
            return outcome => told.Add($"{name} ends {outcome}");
        }
    }

    private void InvalidValue()
    {
        Primitives value = new()
        {
            Flag = false, Tiny = 0, Small = 0, Letter = 'a', Number = 0, Big = 0, Single = 0, Real = 0, Text = "\ud800", Instant = default, Amount = 0,
        };
        CreoException error = Expect.Error(ErrorCode.InvalidValue, () => _echo.Primitives(value));
        Expect.Equal("$.value.text", error.Place);
        Expect.Equal(value with { Text = "fine" }, _echo.Primitives(value with { Text = "fine" }));
    }

    private async Task TooLarge()
    {
        using Binding binding = _open("Trouble", _options with { Limits = new Limits { MaxMessageSize = 100_000 } });
        using var client = new TroubleClient(binding);
        CreoException error = Expect.Error(ErrorCode.TooLarge, () => client.Bytes(1_000_000));
        Expect.Equal("maxMessageSize", error.Details["limit"]);
        Expect.Equal("100000", error.Details["allowed"]);
        Expect.Equal(10, client.Bytes(10).Count);
        error = await Expect.ThrowsAsync<CreoException>(async () => await client.BytesAsync(1_000_000));
        Expect.Equal(ErrorCode.TooLarge, error.Code);
        Expect.Equal(10, (await client.BytesAsync(10)).Count);
    }

    private void BigResponse() => Check(_trouble.Blocks(300_000), _trouble.Bytes(10_000_000));

    private static void Check(ValueArray<Block> blocks, ValueArray<byte> bytes)
    {
        Expect.Equal(300_000, blocks.Count);
        for (int i = 0; i < blocks.Count; i++)
        {
            Expect.Equal(new Block { D = i / 2.0, S = unchecked((short)i) }, blocks[i], $"block {i}");
        }
        Expect.Equal(10_000_000, bytes.Count);
        for (int i = 0; i < bytes.Count; i++)
        {
            if (bytes[i] != (byte)i)
            {
                throw new UnexpectedException($"byte {i} is {bytes[i]}");
            }
        }
    }

    private async Task BigRequest()
    {
        byte[] data = new byte[10_000_000];
        long sum = 0;
        for (int i = 0; i < data.Length; i++)
        {
            data[i] = (byte)i;
            sum += data[i];
        }
        double[] numbers = [.. Enumerable.Range(0, 1_000_000).Select(i => (double)i)];
        Expect.Equal(sum, _trouble.Sum(data));
        Expect.Equal(499999500000.0, _trouble.Total(numbers));
        Expect.Equal(sum, await _trouble.SumAsync(data));
        // Once more in compressed form: the first call has shown that the service reads it.
        using var compressing = new TroubleClient(_open("Trouble", _options with { CompressFrom = 1000 }));
        Expect.Equal(0, compressing.Sleep(0));
        Expect.Equal(sum, compressing.Sum(data));
    }

    private async Task Parallel()
    {
        int[] answers = await Task.WhenAll(Enumerable.Range(0, 200).Select(i => _trouble.SleepAsync(i % 20).AsTask()));
        for (int i = 0; i < answers.Length; i++)
        {
            Expect.Equal(i % 20, answers[i], $"call {i}");
        }
        // And with threads that wait.
        await Task.WhenAll(Enumerable.Range(0, 20).Select(i => Task.Factory.StartNew(
            () =>
            {
                for (int n = 0; n < 10; n++)
                {
                    Expect.Equal((i + n) % 20, _trouble.Sleep((i + n) % 20));
                }
            },
            TaskCreationOptions.LongRunning)));
    }

    private async Task Asynchronous()
    {
        Expect.Equal(3L, await _echo.AddAsync(1, 2));
        NotFoundException notFound = await Expect.ThrowsAsync<NotFoundException>(async () => await _trouble.FailAsync("not-found"));
        Expect.Equal([1, 2, 3], notFound.Tried);
        Check(await _trouble.BlocksAsync(300_000), await _trouble.BytesAsync(10_000_000));
    }
}
