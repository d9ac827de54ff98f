using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Xml;

namespace Creo.Wss;

/// <summary>A node of a tree of XML: an <see cref="Element"/>, a <see cref="Text"/> or an <see cref="Instruction"/>.</summary>
/// <remarks>A tree has no document type, no comments and no CDATA sections: two texts next to each other are one when they are parsed.</remarks>
internal abstract class Node
{
    public Element? Parent { get; set; }
}

/// <summary>A text within an element.</summary>
internal sealed class Text(string value) : Node
{
    public string Value { get; } = value;
}

/// <summary>A processing instruction within an element.</summary>
internal sealed class Instruction(string target, string data) : Node
{
    public string Target { get; } = target;

    public string Data { get; } = data;
}

/// <summary>An attribute that declares no prefix.</summary>
internal readonly record struct ElementAttribute(string Prefix, string Local, string Namespace, string Value)
{
    public string Name => Prefix.Length == 0 ? Local : $"{Prefix}:{Local}";
}

/// <summary>An element, whose prefix its own declarations or those around it bind to its namespace.</summary>
internal sealed class Element(string prefix, string local, string ns) : Node
{
    public string Prefix { get; } = prefix;

    public string Local { get; } = local;

    /// <summary>The namespace; empty for none.</summary>
    public string Namespace { get; } = ns;

    public string Name => Prefix.Length == 0 ? Local : $"{Prefix}:{Local}";

    /// <summary>The attributes without declarations of prefixes.</summary>
    public ElementAttribute[] Attributes { get; private set; } = [];

    /// <summary>The declarations of prefixes; that of the default namespace has an empty one.</summary>
    public (string Prefix, string Uri)[] Declarations { get; private set; } = [];

    public List<Node> Nodes { get; } = [];

    /// <summary>A copy of the list of child elements.</summary>
    public List<Element> Children
    {
        get
        {
            var all = new List<Element>();
            foreach (Node node in Nodes)
            {
                if (node is Element element)
                {
                    all.Add(element);
                }
            }
            return all;
        }
    }

    /// <summary>All text within the element, at any depth.</summary>
    public string InnerText
    {
        get
        {
            var text = new StringBuilder();
            Collect(this, text);
            return text.ToString();
        }
        set
        {
            Nodes.Clear();
            Insert(0, new Text(value));
        }
    }

    public bool Is(string ns, string local) => Local == local && Namespace == ns;

    /// <summary>The value of an attribute; null if there is none.</summary>
    public string? Find(string ns, string local)
    {
        foreach (ElementAttribute each in Attributes)
        {
            if (each.Local == local && each.Namespace == ns)
            {
                return each.Value;
            }
        }
        return null;
    }

    /// <summary>The value of an attribute without a namespace; empty if there is none.</summary>
    public string this[string local] => Find("", local) ?? "";

    /// <summary>Sets an attribute, whose prefix is declared.</summary>
    public void Set(string prefix, string local, string ns, string value)
    {
        Remove(ns, local);
        Attributes = [.. Attributes, new ElementAttribute(prefix, local, ns, value)];
    }

    /// <summary>Sets an attribute without a namespace.</summary>
    public void Set(string local, string value) => Set("", local, "", value);

    /// <summary>Removes an attribute, if it is there.</summary>
    public void Remove(string ns, string local) => Attributes = Array.FindAll(Attributes, each => each.Local != local || each.Namespace != ns);

    /// <summary>Declares a prefix here, unless it already means the namespace.</summary>
    public void Declare(string prefix, string uri)
    {
        if (Lookup(prefix) != uri)
        {
            Declarations = [.. Array.FindAll(Declarations, each => each.Prefix != prefix), (prefix, uri)];
        }
    }

    /// <summary>Declares prefixes here that are not declared here yet.</summary>
    public void DeclareAll(IReadOnlyDictionary<string, string> scope)
    {
        var all = new List<(string Prefix, string Uri)>(Declarations);
        foreach ((string prefix, string uri) in scope)
        {
            if (!Declares(prefix))
            {
                all.Add((prefix, uri));
            }
        }
        Declarations = [.. all];
    }

    /// <summary>Whether a prefix is declared here.</summary>
    public bool Declares(string prefix) => Array.Exists(Declarations, each => each.Prefix == prefix);

