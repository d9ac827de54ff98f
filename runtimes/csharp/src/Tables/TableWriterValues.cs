using System;
using System.Text;
using Creo.Xml;

namespace Creo.Tables;

// Single values, arrays of primitives, and the envelope.
internal sealed partial class TableWriter
{
    // The min size of bytes that become a MIME part (SOAP-21).
    private const int MinPart = 1024;

    /// <summary>Begins a document, up to its rows (TDX-2).</summary>
    /// <param name="options">The scheme, and whether to write the schema.</param>
    /// <param name="of">The name of its content, if the transport does not give it (TDX-3).</param>
    /// <param name="schema">The schema.</param>
    /// <param name="isMessage">Whether the root is that of a message, which may have no row.</param>
    public void BeginDocument(TableOptions options, string? of, TableSchema schema, bool isMessage)
    {
        _isRecord = options.Scheme == TableScheme.Record;
        _isMessage = isMessage;
        Raw("<Env xmlns=\"urn:creo:tdxml\""u8);
        if (of is not null)
        {
            Raw(" of=\""u8);
            Escaped(of, Escapes.XmlAttribute);
            Raw("\""u8);
        }
        Raw(">"u8);
        if (options.HasSchema)
        {
            Raw("<DS>\n"u8);
            Raw(schema.Text);
            Raw("</DS>"u8);
        }
        Raw(_isRecord ? "<RT>\n"u8 : "<CT>\n"u8);
    }

    /// <summary>Writes the arguments of a method as a document.</summary>
    public void WriteRequest<T>(TableOptions options, string method, string? of, TextRequest<T> request, T arguments)
    {
        BeginDocument(options, of, request.Schema(method), isMessage: true);
        request.WriteRecord(this, arguments);
        EndDocument();
    }

    public void EndDocument() => Raw(_isRecord ? "</RT></Env>"u8 : "</CT></Env>"u8);

    public override void WriteBoolean(TextField field, bool value) => WriteOne(field, value);

    public override void WriteChar(TextField field, char value) => WriteOne(field, value);

    public override void WriteInt32(TextField field, int value) => WriteOne(field, value);

    public override void WriteInt64(TextField field, long value) => WriteOne(field, value);

    public override void WriteSingle(TextField field, float value) => WriteOne(field, value);

    public override void WriteDouble(TextField field, double value) => WriteOne(field, value);

    public override void WriteString(TextField field, string value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        bool begins = field.Place != TextPlace.Listed || _first;
        if (field.Place == TextPlace.Listed)
        {
            XmlWriter.CheckListed(value);
        }
        Lead(field, 2);
        int from = 0;
        if (begins && value.StartsWith('~'))
        {
            Raw("\\~"u8);
            from = 1;
        }
        Escaped(value, Escapes.Table, from);
        Trail();
        _failed = null;
    }

