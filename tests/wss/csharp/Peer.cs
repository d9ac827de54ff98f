using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Creo;
using Creo.Wss;

/// <summary>The client's side of messages: it answers lines as Partner.java does.</summary>
/// <param name="folder">The one with the certificates.</param>
internal sealed class Peer(string folder)
{
    private const string Addressing = "{http://www.w3.org/2005/08/addressing}";

    public X509Certificate2 Certificate(string name) => new(Path.Combine(folder, name + ".p12"), "changeit");

    public void Run()
    {
        while (Console.In.ReadLine() is { } line)
        {
            string[] words = line.Split('\t');
            byte[] message = Convert.FromBase64String(words[^1]);
            string answer;
            try
            {
                answer = "ok\t" + Convert.ToBase64String(Answer(words[0], words[1..^1], message));
            }
            catch (CreoException e)
            {
                answer = "error\t" + e.Text;
            }
            Console.Out.WriteLine(answer);
            Console.Out.Flush();
        }
    }

    // The canonical form is that of the root, or of one of its children, with the prefixes that are listed.
    private byte[] Answer(string verb, string[] options, byte[] message)
    {
        if (verb == "canonical")
        {
            Element element = Tree.Parse(Encoding.UTF8.GetString(message));
            string[] option = options[0].Split('=', 2);
            return option[0] == "child" ? Canonical.Of(element.Children[int.Parse(option[1], null)], [])
                : Canonical.Of(element, option[1].Split(',', StringSplitOptions.RemoveEmptyEntries));
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
        "encrypted" => security with { RequireEncrypted = value == "1" },
        "required" => security with { RequiredHeaders = [Addressing + value] },
        "loose" => security with { AllowLoosePrefixes = value == "1" },
        "allowed" => security with { Allowed = value.Split(',').Select(Named<WsAlgorithm>).ToArray() },
        _ => throw new ArgumentException(name),
    };

    // RSA_OAEP_SHA256 is RsaOaepSha256.
    private static T Named<T>(string name)
        where T : struct, Enum => Enum.Parse<T>(name.Replace("_", ""), ignoreCase: true);
}
