using System;
using System.Collections.Generic;

namespace Creo.Tables;

/// <summary>Writes table values (<c>spec/wires/tdxml.md</c>) into reusable memory.</summary>
/// <remarks>
/// In the record scheme the row of a struct stays open in the output until its last column. Rows beneath it that come earlier are buffered in the
/// output of the next level, and follow when the row is closed.
/// </remarks>
internal sealed partial class TableWriter : TextOutput
{
    [ThreadStatic]
    private static TableWriter? t_writer;

    // The index of the current element; each frame's index is a prefix.
    private byte[] _index = "[0]"u8.ToArray();

    private Row[] _rows = new Row[16];
    private int _count;
    private bool _isRecord;

    // The root of a message needs no row (TDX-22).
    private bool _isMessage;

    // The outputs of all levels; that of the current one is in the base's fields.
    private Output[] _outputs = new Output[4];
    private int _level;

    // Whether the next item of a list is its first.
    private bool _first;

    // The MIME parts; null if byte strings are in the rows.
    private List<ReadOnlyMemory<byte>>? _parts;

    private enum RowKind : byte
    {
        Record,
        Union,
        Items,

        // The items of an array of scalars as columns of one row (TDX-31).
        Columns,

        // Several values in one column (XML-33).
        List,

        // A record whose scalars are columns of one row (TDX-30).
        Struct,
    }

    /// <summary>The thread's writer, or a new one.</summary>
    public static TableWriter Rent(Limits limits)
    {
        TableWriter writer = t_writer ?? new TableWriter();
        t_writer = null;
        writer.Begin(limits);
        writer._count = 0;
        writer._level = 0;
        writer._parts = null;
        return writer;
    }

    public override void GiveBack()
    {
        Switch(0);
        for (int i = 1; i < _outputs.Length; i++)
        {
            Switch(i);
            End();
        }
        Switch(0);
        End();
        Array.Clear(_rows);
        _parts = null;
        t_writer = this;
    }

    /// <summary>Makes long byte strings MIME parts (TDX-25).</summary>
    public List<ReadOnlyMemory<byte>> CollectParts() => _parts = [];

    public override void BeginRecord(TextField field, TextRecord record)
    {
        BeginRow(field, record);
        Push(field, StepKind.Record);
        if (record.IsRecursive)
        {
            Enter(record.Name);
        }
    }

    public override void Content(TextField field, TextRecord record)
    {
    }

    public override void AbsentText()
    {
    }

    public override void EndRecord(TextField field, TextRecord record)
    {
        _depth--;
        if (record.IsRecursive)
        {
            Leave();
        }
        EndRow();
    }

    public override TextField BeginUnion(TextField field, TextUnion union, int member)
    {
        Open(field, RowKind.Union);
        Push(field, StepKind.Union);
        if (union.IsRecursive)
        {
            Enter(union.Name);
        }
        return union.Members[member];
    }

    public override void EndUnion(TextField field, TextUnion union)
    {
        _depth--;
        if (union.IsRecursive)
        {
            Leave();
        }
        Close();
    }

    public override TextField BeginItems(TextField field, int count)
    {
        TextField item = field.Item!;
        if (field.IsList)
        {
            Lead(field, 0);
            AddRow(new Row { Kind = RowKind.List });
            _first = true;
        }
        else
        {
            bool columns = _isRecord && item.IsScalar;
            ref Row row = ref Open(field, columns ? RowKind.Columns : RowKind.Items);
            if (field.IsWrapped)
            {
                if (count == 0)
                {
                    PutRow(row.Length);
                    Put((byte)'\n');
                }
                row.Length = Extend(row.Length, "[0]"u8);
            }
            if (columns && count > 0)
            {
                PutRow(row.Length);
            }
        }
        Push(field, StepKind.Item);
        return item;
    }

    public override void EndItems(TextField field)
    {
        _depth--;
        if (field.IsList)
        {
            _count--;
            Trail();
            return;
        }
        ref Row row = ref _rows[_count - 1];
        if (row.Kind == RowKind.Columns && _position > row.From && _buffer[_position - 1] != '\n')
        {
            Room(1);
            Put((byte)'\n');
        }
        Close();
    }

    public override void BeginEntries(TextField field, int count)
    {
        ref Row row = ref Open(field, RowKind.Items);
        // Numbers the key and the value.
        _ = field.Entry;
        if (count == 0)
        {
            PutRow(row.Length);
            Put((byte)'\n');
        }
        row.Length = Extend(row.Length, "[0]"u8);
        Push(field, StepKind.Key);
    }

    public override TextField Key(TextField field, int index)
    {
        ref Step step = ref _path[_depth - 1];
        step.Index = index;
        step.Kind = StepKind.Key;
        BeginRow(field, field.Entry);
        return field.Key!;
    }

    public override TextField Value(TextField field)
    {
        _path[_depth - 1].Kind = StepKind.Value;
        return field.Value!;
    }

    public override void EndEntry(TextField field) => EndRow();

    public override void EndEntries(TextField field)
    {
        _depth--;
        Close();
    }

