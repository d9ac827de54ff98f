using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Conformance.Matrix;
using Conformance.Values;
using Conformance.Xml;
using Creo;

namespace Conformance.Peer;

/// <summary>The scenarios over HTTP of conformance/scenarios.md: those of all bindings that make sense there, and some of each wire's own.</summary>
public static class HttpMode
{
    internal static readonly string[] Shared =
    [
        "echo", "several", "add", "maybe", "declared-exception", "hidden-failure", "own-error", "after-errors", "oneway", "second-service", "metadata",
        "answer-metadata", "interceptors", "invalid-value", "big-response", "big-request", "async", "deadline", "cancel", "too-large", "parallel",
    ];

    private static readonly TableOptions[] Aggregated = [new() { Scheme = TableScheme.Aggregated }];
    private static readonly TableOptions[] WithSchema = [new() { HasSchema = true }, new() { HasSchema = true, Scheme = TableScheme.Aggregated }];
    internal static readonly SoapOptions Soap12 = new() { Version = SoapVersion.Soap12 };
    private static readonly SoapOptions Tables = new() { Tables = TableOptions.Default };
    internal static readonly ClientOptions Compressing = new() { CompressFrom = 1024 };

    public static Task<bool> Soap(string url, string vectors)
    {
        Binding Open(string service, SoapOptions soap) => new SoapBinding($"{url}/{service}", null, soap);
        List<(string Name, Func<Task> Run)> chosen = Of(url, vectors, "soap", static (url, options) => new SoapBinding(url, options), "404");
        Add(chosen, "soap-12", () => Both(Open("Echo", Soap12), Open("Trouble", Soap12)));
        Add(chosen, "mtom", () => Big(Open("Trouble", new SoapOptions { Mtom = true })));
        Add(chosen, "mtom-12", () => Big(new SoapBinding($"{url}/Trouble", Compressing, Soap12 with { Mtom = true })));
        chosen.Add(("partner-12", () => Partner(Open("Partner", Soap12), vectors, "soap")));
        return ClientMode.Report(chosen);
    }

    public static Task<bool> Json(string url, string vectors)
    {
        var streams = new StreamScenarios(options => new JsonBinding($"{url}/Streams", options), ClientOptions.Default, new JsonBinding($"{url}/Echo"));
        return ClientMode.Report(
        [
            .. Of(url, vectors, "json", static (url, options) => new JsonBinding(url, options), "404", "Nowhere"),
            .. streams.AsLines,
        ]);
    }

    public static Task<bool> TablesInSoap(string url, string vectors)
    {
        Binding Open(string service, SoapOptions soap) => new SoapBinding($"{url}/{service}", null, soap);
        List<(string Name, Func<Task> Run)> chosen = Of(url, vectors, "tdxml", static (url, options) => new SoapBinding(url, options, Tables), "404");
        AddTables(chosen, (service, tables) => Open(service, new SoapOptions { Tables = tables }));
        Add(chosen, "soap-12", () => Both(Open("Echo", Soap12 with { Tables = TableOptions.Default }), Open("Trouble", Soap12 with { Tables = TableOptions.Default })));
        Add(chosen, "mtom", () => Big(Open("Trouble", Tables with { Mtom = true })));
        return ClientMode.Report(chosen);
    }

    public static Task<bool> Tdxml(string url, string vectors)
    {
        List<(string Name, Func<Task> Run)> chosen = Of(url, vectors, "tdxml", static (url, options) => new TdxmlBinding(url, options), "404", "Nowhere");
        AddTables(chosen, (service, tables) => new TdxmlBinding($"{url}/{service}", null, new TdxmlOptions { Tables = tables }));
        Add(chosen, "packages", () => Big(new TdxmlBinding($"{url}/Trouble", null, new TdxmlOptions { Packages = true })));
        return ClientMode.Report(chosen);
    }

    public static Task<bool> TdxmlTcp(string host, int port, string vectors)
    {
        List<(string Name, Func<Task> Run)> chosen = [.. new Scenarios(host, port, vectors, new ClientOptions { Wire = Wire.Tdxml }, "tdxml").All];
        AddTables(chosen, (_, tables) => new TcpBinding(host, port, new ClientOptions { Wire = Wire.Tdxml, Tables = tables }));
        return ClientMode.Report(chosen);
    }

