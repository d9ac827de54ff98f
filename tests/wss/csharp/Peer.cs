using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Creo;
using Creo.Wss;

/// <summary>The client's side of messages: it answers lines as LinePeer of runtimes/java-wss does.</summary>
/// <param name="folder">The one with the certificates.</param>
internal sealed class Peer(string folder)
{
    private const string Addressing = "{http://www.w3.org/2005/08/addressing}";

    public X509Certificate2 Certificate(string name) => new(Path.Combine(folder, name + ".p12"), "changeit");

    public void Run()
    {
        while (Console.In.ReadLine() is { } line)
        {
            string[] words = line.Split(' ');
            byte[] message = Convert.FromBase64String(words[^1]);
            string answer;
            try
            {
                answer = "ok " + Convert.ToBase64String(Answer(words[0], words[1..^1], message));
            }
            catch (CreoException e)
            {
                answer = "no " + Convert.ToBase64String(Encoding.UTF8.GetBytes(e.Text));
            }
            Console.Out.WriteLine(answer);
            Console.Out.Flush();
        }
    }

    // The canonical form of an element is asked for by its position, an index for each level, and the prefixes that are listed.
    private byte[] Answer(string verb, string[] options, byte[] message)
    {
        if (verb == "canonical")
        {
            Element element = Tree.Parse(Encoding.UTF8.GetString(message));
            foreach (string index in options[0].Split('/', StringSplitOptions.RemoveEmptyEntries))
            {
                element = element.Children[int.Parse(index, null)];
            }
            return Canonical.Of(element, options[1].Split(',', StringSplitOptions.RemoveEmptyEntries));
        }
        var security = new WsSecurityOptions();
        foreach (string option in options)
        {
            string[] pair = option.Split('=', 2);
            security = With(security, pair[0], pair[1]);
        }
        return verb == "send" ? new WsSecurity(security).Send(message) : new WsSecurity(security).Receive(message, null);
    }

    private WsSecurityOptions With(WsSecurityOptions security, string name, string value) => name switch
    {
        "signer" => security with { Signer = Certificate(value) },
        "reference" => security with { Reference = Named<WsTokenReference>(value) },
        "signature" => security with { Signature = Named<WsAlgorithm>(value) },
        "header" => security with { SignedHeaders = [Addressing + value] },
        "recipient" => security with { Recipient = Certificate(value) },
        "keyReference" => security with { KeyReference = Named<WsTokenReference>(value) },
        "key" => security with { KeyEncryption = Named<WsAlgorithm>(value) },
        "data" => security with { DataEncryption = Named<WsAlgorithm>(value) },
        "issuer" => security with { TrustedIssuers = [Certificate(value)] },
        "known" => security with { Known = value.Split(',').Select(Certificate).ToArray() },
        "decrypter" => security with { Decrypters = [Certificate(value)] },
        "encrypted" => security with { RequireEncrypted = bool.Parse(value) },
        "required" => security with { RequiredHeaders = [Addressing + value] },
        "loose" => security with { AllowLoosePrefixes = bool.Parse(value) },
        "allowed" => security with { Allowed = value.Split(',').Select(Named<WsAlgorithm>).ToArray() },
        _ => throw new ArgumentException(name),
    };

    // RSA_OAEP_SHA256 is RsaOaepSha256.
    private static T Named<T>(string name)
        where T : struct, Enum => Enum.Parse<T>(name.Replace("_", ""), ignoreCase: true);
}
