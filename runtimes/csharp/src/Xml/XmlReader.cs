using System;
using System.Collections.Generic;
using System.Text;

namespace Creo.Xml;

/// <summary>Reads XML values: finds the field of each element.</summary>
/// <remarks>
/// A correctly predicted element takes one comparison of its bytes; only if that fails is its name looked up.
/// </remarks>
internal sealed partial class XmlReader : TextInput
{
    // Attributes without a field: skipped, or taken by the field for any attribute.
    private const int Skipped = -1;
    private const int Other = -2;

    [ThreadStatic]
    private static XmlReader? t_reader;

    // The position of the next value.
    private Source _source;
    private int _fromAttribute;
    private int _nextAttribute;

    // Whether a start tag was read that no field has taken.
    private bool _pending;

    // The next field was absent: its record has no elements.
    private bool _lacking;

    // The next record's element is the body of a message.
    private bool _inBody;

    // The next record is a response with parts in the header.
    private bool _inEnvelope;

    // The MIME parts; null for none.
    private ITextParts? _parts;

    // A prefix that needs no declaration, and its namespace; null for none.
    private byte[] _impliedPrefix = [];
    private string? _impliedNamespace;

    // The position of a value.
    private enum Source
    {
        // Within the element whose start tag was read.
        Element,
        Attribute,

        // Within the element of its record.
        Text,
        Listed,

        // At the start of a tag that was not taken yet.
        Pending,
    }

    // The input is or was encoded (SOAP-32): offsets have no meaning for its sender.
    private bool _isEncoded;

    public override CreoException Locate(CreoException error) => error.At(Place(), _isEncoded ? null : error.Offset);

    /// <summary>The thread's reader, or a new one.</summary>
    public static XmlReader Rent(Limits limits)
    {
        XmlReader reader = t_reader ?? new XmlReader();
        t_reader = null;
        reader.Begin(limits);
        reader._pending = reader._lacking = reader._inBody = reader._inEnvelope = reader._isEncoded = reader._isLenient = false;
        reader._parts = null;
        reader._impliedNamespace = null;
        return reader;
    }

    private protected override long Here => _pos;

    /// <summary>Sets the parts of the multipart whose root is read; null for none.</summary>
    public void Use(ITextParts? parts) => _parts = parts;

    public override void GiveBack()
    {
        _b = [];
        _slice = [];
        _parts = null;
        if (_own.Length > KeptCapacity)
        {
            _own = [];
        }
        if (_scratch.Length > KeptCapacity)
        {
            _scratch = new byte[256];
        }
        t_reader = this;
    }