    public override void WriteAbsent(TextField field)
    {
        if (_count == 0)
        {
            return;
        }
        ref Row row = ref _rows[_count - 1];
        switch (row.Kind)
        {
            case RowKind.Record or RowKind.Struct:
                if (field.Place == TextPlace.Text || (row.Kind == RowKind.Struct && field.IsScalar))
                {
                    row.Absent++;
                    EndColumn(ref row);
                }
                break;
            case RowKind.Union:
                PutRow(Extend(row.Length, field.Step));
                Raw("~\n"u8);
                break;
            case RowKind.Columns:
                Raw("|~"u8);
                break;
            default:
                PutRow(Occurrence(row.Length));
                Raw("~\n"u8);
                break;
        }
    }

    // Begins the row of a record, or of an entry.
    private void BeginRow(TextField field, TextRecord record)
    {
        ref Row row = ref Open(field, _isRecord ? RowKind.Struct : RowKind.Record);
        // In the aggregated scheme a text is the only column, and comes before the attributes.
        row.Columns = _isRecord ? record.Columns.Length : record.Text >= 0 ? 1 : 0;
    }

    private void EndRow()
    {
        ref Row row = ref _rows[_count - 1];
        if (row.Column < row.Columns)
        {
            row.Column = row.Columns;
            CloseColumns(ref row);
        }
        if (_position == row.From && !(_isMessage && _count == 1))
        {
            PutRow(row.Length);
            Put((byte)'\n');
        }
        Close();
    }

    // Begins a level with separate rows, one step deeper.
    private ref Row Open(TextField field, RowKind kind)
    {
        int length = 3;
        if (_count > 0)
        {
            ref Row outer = ref _rows[_count - 1];
            length = outer.Kind == RowKind.Items ? Occurrence(outer.Length) : Extend(outer.Length, field.Step);
            GoAside(ref outer);
        }
        AddRow(new Row { Kind = kind, Length = length, From = _position });
        return ref _rows[_count - 1];
    }

    private void Close()
    {
        _count--;
        if (_count > 0)
        {
            ComeBack(ref _rows[_count - 1]);
        }
    }

    // Rows beneath a row are buffered if columns of it are still to come.
    private void GoAside(ref Row row)
    {
        if (row.Column < row.Columns)
        {
            row.IsAside = true;
            Switch(_level + 1);
        }
    }

    private void ComeBack(ref Row row)
    {
        if (row.IsAside)
        {
            row.IsAside = false;
            Switch(_level - 1);
        }
    }

    private void AddRow(Row row)
    {
        if (_count == _rows.Length)
        {
            Array.Resize(ref _rows, 2 * _count);
        }
        _rows[_count++] = row;
    }

    // Notes that a column of the row was written, or is absent.
    private void EndColumn(ref Row row)
    {
        if (++row.Column == row.Columns)
        {
            CloseColumns(ref row);
        }
    }

    // Ends a row with all its columns; buffered rows follow.
    private void CloseColumns(ref Row row)
    {
        if (row.IsStarted)
        {
            Room(1);
            Put((byte)'\n');
        }
        if (_level + 1 < _outputs.Length && _outputs[_level + 1].Position is > 0 and int waiting)
        {
            Raw(_outputs[_level + 1].Buffer.AsSpan(0, waiting));
            _outputs[_level + 1].Position = 0;
        }
    }

    private void Switch(int level)
    {
        if (level == _outputs.Length)
        {
            Array.Resize(ref _outputs, 2 * level);
        }
        _outputs[_level] = new Output(_buffer, _position);
        _level = level;
        _buffer = _outputs[level].Buffer ?? [];
        _position = _outputs[level].Position;
    }

    // Appends bytes to the index after a length; returns the new length.
    private int Extend(int length, ReadOnlySpan<byte> step)
    {
        MakeIndex(length + step.Length);
        step.CopyTo(_index.AsSpan(length));
        return length + step.Length;
    }

    // Appends the number of the current item or entry to the index after a length.
    private int Occurrence(int length) => Occurrence(length, _path[_depth - 1].Index);

    private int Occurrence(int length, int item)
    {
        MakeIndex(length + TextNumbers.MaxLength);
        return length + TextNumbers.Put(_index.AsSpan(length), (long)item);
    }

    private void MakeIndex(int size)
    {
        if (size > _index.Length)
        {
            Array.Resize(ref _index, Math.Max(64, 2 * size));
        }
    }

    // Writes an index, and leaves some room.
    private void PutRow(int length)
    {
        Room(length);
        _index.AsSpan(0, length).CopyTo(_buffer.AsSpan(_position));
        _position += length;
    }

    // Writes a byte for which there is room.
    private void Put(byte c) => _buffer[_position++] = c;

    private struct Row
    {
        public RowKind Kind;

        // The length of its index, and its start in the output.
        public int Length;
        public int From;

        // The columns of its row: their number, how many were written, and how many trailing ones are absent.
        public int Columns;
        public int Column;
        public int Absent;
        public bool IsStarted;

        // Whether content beneath it is being written to the next level.
        public bool IsAside;
    }

    private struct Output(byte[] buffer, int position)
    {
        public byte[] Buffer = buffer;
        public int Position = position;
    }
}
