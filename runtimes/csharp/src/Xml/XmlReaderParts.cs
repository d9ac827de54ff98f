using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Xml;

// Values with parts: unions, arrays, maps; and values taken whole: elements as text, attributes.
internal sealed partial class XmlReader
{
    // The size of the declarations added to values so far (XML-45).
    private long _declared;

    public override int Member(TextUnion union)
    {
        TextField field = _field!;
        TextFrame frame = Push(TextFrameKind.Union, field);
        frame.Fields = union.Members;
        if (union.IsRecursive)
        {
            Enter(union.Name, _pos);
        }
        if (union.IsDerived)
        {
            return Derived(frame, union);
        }
        if (field.Place != TextPlace.Inline)
        {
            CheckAttributes(union.IsExtensible);
            if (!Child())
            {
                throw Malformed(_pos, $"no element, where one of these must be: {union.Expected()}");
            }
            StartTag();
        }
        for (int i = 0; i < union.Members.Length; i++)
        {
            if (union.Members[i].Takes(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                Take(union.Members[i]);
                frame.Index = i;
                ChargeMember(union.Members[i]);
                return i;
            }
        }
        throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where one of these must be: {union.Expected()}");
    }

    public override void EndUnion(TextUnion union)
    {
        TextFrame frame = _top!;
        if (!union.IsDerived && frame.Field!.Place != TextPlace.Inline)
        {
            frame.Index = -1;
            if (_pending || Child())
            {
                if (!_pending)
                {
                    StartTag();
                }
                throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where the union ends");
            }
            EndTag();
        }
        if (union.IsRecursive)
        {
            Leave();
        }
        Pop();
    }

    public override void BeginItems()
    {
        TextField field = _field!;
        if (field.IsList)
        {
            TextFrame list = BeginList(field);
            list.List = ReferenceEquals(_slice, _b) ? _b : Taken.ToArray();
            list.ListPosition = ReferenceEquals(_slice, _b) ? _sliceFrom : 0;
            list.ListEnd = list.ListPosition + _sliceTo - _sliceFrom;
            return;
        }
        TextFrame frame = Push(TextFrameKind.Items, field);
        if (field.IsWrapped)
        {
            CheckAttributes();
            return;
        }
        frame.IsFirst = true;
        if (!_pending)
        {
            Remember(frame);
        }
    }

    public override bool NextItem()
    {
        TextFrame frame = _top!;
        TextField item = frame.Field!.Item!;
        _field = item;
        if (frame.RawStart >= 0 && !frame.IsFirst && !_pending && _b[_pos] == '<' && _prefixes.Count == frame.RawBindings
            && Same(frame.RawStart, _pos + 1, frame.RawLength) && _b[_pos + 1 + frame.RawLength] == '>')
        {
            PushElement(_pos + 1, frame.RawLength);
            _pos += frame.RawLength + 2;
            _attributes = 0;
            _source = Source.Element;
            frame.Index++;
        }
        else if (!(frame.List is null ? NextItemSlowly(frame, item) : NextListed(frame)))
        {
            return false;
        }
        Charge(frame.Field.EachCharge);
        return true;
    }

    public override void BeginEntries()
    {
        CheckAttributes();
        Push(TextFrameKind.Entries, _field);
    }

    public override bool NextEntry()
    {
        TextFrame frame = _top!;
        TextField field = frame.Field!;
        if (!Child())
        {
            EndTag();
            Pop();
            return false;
        }
        StartTag();
        if (!field.Entry.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
        {
            frame.Index = -1;
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where entry can be");
        }
        frame.Index++;
        Charge(field.EachCharge);
        _field = field.Key;
        Begin(field.Entry);
        _top!.Kind = TextFrameKind.Entry;
        return true;
    }

    public override void EndEntry() => End(_top!.Record!);

    public override string ReadRaw()
    {
        _pending = false;
        OpenElement element = _elements[_open - 1];
        int start = element.Name - 1;
        int after = element.Name + element.Length;
        int all = _prefixes.Count;
        SkipElement();
        if (_pos - start > _limits.MaxXmlText)
        {
            throw TooLarge(start, "maxXmlText", _limits.MaxXmlText, $"an element of {_pos - start} bytes");
        }
        var text = new StringBuilder(Encoding.UTF8.GetString(_b, start, after - start));
        string added = Declarations(start, element.Scope, all);
        text.Append(added);
        _declared += Encoding.UTF8.GetByteCount(added);
        if (_declared > _limits.MaxXmlText)
        {
            throw TooLarge(start, "maxXmlText", _limits.MaxXmlText, "declarations for elements that are kept as XML, of more bytes");
        }
        text.Append(Encoding.UTF8.GetString(_b, after, _pos - after));
        return text.Replace("\r\n", "\n").Replace('\r', '\n').ToString();
    }

    public override ValueMap<string, string> ReadAttributes()
    {
        var entries = new List<KeyValuePair<string, string>>();
        for (int k = 0; k < _attributes; k++)
        {
            ref Attribute attribute = ref _attribute[k];
            if (attribute.Field == Other)
            {
                string local = Encoding.UTF8.GetString(_b, attribute.Local, attribute.End - attribute.Local);
                Expand(k);
                Charge(_field!.EachCharge);
                entries.Add(new(attribute.Namespace.Length == 0 ? local : $"{{{attribute.Namespace}}}{local}", Encoding.UTF8.GetString(Taken)));
            }
        }
        return ValueMap.ToValueMap(entries);
    }

    internal override CreoException DuplicateKey(int entry) => Malformed(_pos - 1, $"the key of entry {entry} was there before");

    private int Derived(TextFrame frame, TextUnion union)
    {
        int found = Array.FindIndex(union.Members, static member => member.IsBase);
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, XmlName.Xsi, "type"u8))
            {
                found = TypeOf(union, k);
            }
        }
        if (found < 0)
        {
            throw Malformed(_pos, $"no xsi:type, where one of these must be: {union.Expected()}");
        }
        frame.Index = found;
        _field = union.Members[found];
        _source = Source.Element;
        ChargeMember(union.Members[found]);
        return found;
    }

    private int TypeOf(TextUnion union, int attribute)
    {
        Expand(attribute);
        Trim();
        ReadOnlySpan<byte> name = Taken;
        int colon = name.IndexOf((byte)':');
        string? ns = NamespaceOf(colon < 0 ? default : name[..colon]);
        for (int i = 0; i < union.Members.Length; i++)
        {
            XmlName type = union.Members[i].Xml;
            if (type.Namespace == ns && colon != 0 && name[(colon + 1)..].SequenceEqual(type.Bytes))
            {
                return i;
            }
        }
        int at = _attribute[attribute].Value;
        throw Malformed(at, $"the xsi:type {Shown(at, _attribute[attribute].ValueEnd)}, where one of these must be: {union.Expected()}");
    }

    // Remembers the tag of an item, unless it binds a prefix.
    private void Remember(TextFrame frame)
    {
        OpenElement element = _elements[_open - 1];
        if (_prefixes.Count == element.Scope && !_isLenient)
        {
            frame.RawStart = element.Name;
            frame.RawLength = element.Length;
            frame.RawBindings = _prefixes.Count;
        }
    }

    private bool NextItemSlowly(TextFrame frame, TextField item)
    {
        if (frame.IsFirst)
        {
            frame.IsFirst = false;
            frame.Index = 0;
            frame.LastPosition = _pos;
            Take(item);
            return true;
        }
        bool more = NextTag();
        if (_isLenient)
        {
            more = NextGathered(frame, item, more);
        }
        if (more && IsItem(item))
        {
            if (item.Place == TextPlace.Inline && frame.LastPosition == _pos)
            {
                throw Malformed(_pos, "an item without content");
            }
            frame.LastPosition = _pos;
            frame.Index++;
            if (frame.RawStart < 0 && item.Place == TextPlace.Element)
            {
                Remember(frame);
            }
            Take(item);
            return true;
        }
        if (frame.Field!.IsWrapped)
        {
            if (more)
            {
                frame.Index = -1;
                throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where {item.Shown()} can be");
            }
            EndTag();
        }
        Pop();
        return false;
    }

    // Goes to the next start tag and reads it; false if the innermost element ends.
    private bool NextTag()
    {
        if (!_pending && Child())
        {
            StartTag();
            _pending = true;
        }
        return _pending;
    }

    private bool IsItem(TextField item) => item.Place == TextPlace.Any ? IsOther() : item.Takes(_tagNamespace, _b, _tagLocal, _tagEnd);

    private bool NextListed(TextFrame frame)
    {
        byte[] bytes = frame.List!;
        int p = frame.ListPosition;
        while (p < frame.ListEnd && Digits.IsSpace(bytes[p]))
        {
            p++;
        }
        if (p == frame.ListEnd)
        {
            EndList(frame);
            return false;
        }
        int from = p;
        while (p < frame.ListEnd && !Digits.IsSpace(bytes[p]))
        {
            p++;
        }
        Slice(bytes, from, p);
        frame.ListPosition = p;
        frame.Index++;
        _source = Source.Listed;
        return true;
    }

    // Whether the tag is none of the current record's fields.
    private bool IsOther()
    {
        foreach (TextField field in _frames[_depth - 2].Fields)
        {
            if (field.Takes(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                return false;
            }
        }
        return true;
    }

    // The outer declarations that an element needs, which ended here: the default namespace, and each prefix before a colon in its text. There were
    // `around` bindings before its start tag, and `all` after it.
    private string Declarations(int from, int around, int all)
    {
        if (around == 0)
        {
            return "";
        }
        var needed = new SortedDictionary<byte[], string>(Comparer<byte[]>.Create(static (a, b) => a.AsSpan().SequenceCompareTo(b)));
        var seen = new HashSet<int>();
        _prefixes.Reset(_b, all);
        Need(default);
        for (int p = from; p < _pos; p++)
        {
            int colon = _b.AsSpan(p, _pos - p).IndexOf((byte)':');
            if (colon < 0)
            {
                break;
            }
            p += colon;
            int start = p;
            while (start > from && XmlChars.IsNameByte(_b[start - 1]))
            {
                start--;
            }
            if (start < p && _b[start - 1] != ':')
            {
                Need(_b.AsSpan(start, p - start));
            }
        }
        _prefixes.Reset(_b, around);
        var text = new StringBuilder();
        foreach ((byte[] prefix, string uri) in needed)
        {
            text.Append(prefix.Length == 0 ? " xmlns" : " xmlns:").Append(Encoding.UTF8.GetString(prefix)).Append("=\"").Append(EscapedUri(uri)).Append('"');
        }
        return text.ToString();

        void Need(ReadOnlySpan<byte> prefix)
        {
            int i = _prefixes.Find(_b, prefix);
            if (i >= 0 && i < around && seen.Add(i) && _prefixes[i].Uri is { Length: > 0 } uri && uri != XmlName.XmlSpace)
            {
                needed[prefix.ToArray()] = uri;
            }
        }
    }

    internal static string EscapedUri(string uri) =>
        uri.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;").Replace("\t", "&#9;").Replace("\n", "&#10;").Replace("\r", "&#13;");
}