    public override void WriteInstant(TextField field, Instant value)
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextTimes.Put(_buffer.AsSpan(_position), value);
        Trail();
    }

    public override void WriteDecimal(TextField field, BigDecimal value)
    {
        Lead(field, 0);
        PutDecimal(value);
        Trail();
    }

    public override void WriteBytes(TextField field, ReadOnlyMemory<byte> value)
    {
        _failed = field;
        Lead(field, TextNumbers.MaxLength);
        if (field.IsHex)
        {
            HexDigits(value.Span);
        }
        else if (_parts is not null && value.Length >= MinPart && field.Place != TextPlace.Listed)
        {
            Raw("cid:"u8);
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)_parts.Count);
            Raw("@creo"u8);
            _parts.Add(value);
        }
        else
        {
            Base64Digits(value.Span);
        }
        Trail();
        _failed = null;
    }

    public override void WriteEnum(TextField field, TextEnum type, int number)
    {
        byte[]? text = type.Text(number);
        if (text is null)
        {
            _failed = field;
            if (!type.IsExtensible || number < 0)
            {
                throw CreoException.Undeclared(type.Name, number);
            }
            Lead(field, TextNumbers.MaxLength);
            Put((byte)'#');
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)number);
            Trail();
            _failed = null;
        }
        else if (type.IsSpecial)
        {
            WriteString(field, Encoding.UTF8.GetString(text));
        }
        else
        {
            Lead(field, text.Length);
            text.CopyTo(_buffer, _position);
            _position += text.Length;
            Trail();
        }
    }

    public override void WriteRaw(TextField field, string value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        _failed = field;
        XmlWriter.Checked(field, value, _limits);
        WriteString(field, value);
    }

    public override void WriteAttributes(TextField field, ValueMap<string, string> value)
    {
    }

    public override void WriteAttributeMap(TextField field, ValueMap<string, string> value)
    {
        if (value is null)
        {
            throw Missing(field);
        }
        BeginEntries(field, value.Count);
        for (int i = 0; i < value.Entries.Length; i++)
        {
            WriteString(Key(field, i), value.Entries[i].Key);
            WriteString(Value(field), value.Entries[i].Value);
            EndEntry(field);
        }
        EndEntries(field);
    }

    protected override void WriteAll<T>(TextField field, ReadOnlySpan<T> items)
    {
        BeginItems(field, items.Length);
        ref Row row = ref _rows[_count - 1];
        bool list = row.Kind == RowKind.List;
        bool columns = row.Kind == RowKind.Columns;
        for (int i = 0; i < items.Length; i++)
        {
            if (list)
            {
                Room(TextNumbers.MaxLength + 1);
                if (i > 0)
                {
                    Put((byte)' ');
                }
            }
            else
            {
                if (!columns)
                {
                    PutRow(Occurrence(row.Length, i));
                }
                Room(TextNumbers.MaxLength + 2);
                Put((byte)'|');
            }
            _position += TextNumbers.Put(_buffer.AsSpan(_position), items[i]);
            if (!list && !columns)
            {
                Put((byte)'\n');
            }
        }
        EndItems(field);
    }

    private void WriteOne<T>(TextField field, T value)
        where T : unmanaged
    {
        Lead(field, TextNumbers.MaxLength);
        _position += TextNumbers.Put(_buffer.AsSpan(_position), value);
        Trail();
    }

    // Writes what precedes a value, and makes room for it.
    private void Lead(TextField field, int room)
    {
        if (_count == 0)
        {
            PutRow(3);
            Room(room + 1);
            Put((byte)'|');
            return;
        }
        ref Row row = ref _rows[_count - 1];
        switch (row.Kind)
        {
            case RowKind.Struct:
                if (!row.IsStarted || row.Absent > 0)
                {
                    StartColumns(ref row);
                }
                Room(room + 1);
                Put((byte)'|');
                break;
            case RowKind.Columns:
                Room(room + 1);
                Put((byte)'|');
                break;
            case RowKind.List:
                Room(room + 1);
                if (!_first)
                {
                    Put((byte)' ');
                }
                _first = false;
                break;
            case RowKind.Items:
                PutRow(Occurrence(row.Length));
                Room(room + 1);
                Put((byte)'|');
                break;
            default:
                if (field.Place == TextPlace.Attribute)
                {
                    GoAside(ref row);
                }
                PutRow(Extend(row.Length, field.Step));
                Room(room + 1);
                Put((byte)'|');
                break;
        }
    }

    private void StartColumns(ref Row row)
    {
        if (!row.IsStarted)
        {
            row.IsStarted = true;
            PutRow(row.Length);
        }
        for (; row.Absent > 0; row.Absent--)
        {
            Raw("|~"u8);
        }
    }

    // Writes what follows a value.
    private void Trail()
    {
        if (_count == 0)
        {
            Close((byte)'\n');
            return;
        }
        ref Row row = ref _rows[_count - 1];
        if (row.Kind == RowKind.Struct)
        {
            EndColumn(ref row);
            return;
        }
        if (row.Kind is RowKind.Columns or RowKind.List)
        {
            return;
        }
        Close((byte)'\n');
        if (row.IsAside)
        {
            ComeBack(ref row);
        }
        else if (row.Column < row.Columns)
        {
            EndColumn(ref row);
        }
    }

    // Writes a byte after text of any length.
    private void Close(byte c)
    {
        Room(1);
        Put(c);
    }
}
