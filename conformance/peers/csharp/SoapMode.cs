using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;
using Conformance.Matrix;
using Conformance.Values;
using Conformance.Xml;
using Creo;

namespace Conformance.Peer;

/// <summary>The scenarios over SOAP of conformance/scenarios.md: those of all bindings that make sense there, and some of its own.</summary>
public static class SoapMode
{
    private static readonly string[] Shared =
    [
        "echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error", "after-errors", "oneway", "second-service", "metadata",
        "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel",
    ];

    private static readonly SoapOptions Soap12 = new() { Version = SoapVersion.Soap12 };
    private static readonly ClientOptions Compressing = new() { CompressFrom = 1024 };

    public static Task<bool> Run(string url, string vectors)
    {
        var all = new Scenarios((service, options) => new SoapBinding($"{url}/{service}", options), vectors);
        List<(string Name, Func<Task> Run)> chosen = [.. all.All.Where(scenario => Shared.Contains(scenario.Name))];
        Binding Open(string service, SoapOptions? soap = null, ClientOptions? options = null) => new SoapBinding($"{url}/{service}", options, soap);
        void Add(string name, Action run) => chosen.Add((name, () => Task.Run(run)));
        Add("soap-12", () => Both(Open("Echo", Soap12), Open("Trouble", Soap12)));
        Add("gzip", () => Big(Open("Trouble", options: Compressing)));
        Add("mtom", () => Big(Open("Trouble", new SoapOptions { Mtom = true })));
        Add("mtom-12", () => Big(Open("Trouble", Soap12 with { Mtom = true }, Compressing)));
        chosen.Add(("partner", () => Partner(Open("Partner"), vectors)));
        chosen.Add(("partner-12", () => Partner(Open("Partner", Soap12), vectors)));
        Add("unknown-method", () => UnknownMethod(Open("Trouble")));
        Add("wrong-path", () => WrongPath(Open("Nowhere")));
        Add("refused", Refused);
        chosen.Add(("wrong-protocol", WrongProtocol));
        return ClientMode.Report(chosen);
    }

    private static void Both(Binding echoes, Binding troubles)
    {
        using var echo = new EchoClient(echoes);
        using var trouble = new TroubleClient(troubles);
        Expect.Equal(3L, echo.Add(1, 2));
        Expect.Error(ErrorCode.Internal, () => trouble.Fail("internal"));
        Expect.Equal("not you", Expect.Error(ErrorCode.PermissionDenied, () => trouble.Fail("denied")).Text);
        Expect.Equal("not-found", Expect.Throws<NotFoundException>(() => trouble.Fail("not-found")).Description);
    }

    private static void Big(Binding binding)
    {
        using var trouble = new TroubleClient(binding);
        byte[] data = [.. Enumerable.Range(0, 100_000).Select(i => (byte)i)];
        Expect.Equal(data.Sum(b => (long)b), trouble.Sum(data));
        Expect.True(trouble.Bytes(100_000).Span.SequenceEqual(data), "other bytes came back");
    }

    private static async Task Partner(Binding binding, string vectors)
    {
        await using var partner = new PartnerClient(binding);
        Named request = new() { First = "first", Second = "b", Third = "c", Id = 5, Language = "en" };
        Expect.Equal(7L, partner.Sum(3, 4));
        Expect.Equal(7L, await partner.SumAsync(3, 4));
        Expect.Equal(new Price { Currency = "first", Amount = 5 }, partner.Quote(request));
        MissingException missing = Expect.Throws<MissingException>(() => partner.Quote(request with { First = "missing", Language = null, Kind = "k" }));
        Expect.Equal(5, missing.Code);
        Expect.Equal("missing", missing.What);
        Expect.Equal("told", (await Expect.ThrowsAsync<ToldException>(async () => await partner.QuoteAsync(request with { First = "told" }))).Text);
        Expect.Equal("s n -", partner.Greet("s", "n", null));
        Expect.Equal("s n h", partner.Greet("s", "n", "h"));
        partner.Ping();
        partner.Notice("a text");
        await partner.NoticeAsync("a text");
        EchoVectors.Run(partner, vectors, "conformance.xml.");
    }

    private static void UnknownMethod(Binding binding)
    {
        using var echo = new EchoClient(binding);
        CreoException error = Expect.Error(ErrorCode.UnknownMethod, () => echo.Add(1, 2));
        Expect.True(error.Message.Contains("add"), error.Message);
    }

    private static void WrongPath(Binding binding)
    {
        using var echo = new EchoClient(binding);
        CreoException error = Expect.Error(ErrorCode.Unavailable, () => echo.Add(1, 2));
        Expect.True(error.Message.Contains("404"), error.Message);
    }

    private static void Refused()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        using var echo = new EchoClient(new SoapBinding($"http://127.0.0.1:{port}/Echo"));
        CreoException error = Expect.Error(ErrorCode.Unavailable, () => echo.Add(1, 2));
        Expect.True(error.Message.Contains($"127.0.0.1:{port}"), error.Message);
    }

    private static async Task WrongProtocol()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = Task.Run(async () =>
        {
            for (int i = 0; i < 2; i++)
            {
                using Socket socket = await listener.AcceptSocketAsync();
                await socket.ReceiveAsync(new byte[1000]);
                await socket.SendAsync(Encoding.ASCII.GetBytes("SSH-2.0-nothing\r\n\r\n"));
                socket.Shutdown(SocketShutdown.Send);
                while (await socket.ReceiveAsync(new byte[1000]) > 0)
                {
                    // The client closes.
                }
            }
        });
        using var echo = new EchoClient(new SoapBinding($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/Echo"));
        CreoException error = Expect.Error(ErrorCode.ProtocolMismatch, () => echo.Add(1, 2));
        Expect.True(error.Message.Contains("HTTP"), error.Message);
        error = await Expect.ThrowsAsync<CreoException>(async () => await echo.AddAsync(1, 2));
        Expect.Equal(ErrorCode.ProtocolMismatch, error.Code);
        await serving;
    }
}
