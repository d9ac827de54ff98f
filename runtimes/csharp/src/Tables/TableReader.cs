using System;
using System.Text;

namespace Creo.Tables;

/// <summary>Reads table values (<c>spec/wires/tdxml.md</c>).</summary>
/// <remarks>
/// The rows are read in order: one comparison of bytes shows whether a row belongs to the current value. Only if that fails and the rows are not in
/// schema order are they sorted and read again.
/// </remarks>
internal sealed partial class TableReader : TextInput
{
    [ThreadStatic]
    private static TableReader? t_reader;

    private TableText _table = null!;
    private byte[] _b = [];
    private int _to;

    // The next row, its end, and the start of the following row; at the end of the table all are that.
    private int _row;
    private int _rowEnd;
    private int _nextRow;

    // The index of the current value. Each frame's index is a prefix; that of the next value has this length.
    private byte[] _index = new byte[64];
    private int _length;

    // The position of the next value.
    private Source _source;

    // Whether rows were skipped that no field has checked.
    private bool _hasSkipped;

    private int _maxText;

    // The memory for the rows; each pass starts with all of it (LIM-18).
    private long _memory;

    // The MIME parts; null for none.
    private ITextParts? _parts;

    // The root of paths.
    private Root _place;

    private enum Root
    {
        Value,
        Result,
        Exception,
    }

    private enum Source
    {
        // In the slice: a column, or one of several values in it.
        Slice,

        // The slice marks a null.
        Nil,

        // In the rows at and beneath the index.
        Rows,

        // Nowhere: a struct without any field.
        Missing,
    }

    /// <summary>The value of a table.</summary>
    /// <param name="table">The table.</param>
    /// <param name="root">The value's field; null for a message.</param>
    /// <param name="read">Reads the value.</param>
    /// <param name="limits">The limits for received data.</param>
    /// <param name="memory">The remaining memory of the message.</param>
    public static T Read<T>(TableText table, TextField? root, TextRead<T> read, Limits limits, long memory) =>
        Read(table, root, read, limits, memory, null, Root.Value);

    /// <summary>The result of a method in a table.</summary>
    public static T ReadResult<T>(TableText table, TextRead<T> read, Limits limits, long memory, ITextParts? parts = null) =>
        Read(table, null, read, limits, memory, parts, Root.Result);

    /// <summary>The exception in a table.</summary>
    public static T ReadException<T>(TableText table, TextField root, TextRead<T> read, Limits limits, long memory) =>
        Read(table, root, read, limits, memory, null, Root.Exception);

    private static T Read<T>(TableText table, TextField? root, TextRead<T> read, Limits limits, long memory, ITextParts? parts, Root place)
    {
        TableReader reader = t_reader ?? new TableReader();
        t_reader = null;
        reader._limits = limits;
        reader._memory = memory;
        reader._maxText = limits.MaxXmlText;
        reader._parts = parts;
        reader._place = place;
        try
        {
            return reader.ReadAll(table, root, read);
        }
        finally
        {
            reader.GiveBack();
        }
    }

    private protected override long Here => Offset(_row < _to ? _row : _lastRow);

    public override void GiveBack()
    {
        _table = null!;
        _b = [];
        _slice = [];
        _parts = null;
        _sorted = null;
        if (_scratch.Length > KeptCapacity)
        {
            _scratch = new byte[256];
        }
        t_reader = this;
    }

    public override void Begin(TextRecord record)
    {
        TextFrame frame = Push(TextFrameKind.Record, _field);
        BeginRow(frame, record);
        if (record.IsRecursive)
        {
            Enter(record.Name, Offset(frame.RowAt));
        }
    }