    /// <summary>Begins the element of a standalone value.</summary>
    public void BeginRoot(TextField root)
    {
        Child();
        StartTag();
        if (!root.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
        {
            throw Malformed(_elements[0].Name, $"the element {ShownTag()}, where {root.Xml} must be");
        }
        _field = root;
        _source = Source.Element;
    }

    /// <summary>The bytes of a text, which must be one complete element, with a name if one is given.</summary>
    public static byte[] CheckElement(string text, XmlName? name, Limits limits)
    {
        byte[] bytes = new byte[Encoding.UTF8.GetMaxByteCount(text.Length)];
        if (global::System.Text.Unicode.Utf8.FromUtf16(text, bytes, out _, out int length, replaceInvalidSequences: false) != global::System.Buffers.OperationStatus.Done)
        {
            throw new CreoException(ErrorCode.InvalidValue, "the text holds a lone surrogate");
        }
        // The thread's reader may be in use, since a value can be written while another is read.
        XmlReader reader = Rent(limits);
        try
        {
            // Written text is not charged.
            reader.Open(bytes.AsSpan(0, length), "utf-8", charged: 0);
            if (length == 0 || reader._b[0] != '<' || reader._b[1] is (byte)'!' or (byte)'?')
            {
                throw reader.Malformed(0, "no element");
            }
            reader.StartTag();
            if (name is not null && !name.Is(reader._tagNamespace, reader._b, reader._tagLocal, reader._tagEnd))
            {
                throw reader.Malformed(0, $"the element {reader.ShownTag()}, where {name} must be");
            }
            reader.SkipElement();
            if (reader._pos != reader._end)
            {
                throw reader.Malformed(reader._pos, "something after the element");
            }
        }
        finally
        {
            reader.GiveBack();
        }
        return bytes[..length];
    }

    public override void Begin(TextRecord record)
    {
        TextField? field = _field;
        bool inline = !_inBody && !_inEnvelope && field!.Place == TextPlace.Inline;
        TextFrame frame = Push(TextFrameKind.Record, field);
        frame.Begin(record);
        if (record.IsRecursive)
        {
            Enter(record.Name, _pos);
        }
        frame.IsInline = inline;
        if (_inEnvelope)
        {
            BeginParts(frame);
        }
        else if (_inBody)
        {
            _inBody = false;
            _nextAttribute = _attributes;
            frame.IsSimple = !_isLenient;
        }
        else if (inline)
        {
            frame.IsEnded = _lacking;
            _lacking = false;
            _nextAttribute = _attributes;
        }
        else if (_attributes == 0 && !_empty && record.Text < 0)
        {
            frame.IsSimple = !_isLenient;
            _nextAttribute = 0;
        }
        else
        {
            BeginTag(frame, record);
        }
    }

    public override int Next(int likely)
    {
        TextFrame frame = _top!;
        if (frame.IsSimple && !_pending && (uint)likely < (uint)frame.Fields.Length)
        {
            TextField field = frame.Fields[likely];
            XmlName name = field.Xml;
            int p = _pos + 1;
            if (field.Place == TextPlace.Element && _b[p - 1] == '<' && ReferenceEquals(_likelyNamespace, name.Namespace) && (Word(p) & _likelyMask) == _likelyPrefix)
            {
                int from = p + _likelyLength;
                int to = from + name.Bytes.Length;
                if (name.IsAt(ref _b[from]) && _b[to] == '>' && !frame.Saw(likely))
                {
                    PushElement(p, to - p);
                    _attributes = 0;
                    _pos = to + 1;
                    frame.See(likely);
                    frame.Index = likely;
                    _field = field;
                    _source = Source.Element;
                    return likely;
                }
            }
        }
        return NextSlowly(frame, likely);
    }

    public override void End(TextRecord record)
    {
        TextFrame frame = _top!;
        TextField[] fields = frame.Fields;
        for (int i = record.HasAll(frame.Seen) ? fields.Length : 0; i < fields.Length; i++)
        {
            if (fields[i].IsRequired && !frame.Saw(i))
            {
                TextField field = fields[i];
                string what = field.Place switch
                {
                    TextPlace.Attribute => "the attribute " + field.Xml.Local,
                    TextPlace.Text => "the text",
                    _ => "the element " + field.Shown(),
                };
                throw Malformed(_pos, $"without {what}, which must be there");
            }
        }
        if (!frame.IsInline && !frame.IsClosed)
        {
            if (frame.IsTextRead && Child())
            {
                throw Malformed(_pos, "an element within a text that is nothing");
            }
            EndTag();
        }
        if (record.IsRecursive)
        {
            Leave();
        }
        Pop();
    }

    public override bool Lacks(int field)
    {
        TextFrame frame = _top!;
        if (frame.Saw(field))
        {
            return false;
        }
        frame.See(field);
        frame.Index = field;
        _field = frame.Fields[field];
        _source = Source.Pending;
        _lacking = true;
        return true;
    }

    public override bool ReadNil()
    {
        if (_source != Source.Element || _attributes == 0 || !IsNil())
        {
            if (!_isLenient || _source != Source.Element || !IsBlank(_field!))
            {
                Charge(_field!.ValueCharge);
                return false;
            }
        }
        if (Child())
        {
            throw Malformed(_pos, "an element within one that is nothing");
        }
        EndTag();
        return true;
    }

    // Finds the fields of the tag's attributes.
    private void BeginTag(TextFrame frame, TextRecord record)
    {
        _nextAttribute = 0;
        if (_attributes == 0)
        {
            return;
        }
        if (IsNil())
        {
            if (record.Text < 0 || !record.Fields[record.Text].IsOptional)
            {
                throw NotOptional();
            }
            frame.IsTextRead = true;
        }
        for (int k = 0; k < _attributes; k++)
        {
            _attribute[k].Field = FieldOf(record, ref _attribute[k]);
        }
    }

    private int FieldOf(TextRecord record, ref Attribute attribute)
    {
        bool ours = ReferenceEquals(attribute.Namespace, XmlName.None);
        if (record.IsOpen)
        {
            for (int i = 0; i < record.Fields.Length; i++)
            {
                TextField field = record.Fields[i];
                if (field.Place == TextPlace.Attribute)
                {
                    if (field.Xml.Is(attribute.Namespace, _b, attribute.Local, attribute.End))
                    {
                        return i;
                    }
                    ours |= ReferenceEquals(field.Xml.Namespace, attribute.Namespace);
                }
            }
        }
        if (attribute.Namespace == XmlName.Xsi)
        {
            return Skipped;
        }
        if (record.AnyAttribute >= 0)
        {
            return Other;
        }
        if (ours && attribute.Namespace != XmlName.XmlSpace && !record.IsExtensible && !_isLenient)
        {
            throw Malformed(attribute.Name, $"the attribute {Shown(attribute.Name, attribute.End)}, where these can be: {record.ExpectedAttributes()}{Skips}");
        }
        return Skipped;
    }

    private int NextSlowly(TextFrame frame, int likely)
    {
        if (!frame.IsSimple && !frame.IsTagRead && !frame.IsInline)
        {
            int i = NextOfTag(frame);
            if (i >= 0)
            {
                return i;
            }
        }
        while (!frame.IsEnded)
        {
            if (!_pending)
            {
                if (!Child())
                {
                    if (!frame.IsInHeader)
                    {
                        break;
                    }
                    LeaveHeader(frame);
                    return NextSlowly(frame, likely);
                }
                StartTag();
            }
            if (_isLenient && WasGathered(frame))
            {
                _pending = false;
                SkipElement();
                continue;
            }
            int i = Find(frame, likely);
            if (_isLenient && i >= 0 && IsMissing(frame.Fields[i]))
            {
                _pending = false;
                SkipElement();
                continue;
            }
            if (i >= 0)
            {
                Take(frame.Fields[i]);
                frame.See(i);
                frame.Index = i;
                return i;
            }
            _pending = true;
            if (frame.IsInline)
            {
                break;
            }
            Unknown(frame);
        }
        frame.IsEnded = true;
        frame.Index = -1;
        return -1;
    }

    // Goes through the attributes and the text of a record.
    private int NextOfTag(TextFrame frame)
    {
        TextRecord record = frame.Record!;
        while (_nextAttribute < _attributes)
        {
            int k = _nextAttribute++;
            int i = _attribute[k].Field;
            if (i == Other && !frame.Saw(record.AnyAttribute))
            {
                i = record.AnyAttribute;
            }
            if (i >= 0 && !(_isLenient && IsBlankAttribute(frame.Fields[i], k)))
            {
                _source = Source.Attribute;
                _fromAttribute = k;
                return Found(frame, i);
            }
        }
        if (record.Text >= 0)
        {
            if (!frame.IsTextRead)
            {
                frame.IsTextRead = true;
                if (!_isLenient || !IsBlank(frame.Fields[record.Text]))
                {
                    _source = Source.Text;
                    return Found(frame, record.Text);
                }
            }
            frame.IsEnded = true;
            return -1;
        }
        frame.IsSimple = !_isLenient && !_empty && !frame.HasHeaders;
        frame.IsTagRead = true;
        return -1;
    }

    private int Found(TextFrame frame, int field)
    {
        frame.See(field);
        frame.Index = field;
        _field = frame.Fields[field];
        return field;
    }

    // Begins a response of parts, and goes from there to the body: implemented by the part for envelopes (SOAP-26).
    partial void BeginParts(TextFrame frame);

    partial void LeaveHeader(TextFrame frame);

    // Goes to the value of a field whose start tag was read.
    private void Take(TextField field)
    {
        _field = field;
        _pending = field.Place is TextPlace.Inline or TextPlace.Any;
        _source = _pending ? Source.Pending : Source.Element;
    }

    // The field of the tag, or -1.
    private int Find(TextFrame frame, int likely)
    {
        TextField[] fields = frame.Fields;
        for (int i = Math.Max(0, likely); i < fields.Length; i++)
        {
            if (Takes(frame, i))
            {
                return i;
            }
        }
        if (!frame.IsInline)
        {
            for (int i = 0; i < likely && i < fields.Length; i++)
            {
                if (Takes(frame, i))
                {
                    return i;
                }
            }
            int any = frame.Record!.Any;
            if (any >= 0 && !frame.Saw(any) && !frame.IsInHeader)
            {
                return any;
            }
        }
        return -1;
    }

    private bool Takes(TextFrame frame, int field)
    {
        if (!frame.Fields[field].Takes(_tagNamespace, _b, _tagLocal, _tagEnd) || (frame.HasHeaders && frame.Fields[field].IsHeader != frame.IsInHeader))
        {
            return false;
        }
        if (!frame.Saw(field))
        {
            return true;
        }
        if (frame.IsInline)
        {
            return false;
        }
        frame.Index = -1;
        throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, which was there before{(IsRepeated(frame.Fields[field]) ? Accepts : "")}");
    }

    // Skips a tag that is no field of the record, or fails.
    private void Unknown(TextFrame frame)
    {
        if (!frame.Record!.IsExtensible && !_isLenient && !frame.IsInHeader)
        {
            frame.Index = -1;
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where these can be: {frame.Record.Expected()}{Skips}");
        }
        _pending = false;
        SkipElement();
    }

    // Whether the tag has xsi:nil.
    private bool IsNil()
    {
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, XmlName.Xsi, "nil"u8))
            {
                Expand(k);
                Trim();
                if (Taken.SequenceEqual("true"u8) || Taken.SequenceEqual("1"u8))
                {
                    return true;
                }
                return Taken.SequenceEqual("false"u8) || Taken.SequenceEqual("0"u8)
                    ? false
                    : throw Malformed(_attribute[k].Value, "an xsi:nil that is no boolean");
            }
        }
        return false;
    }

    private CreoException NotOptional() => Malformed(_pos, "nothing, where a value must be" + MissingHint());

    // Checks the attributes of an element that has none of its own (XML-26): of an extensible type, those without namespace are skipped.
    private void CheckAttributes(bool isExtensible = false)
    {
        if (_attributes == 0)
        {
            return;
        }
        if (IsNil())
        {
            throw NotOptional();
        }
        for (int k = 0; k < _attributes && !isExtensible; k++)
        {
            if (ReferenceEquals(_attribute[k].Namespace, XmlName.None) && !_isLenient)
            {
                throw Malformed(_attribute[k].Name, $"the attribute {Shown(_attribute[k].Name, _attribute[k].End)}, where none can be{Skips}");
            }
        }
    }
}
