using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Creo;
using Org.Example.Notes;

/// <summary>Calls the services of Partner.java with messages in every form, and prints a line for each.</summary>
internal static class Caller
{
    private const string Addressing = "{http://www.w3.org/2005/08/addressing}*";

    private static readonly Reading[] Readings =
    [
        new() { Sensor = "a & <b>", Value = 1.5, Remark = "Gr\u00fc\u00dfe" },
        new() { Sensor = "c", Value = -0.25 },
        new() { Sensor = "", Value = 1e300, Remark = "\U0001f600|\t\u2028" },
    ];

    /// <summary><c>peer FOLDER</c> answers lines, and <c>call FOLDER PORT PORT PORT</c> calls the services, the last of which is behind a broker.</summary>
    public static async Task Main(string[] arguments)
    {
        var peer = new Peer(arguments[1]);
        if (arguments[0] == "peer")
        {
            peer.Run();
            return;
        }
        var signed = new WsSecurityOptions
        {
            Signer = peer.Certificate("alice"),
            SignedHeaders = [Addressing],
            TrustedIssuers = [peer.Certificate("ca")],
            Known = [peer.Certificate("bob")],
            Decrypters = [peer.Certificate("alice")],
        };
        var encrypted = signed with { Recipient = peer.Certificate("bob"), RequireEncrypted = true };
        foreach ((string port, WsSecurityOptions options) in new[] { (arguments[2], signed), (arguments[3], encrypted) })
        {
            var security = new WsSecurity(options);
            foreach ((string name, SoapOptions soap) in Ways())
            {
                using var client = new NotesClient(new SoapBinding(Url(port), null, soap with { Security = security }));
                await CallAsync(client);
                Console.WriteLine($"{(options.RequireEncrypted ? "encrypted" : "signed")}, {name}");
            }
        }
        foreach ((string name, SoapOptions soap) in Ways().Where(static way => way.Name is "SOAP 1.1" or "table of records"))
        {
            using var client = new NotesClient(new JmsBinding(new JmsBroker("127.0.0.1", int.Parse(arguments[4], null)), "jms:queue:notes", soap: soap with { Security = new WsSecurity(encrypted) }));
            await CallAsync(client);
            Console.WriteLine($"through a broker, {name}");
        }
        Refuse(arguments[2], "no-security: the answer is a fault without security: ", signed with { Signer = peer.Certificate("mallory") });
        Refuse(arguments[2], "no-security: the answer is a fault without security: ", signed with { Signer = null });
        Refuse(arguments[2], "untrusted", signed with { TrustedIssuers = [], Trusted = [peer.Certificate("alice")] });
        Refuse(arguments[2], "not-encrypted", encrypted with { Recipient = null });
    }

    private static string Url(string port) => $"http://127.0.0.1:{port}/Notes";

    private static async Task CallAsync(NotesClient client)
    {
        Expect("hello CN=alice,O=Example", client.Say("hello"));
        Expect("hello CN=alice,O=Example", await client.SayAsync("hello"));
        Expect(true, new ValueArray<Reading>(Readings).Equals(client.Echo(Readings)));
        client.Clear();
        try
        {
            client.Say("full");
            throw new InvalidOperationException("no exception");
        }
        catch (FullException e)
        {
            Expect(3, e.Max);
        }
        try
        {
            await client.SayAsync("fail");
            throw new InvalidOperationException("no error");
        }
        catch (CreoException e)
        {
            Expect(ErrorCode.Internal, e.Code);
            Expect(true, e.FromPeer);
        }
        client.Note("noted");
    }

    private static void Refuse(string port, string reason, WsSecurityOptions options)
    {
        using var client = new NotesClient(new SoapBinding(Url(port), null, new SoapOptions { Security = new WsSecurity(options) }));
        try
        {
            client.Say("hello");
            throw new InvalidOperationException("no error");
        }
        catch (CreoException e)
        {
            Expect(reason, e.Text[..Math.Min(reason.Length, e.Text.Length)]);
            Console.WriteLine(reason);
        }
    }

    private static void Expect<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"expected <{expected}>, got <{actual}>");
        }
    }

    private static IEnumerable<(string Name, SoapOptions Options)> Ways() =>
    [
        ("SOAP 1.1", new()),
        ("SOAP 1.2", new() { Version = SoapVersion.Soap12 }),
        ("addresses", new() { Addressing = true }),
        ("a timestamp of the runtime", new() { Timestamp = true }),
        ("attachments", new() { Mtom = true }),
        ("table of records", new() { Tables = new TableOptions { Scheme = TableScheme.Record } }),
        ("table of cells", new() { Tables = new TableOptions { Scheme = TableScheme.Aggregated } }),
    ];
}