    /// <summary>Takes the attributes and declarations of a tag.</summary>
    public void Take(List<ElementAttribute> attributes, List<(string Prefix, string Uri)> declarations) =>
        (Attributes, Declarations) = ([.. attributes], [.. declarations]);

    /// <summary>The namespace of a prefix in scope; null if it is not declared. The default namespace is empty, then.</summary>
    public string? Lookup(string prefix)
    {
        for (Element? each = this; each is not null; each = each.Parent)
        {
            foreach ((string declared, string uri) in each.Declarations)
            {
                if (declared == prefix)
                {
                    return uri;
                }
            }
        }
        return prefix switch { "" => "", "xml" => "http://www.w3.org/XML/1998/namespace", _ => null };
    }

    /// <summary>The declarations in scope of the element's content, by their prefixes; that of no default namespace may be among them.</summary>
    public SortedDictionary<string, string> Scope()
    {
        var scope = new SortedDictionary<string, string>(StringComparer.Ordinal);
        for (Element? each = this; each is not null; each = each.Parent)
        {
            foreach ((string prefix, string uri) in each.Declarations)
            {
                scope.TryAdd(prefix, uri);
            }
        }
        return scope;
    }

    /// <summary>Inserts a node, which is taken from where it was.</summary>
    public void Insert(int index, Node node)
    {
        node.Parent?.Nodes.Remove(node);
        node.Parent = this;
        Nodes.Insert(index, node);
    }

    /// <summary>Removes a node.</summary>
    public void Remove(Node node)
    {
        Nodes.Remove(node);
        node.Parent = null;
    }

    /// <summary>Inserts an element with its text, and a declaration of its prefix if that is needed.</summary>
    public Element Insert(int index, string prefix, string ns, string local, string? text = null)
    {
        var element = new Element(prefix, local, ns);
        Insert(index, element);
        element.Declare(prefix, ns);
        if (text is not null)
        {
            element.InnerText = text;
        }
        return element;
    }

    /// <summary>Adds an element at the end, as <see cref="Insert(int,string,string,string,string?)"/> does.</summary>
    public Element Add(string prefix, string ns, string local, string? text = null) => Insert(Nodes.Count, prefix, ns, local, text);

    private static void Collect(Element element, StringBuilder text)
    {
        foreach (Node node in element.Nodes)
        {
            if (node is Text one)
            {
                text.Append(one.Value);
            }
            else if (node is Element child)
            {
                Collect(child, text);
            }
        }
    }
}

/// <summary>Reads and writes trees of XML.</summary>
internal static class Tree
{
    private const int MaxDepth = 500;
    private const int MaxAttributes = 256;
    private const string Xmlns = "http://www.w3.org/2000/xmlns/";

    private static readonly SortedDictionary<string, string> None = [];

