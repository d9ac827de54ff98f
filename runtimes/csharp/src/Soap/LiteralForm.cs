using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using Creo.Xml;

namespace Creo.Soap;

/// <summary>Writes the literal form of an encoded message (SOAP-32); unaffected parts are not changed.</summary>
/// <param name="body">The message.</param>
/// <param name="limits">The reader's limits.</param>
/// <param name="padding">The free bytes after the text.</param>
internal sealed class LiteralForm(EncodedBody body, Limits limits, int padding)
{
    private const int MaxIndexDigits = 9;

    private static readonly byte[] Item = "item"u8.ToArray();

    // The elements being written, innermost last.
    private readonly List<Frame> _frames = [];
    private readonly HashSet<string> _declared = [];

    // Prefixes for xsi, for the message's namespace and for types without a prefix: no other declaration binds them.
    private readonly string _xsi = Free(body, "i");
    private readonly string _own = Free(body, "m");
    private readonly string _type = Free(body, "t");

    private byte[] _text = new byte[body.To - body.From + 256 + padding];

    // The number of referenced elements being written, and the max number of further bytes for their content.
    private int _referring;
    private int _room = limits.MaxMessageSize;
    private int _missing = limits.MaxEmptyItems;

    /// <summary>The written text, with the free bytes after it.</summary>
    public byte[] Text => _text;

    /// <summary>The size of the written text.</summary>
    public int Length { get; private set; }

    /// <summary>Writes a message with a result: its element and first child element get the names of the response and the result.</summary>
    /// <returns>Whether anything was written.</returns>
    public bool WriteResult(EncodedElement message, TextField? element, TextRecord record)
    {
        TextField? result = record.Fields.Length > 0 ? record.Fields[0] : null;
        XmlName? name = (element ?? result)?.Xml;
        if (name is null)
        {
            return false;
        }
        // Inline and any fields have no name.
        bool isNamed = name.Bytes.Length > 0;
        ReadOnlyMemory<byte>? first = element is not null && result?.Xml.Bytes is { Length: > 0 } bytes ? bytes.AsMemory() : (ReadOnlyMemory<byte>?)null;
        WriteChildren(body.Root, each =>
        {
            if (ReferenceEquals(each, message))
            {
                // Its attributes, such as nil, have no meaning.
                each.DropAttributes();
                Write(each, isNamed ? name.Namespace : each.Namespace, isNamed ? name.Bytes : LocalOf(each), first);
            }
        });
        return true;
    }

    /// <summary>Writes a message with a fault; the elements of its detail are values.</summary>
    /// <returns>Whether anything was written.</returns>
    public bool WriteFault(EncodedElement fault, IReadOnlyList<TextCase> throws)
    {
        EncodedElement? detail = fault.Children.Find(each => LocalOf(each).Span.SequenceEqual("detail"u8) || LocalOf(each).Span.SequenceEqual("Detail"u8));
        if (detail is null || detail.Children.Count == 0)
        {
            return false;
        }
        WriteChildren(detail, each =>
        {
            string ns = each.Namespace;
            foreach (TextCase declared in throws)
            {
                ns = LocalOf(each).Span.SequenceEqual(declared.Root.Xml.Bytes) ? declared.Root.Xml.Namespace : ns;
            }
            Write(each, ns, LocalOf(each), default);
        });
        return true;
    }

    // A prefix that is not bound in the message.
    private static string Free(EncodedBody body, string start)
    {
        string prefix = start;
        for (int i = 1; body.Prefixes.ContainsKey(prefix); i++)
        {
            prefix = start + i.ToString(CultureInfo.InvariantCulture);
        }
        return prefix;
    }

    // Writes the whole text; a function writes the children of an element.
    private void WriteChildren(EncodedElement outer, Action<EncodedElement> write)
    {
        int from = body.From;
        foreach (EncodedElement each in outer.Children)
        {
            Copy(from, each.Start);
            write(each);
            from = each.End;
        }
        Copy(from, body.To);
    }

    // Writes an element under a name, and its content without namespaces; its first child element may get a name too.
    private void Write(EncodedElement element, string ns, ReadOnlyMemory<byte> local, ReadOnlyMemory<byte>? first)
    {
        string own = ns.Length == 0 ? "" : $" xmlns:{_own}=\"{XmlReader.EscapedUri(ns)}\"";
        ReadOnlyMemory<byte> name = ns.Length == 0 ? local : (byte[])[.. Encoding.UTF8.GetBytes(_own + ":"), .. local.Span];
        Open(element, name, $"{own} xmlns:{_xsi}=\"{XmlName.Xsi}\" xmlns=\"\"", first);
        while (_frames.Count > 0)
        {
            Frame frame = _frames[^1];
            EncodedElement target = frame.Element;
            if (frame.Next == target.Children.Count)
            {
                Copy(frame.From, target.ContentEnd);
                Close(frame);
                continue;
            }
            EncodedElement child = target.Children[frame.Next++];
            Copy(frame.From, child.Start);
            frame.From = child.End;
            if (target.IsArray)
            {
                FillTo(frame, child);
                Open(child, Item);
            }
            else
            {
                Open(child, frame.First ?? LocalOf(child));
                frame.First = null;
            }
        }
    }