    /// <summary>Those over TLS.</summary>
    public static Task<bool> Tls(string url, string vectors, string certificates, string plainUrl)
    {
        string[] names = ["echo", "declared-exception", "big-response", "parallel", "async", "gzip"];
        ClientOptions trusting = TlsMode.Trusting(Path.Combine(certificates, "service.pem"));
        ClientOptions mistaken = TlsMode.Trusting(Path.Combine(certificates, "other.pem"));
        List<(string Name, Func<Task> Run)> chosen =
        [
            .. Of(url, vectors, "soap", (url, options) => new SoapBinding(url, options with { Tls = trusting.Tls }), "404").Where(scenario => names.Contains(scenario.Name)),
        ];
        Add(chosen, "json", () => Short(service => new JsonBinding($"{url}/{service}", trusting)));
        Add(chosen, "tdxml", () => Short(service => new TdxmlBinding($"{url}/{service}", trusting)));
        chosen.Add(("untrusted", () => Fails(new SoapBinding($"{url}/Answer", mistaken), "certificate", ErrorCode.UntrustedPeer)));
        chosen.Add(("wrong-name", () => Fails(new SoapBinding($"{url.Replace("localhost", "127.0.0.1")}/Answer", trusting), "certificate", ErrorCode.UntrustedPeer)));
        chosen.Add(("plain-client", () => Fails(new SoapBinding($"{url.Replace("https:", "http:")}/Answer"), "", ErrorCode.ProtocolMismatch, ErrorCode.Unavailable)));
        // A service that waits for more of a request says nothing to a handshake.
        ClientOptions impatient = trusting with { Limits = new Limits { ConnectTimeout = TimeSpan.FromSeconds(2) } };
        chosen.Add(("plain-service", () => Fails(new SoapBinding($"{plainUrl.Replace("http:", "https:")}/Answer", impatient), "", ErrorCode.ProtocolMismatch, ErrorCode.Unavailable)));
        return ClientMode.Report(chosen);
    }

    // What every wire over HTTP does; the vectors are of a form. The message of a wrong path says one of some texts.
    private static List<(string Name, Func<Task> Run)> Of(
        string url, string vectors, string form, Func<string, ClientOptions, Binding> open, params string[] wrongPath)
    {
        Binding Open(string service, ClientOptions? options = null) => open($"{url}/{service}", options ?? ClientOptions.Default);
        var all = new Scenarios((service, options) => Open(service, options), vectors, form: form);
        List<(string Name, Func<Task> Run)> chosen = [.. all.All.Where(scenario => Shared.Contains(scenario.Name))];
        Add(chosen, "gzip", () => Big(Open("Trouble", Compressing)));
        chosen.Add(("partner", () => Partner(Open("Partner"), vectors, form)));
        Add(chosen, "unknown-method", () => UnknownMethod(Open("Trouble")));
        Add(chosen, "wrong-path", () => WrongPath(Open("Nowhere"), wrongPath));
        Binding At(int port) => open($"http://127.0.0.1:{port}/Echo", ClientOptions.Default);
        Add(chosen, "refused", () => Troubles.Refused(At));
        chosen.Add(("wrong-protocol", () => Troubles.WrongProtocol(At, Troubles.Ssh)));
        return chosen;
    }

    private static void Add(List<(string Name, Func<Task> Run)> chosen, string name, Action run) => chosen.Add((name, () => Task.Run(run)));

    internal static void AddTables(List<(string Name, Func<Task> Run)> chosen, Func<string, TableOptions, Binding> open)
    {
        foreach ((string name, TableOptions[] all) in new[] { ("aggregated", Aggregated), ("schema", WithSchema) })
        {
            Add(chosen, name, () =>
            {
                foreach (TableOptions tables in all)
                {
                    Kinds(service => open(service, tables));
                }
            });
        }
    }

    internal static void Kinds(Func<string, Binding> open)
    {
        using Binding echoes = open("Echo");
        using var echo = new EchoClient(echoes);
        Expect.Equal(
            "7 x 4.0 1.0 2.0 3 4 m BLUE",
            echo.Several(7, "x", new[] { 1.5, 2.5 }, new Point { X = 1, Y = 2 }, new Conformance.Other.Point { Column = 3, Row = 4 }, "m", Colour.Blue));
        ValueMap<string, int> counts = [new("a", 1), new("b", 2)];
        Expect.Equal(counts, echo.Counts(counts));
        Short(open);
    }

    private static void Short(Func<string, Binding> open)
    {
        using Binding echoes = open("Echo");
        using var echo = new EchoClient(echoes);
        using Binding troubles = open("Trouble");
        using var trouble = new TroubleClient(troubles);
        Expect.Equal(3L, echo.Add(1, 2));
        NotFoundException notFound = Expect.Throws<NotFoundException>(() => trouble.Fail("not-found"));
        Expect.Equal("not-found", notFound.Description);
        Expect.Equal([1, 2, 3], notFound.Tried);
    }

    private static async Task Fails(Binding binding, string text, params ErrorCode[] codes)
    {
        using Binding opened = binding;
        using var client = new AnswerClient(opened);
        CreoException blocking = Expect.Throws<CreoException>(() => client.Answer());
        CreoException awaited = await Expect.ThrowsAsync<CreoException>(async () => await client.AnswerAsync());
        Expect.True(codes.Contains(blocking.Code) && codes.Contains(awaited.Code), $"{blocking.Message}; {awaited.Message}");
        Expect.True(blocking.Message.Contains(text) && awaited.Message.Contains(text), $"{blocking.Message}; {awaited.Message}");
    }