    public override int Next(int likely)
    {
        TextFrame frame = _top!;
        if (frame.ColumnAt >= 0 && NextColumn(frame) is var column and >= 0)
        {
            return column;
        }
        if (!frame.IsEnded)
        {
            if ((uint)likely < (uint)frame.Fields.Length && _row < _to)
            {
                TextField field = frame.Fields[likely];
                ReadOnlySpan<byte> row = _b.AsSpan(_row, _rowEnd - _row);
                int length = frame.Length + field.Step.Length;
                if (row.Length > length && row[frame.Length..].StartsWith(field.Step) && field.Step.Length > 0 && row.StartsWith(_index.AsSpan(0, frame.Length)))
                {
                    return Found(frame, likely);
                }
            }
            int found = NextRow(frame);
            if (found >= 0)
            {
                return found;
            }
            frame.IsEnded = true;
        }
        foreach (int i in frame.Record!.Structs)
        {
            if (!frame.Saw(i))
            {
                frame.See(i);
                frame.Index = i;
                _field = frame.Fields[i];
                _source = Source.Missing;
                return i;
            }
        }
        frame.Index = -1;
        return -1;
    }

    public override void End(TextRecord record)
    {
        TextFrame frame = _top!;
        TextField[] fields = frame.Fields;
        for (int i = record.HasAll(frame.Seen) ? fields.Length : 0; i < fields.Length; i++)
        {
            if (fields[i].IsRequired && !frame.Saw(i))
            {
                throw Malformed(frame.RowAt, $"nothing of {fields[i].Name ?? "the value"}, which must be there");
            }
        }
        if (record.IsRecursive)
        {
            Leave();
        }
        Pop();
    }

    // Absent fields come after the last row.
    public override bool Lacks(int field) => false;

    public override bool ReadNil()
    {
        if (_source == Source.Nil)
        {
            return true;
        }
        if (_source != Source.Rows || !IsIndexAt(_length, out int after) || after >= _rowEnd || _b[after] != '~')
        {
            Charge(_field!.ValueCharge);
            return false;
        }
        if (after + 1 < _rowEnd)
        {
            throw Malformed(_row, "something after \"~\"");
        }
        Advance();
        return true;
    }

    public override int Member(TextUnion union)
    {
        NotNil();
        TextFrame frame = Push(TextFrameKind.Union, _field);
        frame.Fields = union.Members;
        frame.Length = _length;
        frame.RowAt = _row;
        if (union.IsRecursive)
        {
            Enter(union.Name, Offset(_row));
        }
        Presence(_length);
        if (!IsIndexAt(_length, out int p) || p >= _rowEnd || _b[p] != '[')
        {
            throw Malformed(frame.RowAt, $"no member of {union.Name}, where one of these must be: {union.Expected()}");
        }
        int number = Number(p + 1, ']');
        if (number >= union.Members.Length)
        {
            throw Malformed(_row, $"member {number}, where one of these must be: {union.Expected()}");
        }
        frame.Index = number;
        Take(frame, union.Members[number]);
        ChargeMember(union.Members[number]);
        return number;
    }

