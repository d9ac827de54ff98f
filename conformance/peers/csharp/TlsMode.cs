using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;
using Conformance.Matrix;
using Creo;

namespace Conformance.Peer;

/// <summary>Runs the scenarios over TLS of conformance/scenarios.md.</summary>
public static class TlsMode
{
    private static readonly string[] Names = ["echo", "declared-exception", "big-response", "big-request", "parallel", "deadline", "async", "streams", "streams-talk"];

    public static Task<bool> Run(string host, int port, string vectors, string certificates, int plainPort)
    {
        ClientOptions trusting = Trusting(Path.Combine(certificates, "service.pem"));
        ClientOptions mistaken = Trusting(Path.Combine(certificates, "other.pem"));
        IEnumerable<(string Name, Func<Task> Run)> all = [.. new Scenarios(host, port, vectors, trusting).All, .. new StreamScenarios(host, port, trusting).All];
        IEnumerable<(string, Func<Task>)> good = all
            .Where(scenario => Names.Contains(scenario.Name))
            .Select(scenario => ($"tls-{scenario.Name}", scenario.Run));
        return ClientMode.Report(
        [
            .. good,
            ("tls-untrusted", () => Fails(ErrorCode.UntrustedPeer, "certificate", host, port, mistaken)),
            ("tls-wrong-name", () => Fails(ErrorCode.UntrustedPeer, "certificate", "127.0.0.1", port, trusting)),
            ("tls-plain-client", () => Fails(ErrorCode.ProtocolMismatch, "TLS", host, port, null)),
            ("tls-plain-service", () => Fails(ErrorCode.ProtocolMismatch, "TLS", host, plainPort, trusting)),
        ]);
    }

    /// <summary>A client that trusts the certificates of a file.</summary>
    public static ClientOptions Trusting(string path)
    {
        var roots = new X509Certificate2Collection();
        roots.ImportFromPemFile(path);
        return new ClientOptions { Tls = new TlsOptions { TrustedRoots = roots } };
    }

    private static async Task Fails(ErrorCode code, string text, string host, int port, ClientOptions? options)
    {
        using var client = new AnswerClient(host, port, options);
        CreoException blocking = Expect.Error(code, () => client.Answer());
        Expect.True(blocking.Message.Contains(text), blocking.Message);
        CreoException awaited = await Expect.ThrowsAsync<CreoException>(async () => await client.AnswerAsync());
        Expect.Equal(code, awaited.Code);
        Expect.True(awaited.Message.Contains(text), awaited.Message);
    }
}
