using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Conformance.Matrix;
using Conformance.Xml;
using Creo;

namespace Conformance.Peer;

/// <summary>The scenarios over JMS of conformance/scenarios.md: those of all bindings that make sense there, and some of each wire's own.</summary>
public sealed class JmsMode
{
    private const string Matrix = "jms:queue:creo.matrix";
    private const string AtPartner = "jms:queue:creo.partner";

    private readonly JmsWire _wire;
    private readonly string _host;
    private readonly int _port;
    private readonly string _vectors;

    private JmsMode(JmsWire wire, string host, int port, string vectors)
    {
        _wire = wire;
        _host = host;
        _port = port;
        _vectors = vectors;
    }

    private string Form => _wire switch
    {
        JmsWire.Soap => "soap",
        JmsWire.Tdxml => "tdxml",
        _ => "codec",
    };

    /// <summary>Runs those of a wire, at a broker.</summary>
    public static Task<bool> Run(string wire, string host, int port, string vectors) =>
        ClientMode.Report(new JmsMode(Enum.Parse<JmsWire>(wire, ignoreCase: true), host, port, vectors).All());

    private List<(string Name, Func<Task> Run)> All()
    {
        var shared = new Scenarios((_, options) => Open(Matrix, options), _vectors, form: Form);
        List<(string Name, Func<Task> Run)> chosen = [.. shared.All.Where(scenario => HttpMode.Shared.Contains(scenario.Name) && scenario.Name != "oneway")];
        Add(chosen, "oneway", Oneway);
        Add(chosen, "gzip", () => HttpMode.Big(Open(Matrix, HttpMode.Compressing)));
        chosen.Add(("partner", () => HttpMode.Partner(Open(AtPartner), _vectors, Form)));
        Add(chosen, "unknown-method", UnknownMethod);
        Add(chosen, "target-service", TargetService);
        Add(chosen, "address", Address);
        chosen.Add(("shared-reply", SharedReply));
        Add(chosen, "no-consumer", NoConsumer);
        Binding At(int port) => new JmsBinding(new JmsBroker("127.0.0.1", port), Matrix, _wire);
        chosen.Add(("reconnect", () => Troubles.Reconnect(_host, _port, At)));
        chosen.Add(("second-broker", SecondBroker));
        Add(chosen, "refused", () => Troubles.Refused(At));
        chosen.Add(("wrong-protocol", () => Troubles.WrongProtocol(At, Troubles.Http)));
        switch (_wire)
        {
            case JmsWire.Soap:
                AddSoap(chosen);
                break;
            case JmsWire.Tdxml:
                HttpMode.AddTables(chosen, (_, tables) => Open(Matrix, tdxml: new TdxmlOptions { Tables = tables }));
                Add(chosen, "packages", () => HttpMode.Big(Open(Matrix, tdxml: new TdxmlOptions { Packages = true })));
                break;
            default:
                chosen.AddRange(new StreamScenarios(options => Open(Matrix, options), ClientOptions.Default).OnlyResults);
                break;
        }
        return chosen;
    }

    private void AddSoap(List<(string Name, Func<Task> Run)> chosen)
    {
        Add(chosen, "soap-12", () => HttpMode.Both(Open(Matrix, soap: HttpMode.Soap12), Open(Matrix, soap: HttpMode.Soap12)));
        Add(chosen, "mtom", () => HttpMode.Big(Open(Matrix, soap: new SoapOptions { Mtom = true })));
        Add(chosen, "mtom-12", () => HttpMode.Big(Open(Matrix, HttpMode.Compressing, HttpMode.Soap12 with { Mtom = true })));
        chosen.Add(("partner-12", () => HttpMode.Partner(Open(AtPartner, soap: HttpMode.Soap12), _vectors, Form)));
        Add(chosen, "tables", () =>
        {
            foreach (TableScheme scheme in new[] { TableScheme.Record, TableScheme.Aggregated })
            {
                HttpMode.Kinds(_ => Open(Matrix, soap: new SoapOptions { Tables = new TableOptions { Scheme = scheme } }));
            }
        });
    }

