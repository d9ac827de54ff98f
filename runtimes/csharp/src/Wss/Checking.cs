using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Creo.Wss;

/// <summary>Checks one answer: the children of its Security block in their order, and then what is demanded (SOAP-84, SOAP-89).</summary>
internal sealed class Checking
{
    private const int MaxChildren = 32;

    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);

    private readonly WsSecurity _security;
    private readonly Envelope _envelope;
    private readonly Element _block;
    private readonly Decryption _decryption;
    private readonly List<Element> _users = [];
    private Signature? _signature;
    private Element? _timestamp;
    private Element? _assertion;

    private Checking(WsSecurity security, Envelope envelope)
    {
        _security = security;
        _envelope = envelope;
        _block = envelope.Security ?? throw Reason.NoSecurity.Because(Unsecured(envelope));
        _decryption = new Decryption(security, envelope);
    }

    /// <summary>The envelope of an answer, without what was checked.</summary>
    public static byte[] Check(WsSecurity security, byte[] message, string? charset)
    {
        if (message.Length > security.MaxSize)
        {
            throw CreoException.TooLarge("maxSize", security.MaxSize, $"a message with security of {message.Length} bytes");
        }
        var checking = new Checking(security, Envelope.Parse(message, charset));
        checking.TakeAll();
        checking.Demand();
        checking.Strip();
        return checking._envelope.ToBytes();
    }

    // An element that is decrypted takes the place of its data, and is the next one.
    private void TakeAll()
    {
        int count = 0;
        for (int i = 0; i < _block.Nodes.Count; i++)
        {
            if (_block.Nodes[i] is Element child)
            {
                if (++count > MaxChildren)
                {
                    throw Reason.TooMany.Because($"more than {MaxChildren} elements in the Security block");
                }
                Take(child);
            }
        }
    }

    private void Take(Element child)
    {
        switch (child.Namespace, child.Local)
        {
            case (WssNames.Wsu, "Timestamp") when _timestamp is null:
                _timestamp = child;
                break;
            case (WssNames.Wsse, "UsernameToken"):
                _users.Add(child);
                break;
            case (WssNames.Wsse, "BinarySecurityToken") or (WssNames.Wsse11, "SignatureConfirmation"):
                break;
            case (WssNames.Xenc, "EncryptedKey"):
                _decryption.TakeKey(child);
                break;
            case (WssNames.Xenc, "ReferenceList"):
                _decryption.TakeList(child);
                break;
            case (WssNames.Dsig, "Signature") when _signature is null:
                _signature = _security.Trust.Exists
                    ? Signature.Verify(child, _envelope, _security)
                    : throw Reason.Untrusted.Because("a signature, but no certificate is trusted");
                break;
            case (WssNames.Saml2, "Assertion") when _assertion is null:
                _assertion = child;
                break;
            default:
                throw Reason.Token.Because($"the Security block has {Reason.Shown(child.Name)}, which is unknown, or there twice");
        }
    }

    private void Demand()
    {
        if (_security.Trust.Exists)
        {
            DemandSignatures(_signature ?? throw Reason.NotSigned.Because("the message has no signature"));
        }
        if (_security.RequiresEncryption && !_decryption.OfBody)
        {
            throw Reason.NotEncrypted.Because("the body is not encrypted");
        }
        if (_timestamp is not null)
        {
            DemandTime(_timestamp);
        }
        if (_signature is not null)
        {
            _security.Replays.Use(_signature.Hash);
        }
    }

    private void DemandSignatures(Signature signature)
    {
        void DemandSigned(Element element, string what)
        {
            if (!signature.Signed.Contains(element))
            {
                throw Reason.NotSigned.Because(what + " is not signed");
            }
        }

        DemandSigned(_envelope.Body, "the body");
        if (_security.RequiresTimestamp)
        {
            DemandSigned(_timestamp ?? throw Reason.NotSigned.Because("the message has no timestamp"), "the timestamp");
        }
        foreach (Element user in _users)
        {
            DemandSigned(user, "the token of the user");
        }
        if (_assertion is not null)
        {
            DemandSigned(_assertion, "the assertion");
        }
        foreach (Element block in _envelope.Blocks)
        {
            if (block != _block && _envelope.IsForReceiver(block) && _security.RequiredHeaders.Has(block))
            {
                DemandSigned(block, $"the header element {Reason.Shown(block.Name)}");
            }
        }
    }

    private void DemandTime(Element timestamp)
    {
        DateTimeOffset now = _security.Clock.GetUtcNow();
        DateTimeOffset created = Time(timestamp.Required(WssNames.Wsu, "Created"));
        Element? expires = timestamp.Only(WssNames.Wsu, "Expires");
        if (created > now + Tolerance)
        {
            throw Reason.Stale.Because("the message was created in the future");
        }
        if (created < now - Tolerance || (expires is not null && Time(expires) <= now))
        {
            throw Reason.Stale.Because("the message has expired");
        }
    }

    private static DateTimeOffset Time(Element element)
    {
        string text = element.OnlyText();
        Match match = Regex.Match(text, @"^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:(\.[0-9]{1,7})[0-9]*)?(Z|[+-][0-9]{2}:[0-9]{2})\z");
        string kept = match.Groups[1].Value + match.Groups[2].Value + match.Groups[3].Value;
        return DateTimeOffset.TryParseExact(
                kept, ["yyyy-MM-dd'T'HH:mm:ssK", "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK"], CultureInfo.InvariantCulture, DateTimeStyles.None, out DateTimeOffset time)
            ? time
            : throw Reason.Unreadable.Because($"a time that is none: \"{Reason.Shown(text)}\"");
    }

    // Removes what was checked: of the Security block, tokens of users stay.
    private void Strip()
    {
        foreach (Element block in _envelope.Blocks)
        {
            block.Remove(WssNames.Wsu, "Id");
        }
        _block.Nodes.RemoveAll(node => node is not Element element || !_users.Contains(element));
        if (_users.Count == 0)
        {
            _envelope.Header!.Remove(_block);
        }
    }

    // What is said of an answer without security: if it is a fault, its words.
    private static string Unsecured(Envelope envelope)
    {
        foreach (Element fault in envelope.Body.Children)
        {
            if (fault.Is(envelope.Soap, "Fault"))
            {
                return $"the answer is a fault without security: {Reason.Shown(Words(fault, "faultcode", "Value"))}: {Reason.Shown(Words(fault, "faultstring", "Text"))}";
            }
        }
        return "the answer has no Security block";
    }

    // The text of the first element with one of these local names, at any depth.
    private static string Words(Element within, params string[] names)
    {
        foreach (Element child in within.Children)
        {
            string found = Array.IndexOf(names, child.Local) >= 0 ? child.InnerText.Trim() : Words(child, names);
            if (found.Length > 0)
            {
                return found;
            }
        }
        return "";
    }
}
