using System;
using System.Text;
using Creo.Tables;

namespace Creo.Xml;

// The XML around tables (TDX-1 to TDX-4).
internal sealed partial class XmlReader
{
    private static readonly string TableNamespace = TextNamespaces.Shared("urn:creo:tdxml");

    private static readonly byte[] TablePrefix = Encoding.ASCII.GetBytes("TDXML");

    /// <summary>Allows a table in the text: the prefix <c>TDXML</c> needs no declaration.</summary>
    public void TakeTables()
    {
        _impliedPrefix = TablePrefix;
        _impliedNamespace = TableNamespace;
    }

    /// <summary>Whether the last tag, which was not taken yet, begins a table.</summary>
    public bool IsTableNext => _impliedNamespace is not null && _pending && IsTable("Env"u8, "Envelope"u8);

    /// <summary>Reads a standalone document.</summary>
    /// <param name="of">The likely name of the table's content.</param>
    public TableText ReadTable(string? of = null)
    {
        if (TryPlainTable(of) is { } plain)
        {
            return plain;
        }
        TakeTables();
        Child();
        StartTag();
        TableText table = ReadEnvelope();
        EndDocument();
        return table;
    }

    // Reads a document exactly as writers write it, without a schema; null, without reading anything, for another form.
    private TableText? TryPlainTable(string? of)
    {
        ReadOnlySpan<byte> start = "<Env xmlns=\"urn:creo:tdxml\""u8;
        int p = _pos;
        if (!IsAt(p, start))
        {
            return null;
        }
        p += start.Length;
        string? said = null;
        if (of is not null && IsAt(p, " of=\""u8))
        {
            p += 5;
            int to = p + of.Length;
            if (to >= _end || !global::System.Text.Ascii.Equals(_b.AsSpan(p, of.Length), of) || _b[to] != '"')
            {
                return null;
            }
            p = to + 1;
            said = of;
        }
        bool isRecord = IsAt(p, "><RT>"u8);
        if (!isRecord && !IsAt(p, "><CT>"u8))
        {
            return null;
        }
        int from = p + 5;
        for (p = from; _b[p] != '<';)
        {
            int run = _b.AsSpan(p, _end - p).IndexOfAnyExcept(PlainText);
            p = run < 0 ? _end : p + run;
            byte c = _b[p];
            if (c >= 0x80)
            {
                p = EndOfRun(p);
            }
            else if (c == '>')
            {
                CheckBrackets(p - 2);
                p++;
            }
            else if (c != '<')
            {
                return null;
            }
        }
        if (!IsAt(p, isRecord ? "</RT></Env>"u8 : "</CT></Env>"u8) || p + 11 != _end || p - from > _limits.MaxXmlText)
        {
            return null;
        }
        _pos = _end;
        return new TableText(_b, from, p, isRecord, said, null, true).WithoutFirstLine();
    }

    private TableText ReadEnvelope()
    {
        if (!IsTable("Env"u8, "Envelope"u8))
        {
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where a table must be");
        }
        string? of = null;
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, XmlName.None, "of"u8))
            {
                of = AttributeText(k);
            }
            else if (ReferenceEquals(_attribute[k].Namespace, XmlName.None))
            {
                throw Malformed(_attribute[k].Name, $"the attribute {Shown(_attribute[k].Name, _attribute[k].End)}, where only of can be");
            }
        }
        NextOfTable();
        string? schema = null;
        if (IsTable("DS"u8, "DataSchema"u8))
        {
            CheckAttributes();
            schema = ElementText();
            NextOfTable();
        }
        bool isRecord = IsTable("RT"u8, "RecordTable"u8);
        if (!isRecord && !IsTable("CT"u8, "ContentTable"u8))
        {
            bool update = IsTable("UT"u8, "UpdateTable"u8);
            throw Malformed(_elements[_open - 1].Name - 1, update ? "an update, where a value must be" : $"the element {ShownTag()}, where the rows must be");
        }
        CheckAttributes();
        TakeText();
        bool whole = ReferenceEquals(_slice, _b);
        byte[] rows = whole ? _b : new byte[_sliceTo - _sliceFrom + Padding];
        if (!whole)
        {
            Taken.CopyTo(rows);
        }
        var table = new TableText(rows, whole ? _sliceFrom : 0, whole ? _sliceTo : rows.Length - Padding, isRecord, of, schema, whole).WithoutFirstLine();
        EndTag();
        if (Child())
        {
            throw Malformed(_pos, "an element after the rows");
        }
        EndTag();
        return table;
    }

    private void NextOfTable()
    {
        if (!Child())
        {
            throw Malformed(_pos, "a table without rows");
        }
        StartTag();
    }

    private bool IsTable(ReadOnlySpan<byte> name, ReadOnlySpan<byte> longName) =>
        ReferenceEquals(_tagNamespace, TableNamespace) && (IsTag(name) || IsTag(longName));
}