    private static void Add(List<(string Name, Func<Task> Run)> chosen, string name, Action run) => chosen.Add((name, () => Task.Run(run)));

    private JmsBinding Open(string address, ClientOptions? options = null, SoapOptions? soap = null, TdxmlOptions? tdxml = null) =>
        new(new JmsBroker(_host, _port), address, _wire, options, soap, tdxml);

    // Two messages may be taken at once: the texts come in either order.
    private void Oneway()
    {
        using Binding troubleBinding = Open(Matrix);
        var trouble = new TroubleClient(troubleBinding);
        string prefix = $"csharp-{Guid.NewGuid():n}-";
        trouble.Note(prefix + "1");
        trouble.Note(prefix + "2");
        var time = Stopwatch.StartNew();
        while (true)
        {
            ValueArray<string> noted = trouble.Noted(prefix);
            if (noted.Count >= 2 || time.Elapsed > TimeSpan.FromMinutes(1))
            {
                Expect.Equal($"{prefix}1 {prefix}2", string.Join(" ", noted.Order(StringComparer.Ordinal)));
                return;
            }
            Thread.Sleep(10);
        }
    }

    private void UnknownMethod()
    {
        using Binding partnerBinding = Open(Matrix);
        var partner = new PartnerClient(partnerBinding);
        CreoException error = Expect.Error(ErrorCode.UnknownMethod, () => partner.Sum(3, 4));
        Expect.True(error.FromPeer, "the service says it");
    }

    private void TargetService()
    {
        using (Binding binding = Open(Matrix + "?targetService=conformance.matrix.Echo"))
        {
            var echo = new EchoClient(binding);
            Expect.Equal(3L, echo.Add(1, 2));
        }
        using Binding otherBinding = Open(Matrix + "?targetService=conformance.matrix.Trouble");
        var other = new EchoClient(otherBinding);
        Expect.Error(ErrorCode.UnknownMethod, () => other.Add(1, 2));
    }

    private void Address()
    {
        using (Binding binding = Open(Matrix + "?deliveryMode=NON_PERSISTENT&priority=9&timeToLive=60000&something=else"))
        {
            var echo = new EchoClient(binding);
            Expect.Equal(3L, echo.Add(1, 2));
        }
        foreach (string address in new[] { "jms:jndi:x", "jms:queue:q?priority=10", "jms:queue:q?jndiURL=x" })
        {
            Expect.Error(ErrorCode.InvalidValue, () => Open(address).Dispose());
        }
    }

    private async Task SharedReply()
    {
        string address = $"{Matrix}?replyToName=creo.replies.csharp.{_wire.ToString().ToLowerInvariant()}";
        using Binding firstBinding = Open(address);
        var first = new EchoClient(firstBinding);
        using Binding secondBinding = Open(address);
        var second = new EchoClient(secondBinding);
        Task<long>[] calls = [.. Enumerable.Range(0, 20).Select(i => (i < 10 ? first.AddAsync(i, 1000) : second.AddAsync(i - 10, 2000)).AsTask())];
        for (int i = 0; i < calls.Length; i++)
        {
            Expect.Equal(i < 10 ? i + 1000 : i - 10 + 2000, await calls[i], $"call {i}");
        }
    }

    private void NoConsumer()
    {
        using Binding echoBinding = Open("jms:queue:creo.nobody");
        var echo = new EchoClient(echoBinding);
        Expect.Error(ErrorCode.DeadlineExceeded, () => echo.Add(1, 2, CallOptions.Within(TimeSpan.FromMilliseconds(300))));
    }

    // The first place is a relay, the second the broker itself: which is called when the relay is gone.
    private async Task SecondBroker()
    {
        for (int i = 0; i < 2; i++)
        {
            bool waits = i == 0;
            using var relay = new Relay(_host, _port);
            using Binding clientBinding = new JmsBinding(new JmsBroker("127.0.0.1", relay.Port).Or(_host, _port), Matrix, _wire);
            var client = new EchoClient(clientBinding);
            await Troubles.Survives(relay.Dispose, () => waits ? Task.Run(() => client.Add(1, 2)) : client.AddAsync(1, 2).AsTask());
        }
    }
}