    internal static void Both(Binding echoes, Binding troubles)
    {
        using Binding first = echoes, second = troubles;
        using var echo = new EchoClient(first);
        using var trouble = new TroubleClient(second);
        Expect.Equal(3L, echo.Add(1, 2));
        Expect.Error(ErrorCode.Internal, () => trouble.Fail("internal"));
        Expect.Equal("not you", Expect.Error(ErrorCode.PermissionDenied, () => trouble.Fail("denied")).Text);
        Expect.Equal("not-found", Expect.Throws<NotFoundException>(() => trouble.Fail("not-found")).Description);
    }

    internal static void Big(Binding binding)
    {
        using Binding opened = binding;
        using var trouble = new TroubleClient(opened);
        byte[] data = [.. Enumerable.Range(0, 100_000).Select(i => (byte)i)];
        Expect.Equal(data.Sum(b => (long)b), trouble.Sum(data));
        Expect.True(trouble.Bytes(100_000).Span.SequenceEqual(data), "other bytes came back");
    }

    internal static async Task Partner(Binding binding, string vectors, string form)
    {
        using Binding opened = binding;
        using var partner = new PartnerClient(opened);
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
        Expect.Equal(new Welcome { Text = "welcome n", Session = request }, partner.Welcome("n", request));
        Expect.Equal(new Welcome { Text = "welcome n", Hint = "new" }, await partner.WelcomeAsync("n", null));
        Expect.Equal(new Stamped { Price = new Price { Currency = "stamp", Amount = 7 }, Stamp = -7 }, partner.Stamp(7));
        Expect.Equal("no stamp", Expect.Throws<ToldException>(() => partner.Stamp(0)).Text);
        Expect.Equal("s first note 3", partner.Deliver("s", request, "note", 3));
        Expect.Equal("s first - -1", await partner.DeliverAsync("s", request, null, -1));
        Expect.Equal(new Collected { Item = request, Note = "note", Codes = ["x", "y"], Receipt = -7 }, partner.Collect(7));
        Expect.Equal(new Collected { Item = request, Codes = ["x", "y"], Receipt = -1 }, await partner.CollectAsync(1));
        Expect.Equal("nothing", Expect.Throws<ToldException>(() => partner.Collect(0)).Text);
        partner.Ping();
        ValueMap<string, string> others = [new("{urn:o}a", "1 & \"2\""), new("{urn:p}a", "3"), new("b", "")];
        Expect.Equal(new Open { Known = "known", Rest = [], Others = others }, partner.Tag("known", others));
        Expect.Equal(new Open { Known = "known", Rest = [], Others = [] }, await partner.TagAsync("known", []));
        Names names = new() { First = "{urn:o}a", One = "{urn:creo:conformance:xml}b", Many = ["{urn:p}c", "d"], Some = [], Listed = ["{urn:p}e", "{urn:o}f"], Texts = [] };
        Expect.Equal(names, partner.Names(names));
        WrongNames(names);
        partner.Notice("a text");
        await partner.NoticeAsync("a text");
        // The vectors of these types are texts.
        if (form != "codec")
        {
            EchoVectors.Run(partner, vectors, form, "conformance.xml.");
        }
    }

    // XML cannot hold a value that is not a name (XML-48).
    private static void WrongNames(Names names)
    {
        foreach (string wrong in new[] { "", "p:a", "{}a", "{urn:o}", "{urn:o", "{urn:o}p:a", "a b", "1", "{http://www.w3.org/2000/xmlns/}a", "{urn:\u0001}a" })
        {
            Expect.Equal("$.one", Expect.Error(ErrorCode.InvalidValue, () => NamesText.ToXml(names with { One = wrong })).Place);
            Expect.Equal("$.first", Expect.Error(ErrorCode.InvalidValue, () => NamesText.ToXml(names with { First = wrong })).Place);
            Expect.Equal("$.listed[1]", Expect.Error(ErrorCode.InvalidValue, () => NamesText.ToXml(names with { Listed = ["a", wrong] })).Place);
        }
    }

    private static void UnknownMethod(Binding binding)
    {
        using Binding opened = binding;
        using var echo = new EchoClient(opened);
        CreoException error = Expect.Error(ErrorCode.UnknownMethod, () => echo.Add(1, 2));
        Expect.True(error.Message.Contains("add"), error.Message);
    }

    private static void WrongPath(Binding binding, string[] texts)
    {
        using Binding opened = binding;
        using var echo = new EchoClient(opened);
        CreoException error = Expect.Throws<CreoException>(() => echo.Add(1, 2));
        Expect.True(error.Code == ErrorCode.Unavailable || (texts.Length > 1 && error.Code == ErrorCode.UnknownMethod), error.Message);
        Expect.True(texts.Any(error.Message.Contains), error.Message);
    }
}