    /// <summary>Parses a document. Whatever it says of its encoding does not matter.</summary>
    /// <exception cref="XmlException">It is none, it has a document type, or it nests too deeply.</exception>
    public static Element Parse(string text)
    {
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, IgnoreComments = true };
        using XmlReader reader = XmlReader.Create(new StringReader(text), settings);
        Element? root = null;
        Element? open = null;
        var run = new StringBuilder();
        while (reader.Read())
        {
            switch (reader.NodeType)
            {
                case XmlNodeType.Text or XmlNodeType.CDATA or XmlNodeType.Whitespace or XmlNodeType.SignificantWhitespace:
                    run.Append(reader.Value);
                    continue;
                case XmlNodeType.Element:
                    EndText(open, run);
                    bool isEmpty = reader.IsEmptyElement;
                    Element element = ReadTag(reader);
                    open?.Insert(open.Nodes.Count, element);
                    root ??= element;
                    open = isEmpty ? open : element;
                    continue;
                case XmlNodeType.EndElement:
                    EndText(open, run);
                    open = open!.Parent;
                    continue;
                case XmlNodeType.ProcessingInstruction:
                    EndText(open, run);
                    open?.Insert(open.Nodes.Count, new Instruction(reader.Name, reader.Value));
                    continue;
                default:
                    // The declaration, which is no part of a tree.
                    continue;
            }
        }
        return root!;
    }

    /// <summary>The text of an element, with declarations of all prefixes in its scope.</summary>
    public static string Standalone(Element element)
    {
        var text = new StringBuilder();
        Start(element, element.Scope(), text);
        Content(element, text);
        return text.Append("</").Append(element.Name).Append('>').ToString();
    }

    /// <summary>Writes a node such that its canonical form stays as it is.</summary>
    public static void Write(Node node, StringBuilder text)
    {
        switch (node)
        {
            case Element element:
                Start(element, None, text);
                Content(element, text);
                text.Append("</").Append(element.Name).Append('>');
                break;
            case Text one:
                WriteText(one.Value, text);
                break;
            case Instruction instruction:
                text.Append("<?").Append(instruction.Target).Append(' ').Append(instruction.Data).Append("?>");
                break;
        }
    }

    /// <summary>Writes the value of an attribute.</summary>
    public static void WriteValue(string value, StringBuilder text)
    {
        foreach (char c in value)
        {
            _ = c switch
            {
                '&' => text.Append("&amp;"),
                '<' => text.Append("&lt;"),
                '"' => text.Append("&quot;"),
                '\t' => text.Append("&#x9;"),
                '\n' => text.Append("&#xA;"),
                '\r' => text.Append("&#xD;"),
                _ => text.Append(c),
            };
        }
    }

    /// <summary>Writes a text.</summary>
    public static void WriteText(string value, StringBuilder text)
    {
        foreach (char c in value)
        {
            _ = c switch
            {
                '&' => text.Append("&amp;"),
                '<' => text.Append("&lt;"),
                '>' => text.Append("&gt;"),
                '\r' => text.Append("&#xD;"),
                _ => text.Append(c),
            };
        }
    }

    /// <summary>Writes the declaration of a prefix.</summary>
    public static void WriteDeclaration(string prefix, string uri, StringBuilder text)
    {
        text.Append(prefix.Length == 0 ? " xmlns" : " xmlns:").Append(prefix).Append("=\"");
        WriteValue(uri, text);
        text.Append('"');
    }

    private static Element ReadTag(XmlReader reader)
    {
        if (reader.Depth >= MaxDepth || reader.AttributeCount > MaxAttributes)
        {
            throw new XmlException($"more than {MaxDepth} elements within each other, or {MaxAttributes} attributes of one");
        }
        var element = new Element(reader.Prefix, reader.LocalName, reader.NamespaceURI);
        if (reader.AttributeCount == 0)
        {
            return element;
        }
        var attributes = new List<ElementAttribute>();
        var declarations = new List<(string Prefix, string Uri)>();
        while (reader.MoveToNextAttribute())
        {
            if (reader.NamespaceURI != Xmlns)
            {
                attributes.Add(new ElementAttribute(reader.Prefix, reader.LocalName, reader.NamespaceURI, reader.Value));
            }
            else if (reader.Prefix.Length == 0 || reader.LocalName != "xml")
            {
                declarations.Add((reader.Prefix.Length == 0 ? "" : reader.LocalName, reader.Value));
            }
        }
        element.Take(attributes, declarations);
        return element;
    }

    private static void EndText(Element? open, StringBuilder run)
    {
        if (run.Length > 0 && open is not null)
        {
            open.Insert(open.Nodes.Count, new Text(run.ToString()));
        }
        run.Clear();
    }

    private static void Start(Element element, IReadOnlyDictionary<string, string> more, StringBuilder text)
    {
        text.Append('<').Append(element.Name);
        foreach ((string prefix, string uri) in more)
        {
            if (!element.Declares(prefix))
            {
                WriteDeclaration(prefix, uri, text);
            }
        }
        foreach ((string prefix, string uri) in element.Declarations)
        {
            WriteDeclaration(prefix, uri, text);
        }
        foreach (ElementAttribute attribute in element.Attributes)
        {
            text.Append(' ').Append(attribute.Name).Append("=\"");
            WriteValue(attribute.Value, text);
            text.Append('"');
        }
        text.Append('>');
    }

    private static void Content(Element element, StringBuilder text)
    {
        foreach (Node node in element.Nodes)
        {
            Write(node, text);
        }
    }
}
