using System;
using System.Collections.Generic;
using System.Text;
using System.Xml;
using Creo.Xml;

namespace Creo.Wss;

/// <summary>An envelope of SOAP as a tree, with the elements that security concerns at their places.</summary>
internal sealed class Envelope
{
    private static readonly UTF8Encoding Strict = new(false, throwOnInvalidBytes: true);

    private Envelope(Element root, Element? header, Element body)
    {
        Root = root;
        Header = header;
        Body = body;
    }

    public Element Root { get; }

    /// <summary>The namespace of the envelope.</summary>
    public string Soap => Root.Namespace;

    public Element? Header { get; private set; }

    public Element Body { get; }

    /// <summary>The block for this receiver; null if there is none.</summary>
    public Element? Security { get; private set; }

    /// <summary>The blocks of the header.</summary>
    public List<Element> Blocks => Header?.Children ?? [];

    /// <summary>Parses an envelope.</summary>
    /// <param name="bytes">The message.</param>
    /// <param name="charset">The one that the transport names; null for none.</param>
    /// <exception cref="CreoException"><c>malformed</c>: it is none.</exception>
    public static Envelope Parse(ReadOnlySpan<byte> bytes, string? charset)
    {
        Element root = ParseTree(Decoded(bytes, charset));
        if (!root.Is(WssNames.Soap11, "Envelope") && !root.Is(WssNames.Soap12, "Envelope"))
        {
            throw new CreoException(ErrorCode.Malformed, $"the element {Reason.Shown(root.Name)}, where an envelope of SOAP must be");
        }
        List<Element> children = root.Children;
        Element? header = children.Count > 0 && children[0].Is(root.Namespace, "Header") ? children[0] : null;
        if (header is not null)
        {
            children.RemoveAt(0);
        }
        if (children.Count != 1 || !children[0].Is(root.Namespace, "Body"))
        {
            throw Reason.Misplaced.Because("an envelope has at most one header, then one body, and nothing else");
        }
        var envelope = new Envelope(root, header, children[0]);
        envelope.FindSecurity();
        return envelope;
    }

    /// <summary>Parses a document.</summary>
    /// <exception cref="CreoException"><c>malformed</c>: it is none.</exception>
    public static Element ParseTree(string text)
    {
        try
        {
            return Tree.Parse(text);
        }
        catch (XmlException e)
        {
            throw new CreoException(ErrorCode.Malformed, $"no document of XML, or one with a document type: {Reason.Shown(e.Message)}", e);
        }
    }

    /// <summary>Text in UTF-8.</summary>
    /// <exception cref="CreoException"><c>malformed</c>: it is none.</exception>
    public static string DecodedUtf8(ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Strict.GetString(bytes);
        }
        catch (DecoderFallbackException e)
        {
            throw new CreoException(ErrorCode.Malformed, "bytes that are no text in UTF-8", e);
        }
    }

    /// <summary>The element that <c>#id</c> means: there is one with this id, and only one.</summary>
    public static Element Referred(string? uri, Dictionary<string, List<Element>> ids)
    {
        if (uri is null || uri.Length < 2 || uri[0] != '#' || uri.Contains('('))
        {
            throw Reason.Reference.Because($"a reference to \"{Reason.Shown(uri ?? "")}\", where only an id of this message may be");
        }
        string id = uri[1..];
        List<Element> found = ids.GetValueOrDefault(id) ?? [];
        if (found.Count > 1)
        {
            throw Reason.DuplicateId.Because($"the id \"{Reason.Shown(id)}\" is there {found.Count} times");
        }
        return found.Count == 1 && IdOf(found[0]) == id ? found[0] : throw Reason.UnknownId.Because($"no element has the id \"{Reason.Shown(id)}\"");
    }

    /// <summary>The id of an element for references; null if it has none.</summary>
    public static string? IdOf(Element element) => element.Find(WssNames.Wsu, "Id") ?? element.Namespace switch
    {
        WssNames.Dsig or WssNames.Xenc => element.Find("", "Id"),
        WssNames.Saml2 => element.Find("", "ID"),
        _ => null,
    };

    /// <summary>Whether a block has no role, or that of the next or the ultimate receiver.</summary>
    public bool IsForReceiver(Element block)
    {
        bool isOld = Soap == WssNames.Soap11;
        string role = (block.Find(Soap, isOld ? "actor" : "role") ?? "").Trim();
        return role.Length == 0 || role == (isOld ? "http://schemas.xmlsoap.org/soap/actor/next" : Soap + "/role/next") || (!isOld && role == Soap + "/role/ultimateReceiver");
    }

    /// <summary>The block for the receiver, which is added if it is not there.</summary>
    public Element AddSecurity()
    {
        if (Header is null)
        {
            Header = new Element(Root.Prefix, "Header", Soap);
            Root.Insert(Root.Nodes.IndexOf(Body), Header);
        }
        if (Security is null)
        {
            Security = Header.Insert(0, "wsse", WssNames.Wsse, "Security");
            string prefix = Root.Prefix.Length == 0 ? "soap" : Root.Prefix;
            Security.Declare(prefix, Soap);
            Security.Set(prefix, "mustUnderstand", Soap, "1");
        }
        return Security;
    }

    /// <summary>The elements by their ids, which are in any attribute that could be meant as one.</summary>
    public Dictionary<string, List<Element>> Ids()
    {
        var ids = new Dictionary<string, List<Element>>();
        Collect(Root, ids);
        return ids;
    }

    /// <summary>The bytes of the envelope.</summary>
    public byte[] ToBytes()
    {
        var text = new StringBuilder(4096);
        Tree.Write(Root, text);
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    private static void Collect(Element element, Dictionary<string, List<Element>> ids)
    {
        foreach (ElementAttribute attribute in element.Attributes)
        {
            if (attribute.Local.Equals("id", StringComparison.OrdinalIgnoreCase) || attribute.Local.Equals("AssertionID", StringComparison.OrdinalIgnoreCase))
            {
                if (!ids.TryGetValue(attribute.Value, out List<Element>? all))
                {
                    ids.Add(attribute.Value, all = []);
                }
                all.Add(element);
            }
        }
        foreach (Node node in element.Nodes)
        {
            if (node is Element child)
            {
                Collect(child, ids);
            }
        }
    }

    // The encoding is found as the reader of answers finds it (XML-46).
    private static string Decoded(ReadOnlySpan<byte> bytes, string? charset)
    {
        XmlEncoding encoding = XmlEncodings.Of(bytes, charset, out int mark);
        if (encoding == XmlEncoding.Utf8)
        {
            return DecodedUtf8(bytes[mark..]);
        }
        (byte[] text, int length) = XmlEncodings.ToUtf8(encoding, bytes[mark..]);
        return DecodedUtf8(text.AsSpan(0, length));
    }

    private void FindSecurity()
    {
        foreach (Element block in Blocks)
        {
            if (block.Is(WssNames.Wsse, "Security") && IsForReceiver(block))
            {
                Security = Security is null ? block : throw Reason.SecurityBlocks.Because("two Security blocks for this receiver");
            }
        }
    }
}