    public override void EndUnion(TextUnion union)
    {
        TextFrame frame = _top!;
        frame.Index = -1;
        if (IsIndexAt(frame.Length, out int p) && (p >= _rowEnd || _b[p] is (byte)'[' or (byte)'(' or (byte)'|' or (byte)'~'))
        {
            throw Malformed(_row, "something more in a union, which holds one member");
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
        TextFrame frame;
        if (field.IsList)
        {
            TakeSlice();
            frame = Push(TextFrameKind.Items, field);
            frame.List = ReferenceEquals(_slice, _b) ? _b : Taken.ToArray();
            frame.ListPosition = ReferenceEquals(_slice, _b) ? _sliceFrom : 0;
            frame.ListEnd = frame.ListPosition + _sliceTo - _sliceFrom;
            return;
        }
        NotNil();
        frame = Push(TextFrameKind.Items, field);
        frame.RowAt = _row;
        frame.Length = _length;
        if (field.IsWrapped)
        {
            Presence(_length);
            frame.Length = Extend(_length, "[0]"u8);
        }
        if (_table.IsRecord && field.Item!.IsScalar && IsIndexAt(frame.Length, out int p) && p < _rowEnd && _b[p] == '|')
        {
            frame.ColumnAt = p;
        }
        CheckDepth(frame);
    }

    public override bool NextItem()
    {
        TextFrame frame = _top!;
        if (!FindItem(frame))
        {
            return false;
        }
        Charge(frame.Field!.EachCharge);
        return true;
    }

    private bool FindItem(TextFrame frame)
    {
        TextField item = frame.Field!.Item!;
        _field = item;
        if (frame.List is not null)
        {
            return NextListed(frame);
        }
        if (frame.ColumnAt >= 0)
        {
            frame.Index++;
            if (frame.ColumnAt < _rowEnd)
            {
                TakeColumn(frame);
                return true;
            }
            Advance();
            EndItems(frame);
            return false;
        }
        if (!NextOccurrence(frame))
        {
            EndItems(frame);
            return false;
        }
        if (item.IsScalar)
        {
            if (_table.IsRecord)
            {
                throw Malformed(_row, "a row of its own, where the items are the columns of one row");
            }
            TakeScalar();
        }
        else
        {
            _source = Source.Rows;
        }
        return true;
    }

    public override void BeginEntries()
    {
        NotNil();
        TextFrame frame = Push(TextFrameKind.Entries, _field);
        frame.RowAt = _row;
        Presence(_length);
        frame.Length = Extend(_length, "[0]"u8);
        CheckDepth(frame);
    }

    public override bool NextEntry()
    {
        TextFrame frame = _top!;
        if (!NextOccurrence(frame))
        {
            EndItems(frame);
            return false;
        }
        _source = Source.Rows;
        Charge(frame.Field!.EachCharge);
        TextRecord entry = frame.Field.Entry;
        BeginRow(Push(TextFrameKind.Entry, frame.Field), entry);
        return true;
    }

    public override void EndEntry() => End(_top!.Record!);

    internal override CreoException DuplicateKey(int entry) => Malformed(_lastRow, $"the key of entry {entry} was there before");

    // Begins the row of a record, or of an entry.
    private void BeginRow(TextFrame frame, TextRecord record)
    {
        frame.Begin(record);
        frame.RowAt = _row < _to ? _row : _lastRow;
        frame.Length = _length;
        if (_source == Source.Missing)
        {
            frame.IsEnded = true;
            return;
        }
        CheckDepth(frame);
        if (!IsIndexAt(_length, out int p) || (p < _rowEnd && _b[p] is not ((byte)'|' or (byte)'~')))
        {
            return;
        }
        if (p >= _rowEnd)
        {
            frame.HasRow = true;
            Advance();
        }
        else if (_b[p] == '~')
        {
            // Only the text may be null in a present record.
            if (record.Text < 0 || !record.Fields[record.Text].IsOptional || p + 1 < _rowEnd)
            {
                throw Malformed(_row, "nothing, where a value must be");
            }
            frame.HasRow = true;
            Advance();
        }
        else if (_table.IsRecord)
        {
            frame.HasRow = true;
            frame.ColumnAt = p;
        }
    }

    // The next present column of the record's row, or -1.
    private int NextColumn(TextFrame frame)
    {
        int[] columns = frame.Record!.Columns;
        int at = frame.ColumnAt;
        while (at < _rowEnd)
        {
            int column = frame.Column;
            if (column == columns.Length)
            {
                SkipColumn(frame, ref at);
                continue;
            }
            frame.Column = column + 1;
            int field = columns[column];
            frame.Index = field;
            if (TakeColumn(ref at) == Source.Slice)
            {
                frame.ColumnAt = at;
                frame.See(field);
                _field = frame.Fields[field];
                return field;
            }
        }
        frame.ColumnAt = -1;
        Advance();
        return -1;
    }

    private void SkipColumn(TextFrame frame, ref int at)
    {
        frame.Index = -1;
        if (!frame.Record!.IsExtensible)
        {
            throw Malformed(_row, "more columns than the struct has");
        }
        TakeColumn(ref at);
        CheckEscapes();
    }

    // The field of the next row, or -1 if the row does not belong to the record.
    private int NextRow(TextFrame frame)
    {
        TextRecord record = frame.Record!;
        while (IsIndexAt(frame.Length, out int p))
        {
            byte kind = p < _rowEnd ? _b[p] : (byte)'\n';
            if (kind is not ((byte)'[' or (byte)'(' or (byte)'|' or (byte)'~' or (byte)'\n'))
            {
                return -1;
            }
            if (kind == '|' && !_table.IsRecord && record.Text >= 0 && !frame.HasRow && !frame.Saw(record.Text))
            {
                return Found(frame, record.Text);
            }
            frame.Index = -1;
            if (kind is (byte)'|' or (byte)'~' or (byte)'\n')
            {
                throw Malformed(_row, frame.HasRow ? "a row that was there before" : "columns, where there are none, or after what is beneath them");
            }
            bool attribute = kind == '(';
            int number = Number(p + 1, attribute ? ')' : ']');
            int[] fields = attribute ? record.Attributes : record.Elements;
            if (number < fields.Length)
            {
                return Found(frame, fields[number]);
            }
            if (!record.IsExtensible)
            {
                throw Malformed(_row, $"{(attribute ? "attribute" : "element")} {number}, which the type does not have");
            }
            SkipRow();
        }
        return -1;
    }

    private int Found(TextFrame frame, int index)
    {
        TextField field = frame.Fields[index];
        if (frame.Saw(index))
        {
            frame.Index = index;
            throw Malformed(_row, "an element or attribute that was there before");
        }
        frame.See(index);
        frame.Index = index;
        if (_table.IsRecord && field.IsScalar)
        {
            throw Malformed(_row, "a row of its own, where a column must be");
        }
        Take(frame, field);
        return index;
    }

    // Goes to the value of a field with the next row.
    private void Take(TextFrame frame, TextField field)
    {
        _field = field;
        _length = Extend(frame.Length, field.Step);
        if (field.IsScalar)
        {
            TakeScalar();
            return;
        }
        _source = Source.Rows;
        bool repeats = field is { Item: not null, IsWrapped: false };
        byte after = _row + _length < _rowEnd ? _b[_row + _length] : (byte)'\n';
        if (repeats != char.IsAsciiDigit((char)after) && !(repeats && (after == '~' || (after == '|' && _table.IsRecord && field.Item!.IsScalar))))
        {
            throw Malformed(_row, repeats ? "no number of an occurrence, where one must be" : "an occurrence of what is there once");
        }
    }

    private void EndItems(TextFrame frame)
    {
        if (frame.Field!.IsWrapped && IsIndexAt(frame.Length - 3, out int p) && (p >= _rowEnd || _b[p] is (byte)'[' or (byte)'(' or (byte)'|' or (byte)'~'))
        {
            frame.Index = -1;
            throw Malformed(_row, "something else than items");
        }
        Pop();
    }

    // Goes to the next occurrence of a repeated element.
    private bool NextOccurrence(TextFrame frame)
    {
        if (!IsIndexAt(frame.Length, out int p))
        {
            return false;
        }
        int expected = frame.Index + 1;
        _length = Occurrence(frame.Length, expected);
        ReadOnlySpan<byte> digits = _index.AsSpan(frame.Length, _length - frame.Length);
        ReadOnlySpan<byte> row = _b.AsSpan(p, _rowEnd - p);
        if (!row.StartsWith(digits) || (row.Length > digits.Length && char.IsAsciiDigit((char)row[digits.Length])))
        {
            frame.Index = -1;
            throw Malformed(_row, $"no occurrence {expected}, which must come next");
        }
        frame.Index = expected;
        return true;
    }

    // A presence row of an element.
    private void Presence(int length)
    {
        if (IsIndexAt(length, out int p) && p >= _rowEnd)
        {
            Advance();
        }
    }

    private void NotNil()
    {
        if (_source == Source.Nil || (_source == Source.Rows && IsIndexAt(_length, out int p) && p < _rowEnd && _b[p] == '~'))
        {
            throw Malformed(_source == Source.Nil ? _sliceAt : _row, "nothing, where a value must be");
        }
    }

    private void CheckDepth(TextFrame frame)
    {
        // Each frame adds at most three.
        if (3 * _depth >= _limits.MaxXmlDepth && _index.AsSpan(0, frame.Length).Count((byte)'[') > _limits.MaxXmlDepth)
        {
            throw CreoException.TooLarge("maxXmlDepth", _limits.MaxXmlDepth, "elements are nested too deeply").AtOffset(Offset(frame.RowAt));
        }
    }
}
