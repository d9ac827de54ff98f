using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using Conformance.Matrix;
using Conformance.Values;
using Creo;

namespace Conformance.Peer;

/// <summary>Makes single calls, and says how each ended: for the cases of malformed/tcp-client and malformed/http-client.</summary>
public static class ProbeMode
{
    // More than a connection takes whose other side does not read.
    private static readonly string Long = new('x', 8_000_000);

    // What a stream sends.
    private static readonly long[] Numbers = [1, 2, 3];

    // The numbers of the items that the last call read.
    private static readonly List<long> Items = [];

    // The raw messages since they were last asked for.
    private static readonly List<object> Shown = [];

    public static async Task Run(TextReader input, TextWriter output)
    {
        Binding? binding = null;
        while (await input.ReadLineAsync() is { } line)
        {
            using JsonDocument question = JsonDocument.Parse(line);
            if (binding is null || question.RootElement.GetProperty("fresh").GetBoolean())
            {
                binding?.Dispose();
                binding = Connect(question.RootElement);
            }
            await output.WriteLineAsync(JsonSerializer.Serialize(await Answer(binding, question.RootElement)));
            await output.FlushAsync();
        }
        binding?.Dispose();
    }

    /// <summary>Without a wire: binary over TCP; tdxml-tcp: tables over TCP. Over HTTP a binding is that of one interface.</summary>
    private static Binding Connect(JsonElement question)
    {
        Limits limits = question.TryGetProperty("maxMessageSize", out JsonElement size) ? new Limits { MaxMessageSize = size.GetInt32() } : Limits.Default;
        if (question.TryGetProperty("connectTimeout", out JsonElement time))
        {
            limits = limits with { ConnectTimeout = TimeSpan.FromMilliseconds(time.GetInt64()) };
        }
        var options = new ClientOptions { Limits = limits };
        if (question.TryGetProperty("shown", out JsonElement max))
        {
            Shown.Clear();
            options = options with
            {
                RawMessages = Show,
                MaxRawBody = max.GetInt32(),
                Headers = new Dictionary<string, string> { ["X-Api-Key"] = "hunter2" },
                Metadata = new Dictionary<string, string> { ["my-token"] = "hunter2", ["authorization"] = "Bearer hunter2" },
            };
        }
        options = WithSession(options, question);
        int port = question.GetProperty("port").GetInt32();
        string service = question.GetProperty("method").GetString() switch { "add" => "Echo", "answer" => "Answer", "ask" or "mark" or "part" => "Careless", "ticks" or "stopping" or "sum" or "first" => "Streams", _ => "Trouble" };
        string url = $"http://127.0.0.1:{port}/{service}";
        return (question.TryGetProperty("wire", out JsonElement wire) ? wire.GetString() : null) switch
        {
            null => new TcpBinding("127.0.0.1", port, options),
            "tdxml-tcp" => new TcpBinding("127.0.0.1", port, options with { Wire = Wire.Tdxml }),
            "json" => new JsonBinding(url, options),
            "tdxml" => new TdxmlBinding(url, options),
            "tables" => new SoapBinding(url, options, new SoapOptions { Tables = TableOptions.Default }),
            _ => new SoapBinding(url, options, new SoapOptions
            {
                Lenient = question.TryGetProperty("lenient", out JsonElement lenient) && lenient.GetBoolean(),
                Understood = question.TryGetProperty("understood", out JsonElement names) ? names.GetString()!.Split(' ') : [],
            }),
        };
    }

    // HTTP-40 to HTTP-51
    private static ClientOptions WithSession(ClientOptions options, JsonElement question)
    {
        string[]? Pair(string name) => question.TryGetProperty(name, out JsonElement pair) ? pair.GetString()!.Split(':', 2) : null;
        (string[]? basic, string[]? digest) = (Pair("basic"), Pair("digest"));
        return options with
        {
            MaxRedirects = question.TryGetProperty("redirects", out JsonElement redirects) ? redirects.GetInt32() : 0,
            Cookies = question.TryGetProperty("cookies", out JsonElement cookies) && cookies.GetBoolean(),
            Basic = basic is null ? null : new BasicCredentials(basic[0], basic[1]),
            Digest = digest is null ? null : new DigestCredentials(digest[0], digest[1]),
            BearerToken = question.TryGetProperty("bearer", out JsonElement bearer) ? bearer.GetString() : null,
        };
    }

    private static void Show(RawMessage message)
    {
        Shown.Add(new Dictionary<string, object?>
        {
            ["sent"] = message.IsSent, ["answer"] = message.IsAnswer, ["method"] = message.Method, ["status"] = message.Status, ["length"] = message.Length,
            ["hidden"] = message.Hidden, ["body"] = Convert.ToHexString(message.Body.Span).ToLowerInvariant(), ["text"] = message.ToText(),
            ["indented"] = message.ToText(indented: true), ["headers"] = message.Headers.Select(static field => new[] { field.Key, field.Value }).ToArray(),
        });
        throw new InvalidOperationException("what a hook throws changes nothing (CALL-67)");
    }

