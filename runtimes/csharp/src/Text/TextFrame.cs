using System;

namespace Creo;

/// <summary>The kind of a reader's frame.</summary>
internal enum TextFrameKind
{
    Record,
    Union,
    Items,
    Entries,

    /// <summary>A record with the key and the value of an entry.</summary>
    Entry,
}

/// <summary>A record, union, array or map that a reader has begun. Reused.</summary>
internal sealed class TextFrame
{
    private ulong _seen;
    private ulong[] _more = [];

    public TextFrameKind Kind { get; set; }

    /// <summary>The field of the value.</summary>
    public TextField? Field { get; private set; }

    public TextRecord? Record { get; private set; }

    public TextField[] Fields { get; set; } = [];

    /// <summary>The same member of its record.</summary>
    public int[]? Following { get; private set; }

    /// <summary>The current field, item or entry; -1 before the first.</summary>
    public int Index { get; set; }

    /// <summary>Whether <see cref="TextWireReader.Next"/> may try its prediction at once.</summary>
    public bool IsSimple { get; set; }

    /// <summary>Whether it has no element of its own.</summary>
    public bool IsInline { get; set; }

    /// <summary>Whether nothing more follows.</summary>
    public bool IsEnded { get; set; }

    /// <summary>Whether the end tag was read.</summary>
    public bool IsClosed { get; set; }

    public bool IsTextRead { get; set; }

    /// <summary>Whether the next item has already begun.</summary>
    public bool IsFirst { get; set; }

    /// <summary>The position of the items' element name, which the next one is likely to equal; -1 for none.</summary>
    public int RawStart { get; set; }

    public int RawLength { get; set; }

    public int RawBindings { get; set; }

    /// <summary>An array in one text.</summary>
    public byte[]? List { get; set; }

    public int ListPosition { get; set; }

    public int ListEnd { get; set; }

    /// <summary>The number of prefixes bound after the list; -1 if its items use none.</summary>
    public int BindingsAfter { get; set; }

    public int LastPosition { get; set; }

    /// <summary>Where elements begin that were skipped to find items after them; -1 for nowhere (XML-51).</summary>
    public int GatheredFrom { get; set; }

    /// <summary>The attributes and the text of its element were read.</summary>
    public bool IsTagRead { get; set; }

    /// <summary>Whether it is a response of parts, which may be in the header, and whether it is read there now (SOAP-26, SOAP-100).</summary>
    public bool HasHeaders { get; set; }

    public bool IsInHeader { get; set; }

    /// <summary>The length of its index.</summary>
    public int Length { get; set; }

    /// <summary>The start of its next column, with its bar; -1 for none. And the number of columns.</summary>
    public int ColumnAt { get; set; }

    public int Column { get; set; }

    /// <summary>The row at which it began, and whether it is its own.</summary>
    public int RowAt { get; set; }

    public bool HasRow { get; set; }

    public void Clear(TextFrameKind kind, TextField? field)
    {
        Kind = kind;
        Field = field;
        Record = null;
        Fields = [];
        Following = null;
        Index = -1;
        IsSimple = IsInline = IsEnded = IsClosed = IsTextRead = IsTagRead = IsFirst = HasRow = HasHeaders = IsInHeader = false;
        RawStart = LastPosition = GatheredFrom = ColumnAt = -1;
        Column = 0;
        List = null;
        _seen = 0;
    }

    public void Begin(TextRecord record)
    {
        Record = record;
        Fields = record.Fields;
        Following = record.Following;
        if (Fields.Length > 64)
        {
            int words = (Fields.Length - 1) / 64;
            if (_more.Length < words)
            {
                _more = new ulong[words];
            }
            else
            {
                Array.Clear(_more);
            }
        }
    }

    /// <summary>The first fields that were present, as bits.</summary>
    public ulong Seen => _seen;

    public bool Saw(int field) => (((field < 64 ? _seen : _more[field / 64 - 1]) >> field) & 1) != 0;

    public void See(int field)
    {
        if (field < 64)
        {
            _seen |= 1UL << field;
        }
        else
        {
            _more[field / 64 - 1] |= 1UL << field;
        }
    }
}
