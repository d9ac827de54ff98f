using System.Collections.Generic;

namespace Creo.Soap;

/// <summary>A bound prefix of an encoded message, and the binding before it.</summary>
internal sealed record EncodedBinding(string Prefix, string Uri, EncodedBinding? Before);

/// <summary>An attribute that the literal form keeps: its range in the text.</summary>
/// <param name="From">The start of the name; of the quote if it has another name.</param>
/// <param name="To">The index after the closing quote.</param>
/// <param name="Xsi">The local name of an attribute in a namespace equivalent to <c>xsi</c>; null for all others.</param>
internal readonly record struct EncodedAttribute(int From, int To, string? Xsi);

/// <summary>An element of an encoded message: its range in the text, and its attributes.</summary>
internal sealed class EncodedElement
{
    private static readonly List<EncodedElement> None = [];

    private List<EncodedElement>? _children;
    private List<EncodedAttribute>? _attributes;

    public required EncodedElement? Outer { get; init; }

    /// <summary>The index of its start tag.</summary>
    public required int Start { get; init; }

    /// <summary>The indices of its local name, and after it.</summary>
    public required (int From, int To) Local { get; init; }

    public required string Namespace { get; init; }

    /// <summary>The index after its start tag.</summary>
    public required int Content { get; init; }

    /// <summary>The index of its end tag; if it has none, the one after its start tag.</summary>
    public int ContentEnd { get; set; }

    /// <summary>The index after its end tag.</summary>
    public int End { get; set; }

    /// <summary>The prefixes bound within it, innermost first.</summary>
    public required EncodedBinding? Bindings { get; init; }

    /// <summary>Whether it has text other than white space.</summary>
    public bool HasText { get; set; }

    public string? Id { get; set; }

    /// <summary>The id of the element that it refers to.</summary>
    public string? Href { get; set; }

    /// <summary>The element that it refers to, once resolved.</summary>
    public EncodedElement? Target { get; set; }

    /// <summary>The type of its <c>xsi:type</c> in the default namespace.</summary>
    public (string Namespace, string Local)? DefaultType { get; set; }

    public bool IsRoot { get; set; }

    public bool IsArray { get; set; }

    /// <summary>Whether the array has several dimensions.</summary>
    public bool HasDimensions { get; set; }

    public string? Offset { get; set; }

    public string? Position { get; set; }

    /// <summary>Whether it is being written, or its target is being searched.</summary>
    public bool IsOpen { get; set; }

    /// <summary>The attributes that the literal form keeps.</summary>
    public IReadOnlyList<EncodedAttribute> Attributes => (IReadOnlyList<EncodedAttribute>?)_attributes ?? [];

    public List<EncodedElement> Children => _children ?? None;

    public void Add(EncodedElement child) => (_children ??= []).Add(child);

    public void DropAttributes() => _attributes = null;

    public void Add(EncodedAttribute attribute) => (_attributes ??= []).Add(attribute);
}

/// <summary>The body of an encoded message.</summary>
/// <param name="Text">The whole text.</param>
/// <param name="From">The start of the envelope.</param>
/// <param name="To">The end of the text.</param>
internal sealed record EncodedBody(byte[] Text, int From, int To)
{
    /// <summary>The body's element.</summary>
    public EncodedElement Root { get; set; } = null!;

    /// <summary>The elements by id; null for a duplicate id.</summary>
    public Dictionary<string, EncodedElement?> Ids { get; } = [];

    /// <summary>All bound prefixes of the body, with the namespace of those that are bound around its content.</summary>
    public Dictionary<string, string?> Prefixes { get; } = [];

    /// <summary>Whether an element in the body rebinds a prefix of the surroundings.</summary>
    public bool Shadows { get; set; }

    /// <summary>The element of the message: the root, or the first (SOAP-32).</summary>
    public EncodedElement? Message => Root.Children.Find(static each => each.IsRoot) ?? (Root.Children.Count > 0 ? Root.Children[0] : null);
}