    private static async Task<Dictionary<string, object?>> Answer(Binding binding, JsonElement question)
    {
        CallOptions options = CallOptions.Within(TimeSpan.FromMilliseconds(question.GetProperty("deadline").GetInt64()));
        string method = question.GetProperty("method").GetString()!;
        if (method == "shown")
        {
            object[] shown = [.. Shown];
            Shown.Clear();
            return new() { ["shown"] = shown };
        }
        Items.Clear();
        Dictionary<string, object?> outcome = await Outcome(binding, question, method, options);
        if (method is "ticks" or "stopping")
        {
            outcome["items"] = string.Join(',', Items);
        }
        return outcome;
    }

    private static async Task<Dictionary<string, object?>> Outcome(Binding binding, JsonElement question, string method, CallOptions options)
    {
        try
        {
            bool isAsync = question.GetProperty("async").GetBoolean();
            return new() { ["value"] = isAsync ? await CallAsync(binding, method, options) : Call(binding, method, options) };
        }
        catch (NotFoundException)
        {
            return new() { ["exception"] = "not-found" };
        }
        catch (RefusedException)
        {
            return new() { ["exception"] = "refused" };
        }
        catch (StoppedException)
        {
            return new() { ["exception"] = "stopped" };
        }
        catch (CreoException e)
        {
            return new()
            {
                ["error"] = CodecMode.Word(e), ["place"] = e.Place, ["offset"] = e.Offset, ["fromPeer"] = e.FromPeer, ["message"] = e.Message, ["details"] = e.Details,
                ["limit"] = e.Details.GetValueOrDefault("limit"), ["allowed"] = e.Details.GetValueOrDefault("allowed"),
            };
        }
        catch (Exception e)
        {
            // A defect of this language: it is the harness that says so.
            return new() { ["defect"] = e.ToString() };
        }
    }

#pragma warning disable CS0618 // One of the methods is obsolete.
    private static string Call(Binding binding, string method, CallOptions options)
    {
        var trouble = new TroubleClient(binding);
        var streams = new StreamsClient(binding);
        switch (method)
        {
            case "add": return new EchoClient(binding).Add(1, 2, options).ToString(null, null);
            case "answer": return new AnswerClient(binding).Answer(options).ToString(null, null);
            case "fail": return trouble.Fail("fine", options);
            case "long": return trouble.Fail(Long, options);
            case "bytes": return Convert.ToHexString(trouble.Bytes(4, options).Span).ToLowerInvariant();
            case "blocks": return trouble.Blocks(2, options).Count.ToString(null, null);
            case "ask": return Encoding.UTF8.GetString(LooseText.ToJson(new CarelessClient(binding).Ask(options)));
            case "mark": return Encoding.UTF8.GetString(MarkedText.ToJson(new CarelessClient(binding).Mark(options)));
            case "part": return Encoding.UTF8.GetString(PartedText.ToJson(new CarelessClient(binding).Part(options)));
            case "old": trouble.Old(options); return "";
            case "note": trouble.Note("fine", options); return "";
            case "ticks":
            case "stopping":
                foreach (long number in method == "ticks" ? streams.Ticks(3, options).Select(static tick => tick.Number) : streams.Stopping(3, options))
                {
                    Items.Add(number);
                }
                return "";
            case "sum": return streams.Sum(Numbers, options).ToString(null, null);
            case "first": return streams.First(2, Numbers, options).ToString(null, null);
            default: throw new ArgumentException($"no method {method}");
        }
    }

    private static async IAsyncEnumerable<long> NumbersAsync()
    {
        foreach (long number in Numbers)
        {
            await Task.Yield();
            yield return number;
        }
    }

    private static async Task<string> CallAsync(Binding binding, string method, CallOptions options)
    {
        var trouble = new TroubleClient(binding);
        var streams = new StreamsClient(binding);
        switch (method)
        {
            case "add": return (await new EchoClient(binding).AddAsync(1, 2, options)).ToString(null, null);
            case "answer": return (await new AnswerClient(binding).AnswerAsync(options)).ToString(null, null);
            case "fail": return await trouble.FailAsync("fine", options);
            case "long": return await trouble.FailAsync(Long, options);
            case "bytes": return Convert.ToHexString((await trouble.BytesAsync(4, options)).Span).ToLowerInvariant();
            case "blocks": return (await trouble.BlocksAsync(2, options)).Count.ToString(null, null);
            case "ask": return Encoding.UTF8.GetString(LooseText.ToJson(await new CarelessClient(binding).AskAsync(options)));
            case "mark": return Encoding.UTF8.GetString(MarkedText.ToJson(await new CarelessClient(binding).MarkAsync(options)));
            case "part": return Encoding.UTF8.GetString(PartedText.ToJson(await new CarelessClient(binding).PartAsync(options)));
            case "old": await trouble.OldAsync(options); return "";
            case "note": await trouble.NoteAsync("fine", options); return "";
            case "ticks":
                await foreach (Tick tick in streams.TicksAsync(3, options))
                {
                    Items.Add(tick.Number);
                }
                return "";
            case "stopping":
                await foreach (long number in streams.StoppingAsync(3, options))
                {
                    Items.Add(number);
                }
                return "";
            case "sum": return (await streams.SumAsync(NumbersAsync(), options)).ToString(null, null);
            case "first": return (await streams.FirstAsync(2, NumbersAsync(), options)).ToString(null, null);
            default: throw new ArgumentException($"no method {method}");
        }
    }
#pragma warning restore CS0618
}
