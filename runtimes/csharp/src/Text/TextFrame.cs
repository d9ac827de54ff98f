using System;

namespace Creo;

/// <summary>What a frame of a reader is.</summary>
internal enum TextFrameKind
{
    Record,
    Union,
    Items,
    Entries,

    /// <summary>A record that is the key and the value of an entry.</summary>
    Entry,
}

/// <summary>What a reader has begun and not yet ended: a record, a union, an array, a map. Used again.</summary>
internal sealed class TextFrame
{
    private ulong _seen;
    private ulong[] _more = [];

    public TextFrameKind Kind { get; set; }

    /// <summary>The field whose value it is.</summary>
    public TextField? Field { get; private set; }

    public TextRecord? Record { get; private set; }

    public TextField[] Fields { get; set; } = [];

    /// <summary>That of its record.</summary>
    public int[]? Following { get; private set; }

    /// <summary>The field, item or entry that is being read; -1 before the first.</summary>
    public int Index { get; set; }

    /// <summary>Whether <see cref="TextWireReader.Next"/> may try its prediction at once.</summary>
    public bool IsSimple { get; set; }

    /// <summary>Without an element of its own.</summary>
    public bool IsInline { get; set; }

    /// <summary>Nothing more comes.</summary>
    public bool IsEnded { get; set; }

    /// <summary>The end tag was read.</summary>
    public bool IsClosed { get; set; }

    public bool IsTextRead { get; set; }

    /// <summary>The next item has begun already.</summary>
    public bool IsFirst { get; set; }

    /// <summary>The name of the items' elements as it is in the text, so that the next is likely to be the same; -1 for none.</summary>
    public int RawStart { get; set; }

    public int RawLength { get; set; }

    public int RawBindings { get; set; }

    /// <summary>An array in one text.</summary>
    public byte[]? List { get; set; }

    public int ListPosition { get; set; }

    public int ListEnd { get; set; }

    /// <summary>How many prefixes are bound after the list; -1 if its items know none.</summary>
    public int BindingsAfter { get; set; }

    public int LastPosition { get; set; }

    /// <summary>Where elements begin that were skipped to find items after them; -1 for nowhere (XML-51).</summary>
    public int GatheredFrom { get; set; }

    /// <summary>The attributes and the text of its element were read.</summary>
    public bool IsTagRead { get; set; }

    /// <summary>The length of its index.</summary>
    public int Length { get; set; }

    /// <summary>Where its next column begins, with its bar; -1 for none. And how many there were.</summary>
    public int ColumnAt { get; set; }

    public int Column { get; set; }

    /// <summary>The row at which it began, and whether that is its own.</summary>
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
        IsSimple = IsInline = IsEnded = IsClosed = IsTextRead = IsTagRead = IsFirst = HasRow = false;
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

    /// <summary>The first fields that were seen, as bits.</summary>
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
