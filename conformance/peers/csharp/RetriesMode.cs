using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>Makes many calls with a retry policy, at one address or several, and says how they ended.</summary>
public static class RetriesMode
{
    public static async Task Run(TextReader input, TextWriter output)
    {
        while (await input.ReadLineAsync() is { } line)
        {
            using JsonDocument question = JsonDocument.Parse(line);
            await output.WriteLineAsync(JsonSerializer.Serialize(await Answer(question.RootElement)));
            await output.FlushAsync();
        }
    }

    private static async Task<object> Answer(JsonElement question)
    {
        TimeSpan Time(string name) => TimeSpan.FromMilliseconds(question.GetProperty(name).GetInt64());
        var policy = new RetryPolicy { Attempts = question.GetProperty("attempts").GetInt32(), BaseDelay = Time("baseDelay"), MaxDelay = Time("maxDelay") };
        string[] ports = question.GetProperty("ports").EnumerateArray().Select(port => port.ToString()).ToArray();
        bool isJson = question.GetProperty("wire").GetString() == "json";
        Binding Open(string port, ClientOptions? options = null) =>
            isJson ? new JsonBinding($"http://127.0.0.1:{port}/Ledger", options) : new TcpBinding("127.0.0.1", int.Parse(port, null), options);
        using Binding binding = ports.Length == 1
            ? Open(ports[0], new ClientOptions { Retry = policy })
            : new BalancedBinding(ports, port => Open(port)).WithRetry(policy);
        var client = new LedgerClient(binding);
        CallOptions within = CallOptions.Within(Time("deadline"));
        bool looks = question.GetProperty("method").GetString() == "look";
        bool isAsync = question.GetProperty("async").GetBoolean();
        int values = 0;
        var errors = new SortedDictionary<string, int>();
        for (long i = 0; i < question.GetProperty("calls").GetInt64(); i++)
        {
            string error = "wrong-value";
            try
            {
                long value = (looks, isAsync) switch
                {
                    (true, true) => await client.LookAsync(i, within),
                    (true, false) => client.Look(i, within),
                    (false, true) => await client.BookAsync(i, within),
                    (false, false) => client.Book(i, within),
                };
                if (value == i)
                {
                    values++;
                    continue;
                }
            }
            catch (CreoException e)
            {
                error = CodecMode.Word(e);
            }
            errors[error] = errors.GetValueOrDefault(error) + 1;
        }
        return new { values, errors };
    }
}