    private void Open(EncodedElement element, ReadOnlyMemory<byte> name, string declarations = "", ReadOnlyMemory<byte>? first = null)
    {
        EncodedElement target = Target(element);
        if (target.IsOpen)
        {
            throw Malformed("an element refers to itself");
        }
        if (target.HasDimensions)
        {
            throw Malformed("an array of several dimensions is not read");
        }
        target.IsOpen = true;
        bool refers = !ReferenceEquals(target, element);
        _referring += refers ? 1 : 0;
        Put("<"u8);
        Put(name.Span);
        Put(declarations);
        Declare(target, refers);
        foreach (EncodedAttribute attribute in target.Attributes)
        {
            Put(attribute.Xsi is null ? " " : $" {_xsi}:{attribute.Xsi}=");
            Copy(attribute.From, attribute.To);
        }
        if (target.DefaultType is var (ns, local))
        {
            Put($" xmlns:{_type}=\"{XmlReader.EscapedUri(ns)}\" {_xsi}:type=\"{_type}:{local}\"");
        }
        Put(">"u8);
        int offset = target.Offset is null || !target.IsArray ? 0 : Index(target.Offset);
        _frames.Add(new Frame { Element = target, Name = name, Refers = refers, From = target.Content, First = first, At = offset });
    }

    private void Close(Frame frame)
    {
        Put("</"u8);
        Put(frame.Name.Span);
        Put(">"u8);
        frame.Element.IsOpen = false;
        _referring -= frame.Refers ? 1 : 0;
        _frames.RemoveAt(_frames.Count - 1);
    }

    // Declares an element's prefixes; after a reference, also those of its outer elements.
    private void Declare(EncodedElement element, bool all)
    {
        EncodedBinding? end = !all ? element.Outer!.Bindings : body.Shadows ? null : body.Root.Bindings;
        _declared.Clear();
        for (EncodedBinding? each = element.Bindings; !ReferenceEquals(each, end); each = each!.Before)
        {
            if (_declared.Add(each!.Prefix) && each.Prefix != "xml")
            {
                Put($" xmlns:{each.Prefix}=\"{XmlReader.EscapedUri(each.Uri)}\"");
            }
        }
    }

    // The element itself, or the one that it refers to.
    private EncodedElement Target(EncodedElement element)
    {
        EncodedElement target = element;
        while (target.Href is not null && target.Target is null)
        {
            if (target.HasText || target.Children.Count > 0)
            {
                throw Malformed("an element that refers to another holds something");
            }
            if (!body.Ids.TryGetValue(target.Href, out EncodedElement? found) || found is null)
            {
                throw Malformed($"{Shown("#" + target.Href)} refers to no element, or to several");
            }
            if (target.IsOpen)
            {
                throw Malformed("an element refers to itself");
            }
            target.IsOpen = true;
            target = found;
        }
        target = target.Target ?? target;
        for (EncodedElement? each = element; each is { Href: not null, Target: null }; each = body.Ids[each.Href])
        {
            each.Target = target;
            each.IsOpen = false;
        }
        return target;
    }

    // Writes the missing items before an item.
    private void FillTo(Frame array, EncodedElement item)
    {
        int at = item.Position is null ? array.At : Index(item.Position);
        int missing = at - array.Written;
        if (missing < 0)
        {
            throw Malformed("the positions of an array go down");
        }
        if (missing > _missing)
        {
            throw CreoException.TooLarge("maxEmptyItems", limits.MaxEmptyItems, $"more than {limits.MaxEmptyItems} items are missing");
        }
        _missing -= missing;
        for (int i = 0; i < missing; i++)
        {
            Put($"<item {_xsi}:nil=\"true\"></item>");
        }
        array.At = array.Written = at + 1;
    }

    private static int Index(string text)
    {
        ReadOnlySpan<char> digits = text is ['[', .., ']'] ? text.AsSpan(1, text.Length - 2) : "";
        return digits.Length is > 0 and <= MaxIndexDigits && digits.IndexOfAnyExceptInRange('0', '9') < 0
            ? int.Parse(digits, CultureInfo.InvariantCulture)
            : throw Malformed($"{Shown(text)} is no position in an array of one dimension");
    }

    private static CreoException Malformed(string text) => new(ErrorCode.Malformed, text);

    // A text of the message for errors.
    private static string Shown(string text) => $"\"{(text.Length > 100 ? text[..100] : text)}\"";

    private ReadOnlyMemory<byte> LocalOf(EncodedElement element) => body.Text.AsMemory(element.Local.From, element.Local.To - element.Local.From);

    private void Copy(int from, int to) => Put(body.Text.AsSpan(from, to - from));

    private void Put(string text)
    {
        if (text.Length > 0)
        {
            Put(Encoding.UTF8.GetBytes(text));
        }
    }

    private void Put(ReadOnlySpan<byte> bytes)
    {
        if (_referring > 0 && (_room -= bytes.Length) < 0)
        {
            throw CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, $"what elements refer to is longer than {limits.MaxMessageSize} bytes");
        }
        long wanted = (long)Length + bytes.Length + padding;
        if (wanted > Math.Min(limits.MaxMemory, Array.MaxLength))
        {
            throw CreoException.TooMuchMemory(limits);
        }
        if (wanted > _text.Length)
        {
            Array.Resize(ref _text, (int)Math.Min(2 * wanted, Array.MaxLength));
        }
        bytes.CopyTo(_text.AsSpan(Length));
        Length += bytes.Length;
    }

    // An element being written.
    private sealed class Frame
    {
        public required EncodedElement Element { get; init; }

        public required ReadOnlyMemory<byte> Name { get; init; }

        public required bool Refers { get; init; }

        // The next text to be copied.
        public required int From { get; set; }

        public required ReadOnlyMemory<byte>? First { get; set; }

        // The index of the next item, and the number of written items.
        public required int At { get; set; }

        public int Written { get; set; }

        // The next element within it.
        public int Next { get; set; }
    }
}
