using System;
using System.Collections.Generic;

namespace Creo.Tables;

// Rows: reading them in order, and sorting.
internal sealed partial class TableReader
{
    private int _lastRow;

    // The original rows, if the current ones were sorted: the start of each in both.
    private Sorted? _sorted;

    private T ReadAll<T>(TableText table, TextField? root, TextRead<T> read)
    {
        try
        {
            T value = Walk(table, root, read);
            // Skipped rows were not compared with the others.
            if (_hasSkipped && Sort(table) is { } again)
            {
                return WalkSorted(table, again, root, read);
            }
            return value;
        }
        catch (CreoException error) when (error is { Place: null, Code: ErrorCode.Malformed or ErrorCode.TooLarge or ErrorCode.ProtocolMismatch })
        {
            CreoException located = Locate(error);
            if (error.Code != ErrorCode.Malformed || _sorted is not null)
            {
                throw located;
            }
            Sorted? again;
            try
            {
                again = Sort(table);
            }
            catch (CreoException wrong) when (wrong.Place is null)
            {
                throw wrong.At(located.Place ?? "$", wrong.Offset);
            }
            return again is null ? throw located : WalkSorted(table, again, root, read);
        }
    }

    private T WalkSorted<T>(TableText table, Sorted sorted, TextField? root, TextRead<T> read)
    {
        _sorted = sorted;
        try
        {
            return Walk(table with { Bytes = sorted.Bytes, From = 0, To = sorted.Bytes.Length - Padding }, root, read);
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw Locate(error);
        }
    }

    private T Walk<T>(TableText table, TextField? root, TextRead<T> read)
    {
        Begin(_limits);
        _memoryLeft = _memory;
        if (_place == Root.Result)
        {
            IsResult();
        }
        else if (_place == Root.Exception)
        {
            IsException();
        }
        _table = table;
        _b = table.Bytes;
        _to = table.To;
        _lastRow = table.From;
        _nextRow = table.From;
        _hasSkipped = false;
        "[0]"u8.CopyTo(_index);
        _length = 3;
        _field = root;
        _source = Source.Rows;
        Advance();
        _lastRow = _row < _to ? _row : table.From;
        if (root is { IsScalar: true })
        {
            if (!IsIndexAt(3, out _))
            {
                throw Malformed(_lastRow, "no row [0], which must be there");
            }
            TakeScalar();
        }
        T value = read(this);
        if (_row < _to)
        {
            throw Malformed(_row, "a row that is of nothing that is there");
        }
        return value;
    }

    // Goes to the next non-empty row.
    private void Advance()
    {
        _lastRow = _row;
        int from = _nextRow;
        while (from < _to)
        {
            int length = _b.AsSpan(from, _to - from).IndexOf((byte)'\n');
            int end = length < 0 ? _to : from + length;
            int next = length < 0 ? _to : end + 1;
            if (from < end && _b[from] == '[' && _b[end - 1] != '\r')
            {
                _row = from;
                _rowEnd = end;
                _nextRow = next;
                return;
            }
            while (from < end && _b[from] is (byte)' ' or (byte)'\t')
            {
                from++;
            }
            if (end > from && _b[end - 1] == '\r')
            {
                end--;
            }
            if (from < end && !_b.AsSpan(from, end - from).TrimStart(" \t\r"u8).IsEmpty)
            {
                _row = from;
                _rowEnd = end;
                _nextRow = next;
                return;
            }
            from = next;
        }
        _row = _rowEnd = _nextRow = _to;
    }

    // Whether the next row begins with an index of a length, and what follows it.
    private bool IsIndexAt(int length, out int after)
    {
        after = _row + length;
        return after <= _rowEnd && _row < _to && _b.AsSpan(_row, length).SequenceEqual(_index.AsSpan(0, length));
    }

    // The number at an index, up to a bracket.
    private int Number(int p, char close)
    {
        int to = EndOfNumber(_b, p, _rowEnd, out int number);
        return to > p && to < _rowEnd && _b[to] == close ? number : throw Malformed(_row, "no index");
    }

    // Skips a row and all rows beneath its element.
    private void SkipRow()
    {
        _hasSkipped = true;
        CheckRow(_row, _rowEnd);
        Advance();
    }

    private int Extend(int length, ReadOnlySpan<byte> step)
    {
        MakeIndex(length + step.Length);
        step.CopyTo(_index.AsSpan(length));
        return length + step.Length;
    }

    private int Occurrence(int length, int number)
    {
        MakeIndex(length + TextNumbers.MaxLength);
        return length + TextNumbers.Put(_index.AsSpan(length), (long)number);
    }

    private void MakeIndex(int size)
    {
        if (size > _index.Length)
        {
            Array.Resize(ref _index, 2 * size);
        }
    }

    // Checks a skipped or sorted row: its index, and the escapes of its values.
    private int CheckRow(int row, int end)
    {
        int p = row;
        int elements = 0;
        while (p < end && _b[p] == '[')
        {
            int to = EndOfNumber(_b, p + 1, end, out _);
            if (to == p + 1 || to >= end || _b[to] != ']')
            {
                throw Malformed(row, "no index");
            }
            p = to + 1;
            int after = EndOfNumber(_b, p, end, out _);
            if (after == p && p < end && char.IsAsciiDigit((char)_b[p]))
            {
                throw Malformed(row, "no index");
            }
            p = after;
            elements++;
        }
        if (elements > _limits.MaxXmlDepth)
        {
            throw CreoException.TooLarge("maxXmlDepth", _limits.MaxXmlDepth, "elements are nested too deeply").AtOffset(Offset(row));
        }
        if (elements > 0 && p < end && _b[p] == '(')
        {
            int to = EndOfNumber(_b, p + 1, end, out _);
            p = to > p + 1 && to < end && _b[to] == ')' ? to + 1 : throw Malformed(row, "no index");
        }
        if (elements == 0 || (p < end && _b[p] is not ((byte)'|' or (byte)'~')) || (p + 1 < end && _b[p] == '~'))
        {
            throw Malformed(row, "no index, and columns, or nothing, after it");
        }
        if (!_b.AsSpan(row, end - row).StartsWith("[0]"u8) || (row + 3 < end && char.IsAsciiDigit((char)_b[row + 3])))
        {
            throw Malformed(row, "a row that is not beneath [0]");
        }
        for (int from = p; from < end; from++)
        {
            int next = _b.AsSpan(from, end - from).IndexOf((byte)'\\');
            if (next < 0)
            {
                break;
            }
            from += next + 1;
            if (from == end || !"nr|\\alg~"u8.Contains(_b[from]))
            {
                throw Malformed(row, "a backslash and a character that is no escape");
            }
        }
        return p;
    }

    // The index after a number without leading zeros and below 2^31; the number's start if there is none.
    private static int EndOfNumber(byte[] bytes, int from, int end, out int number)
    {
        long value = 0;
        int p = from;
        while (p < end && bytes[p] is >= (byte)'0' and <= (byte)'9' && value <= int.MaxValue)
        {
            value = value * 10 + (bytes[p++] - '0');
        }
        bool right = value <= int.MaxValue && (p - from == 1 || (p > from && bytes[from] != '0'));
        number = right ? (int)value : 0;
        return right ? p : from;
    }

    // The rows in schema order; null if they already are. A duplicate index is refused.
    private Sorted? Sort(TableText table)
    {
        _table = table;
        _b = table.Bytes;
        _to = table.To;
        _nextRow = table.From;
        var rows = new List<(int From, int To)>();
        for (Advance(); _row < _to; Advance())
        {
            CheckRow(_row, _rowEnd);
            rows.Add((_row, _rowEnd));
        }
        bool inOrder = true;
        for (int i = 1; i < rows.Count && inOrder; i++)
        {
            inOrder = Compare(rows[i - 1], rows[i]) < 0;
        }
        if (inOrder)
        {
            return null;
        }
        rows.Sort((a, b) => Compare(a, b) is var order and not 0 ? order : a.From.CompareTo(b.From));
        int size = 0;
        for (int i = 0; i < rows.Count; i++)
        {
            if (i > 0 && Compare(rows[i - 1], rows[i]) == 0)
            {
                throw new CreoException(ErrorCode.Malformed, $"{table.RowAt(rows[i].From)}: an index that was there before, in {table.RowAt(rows[i - 1].From)}", null, Offset(rows[i].From));
            }
            size += rows[i].To - rows[i].From + 1;
        }
        var sorted = new Sorted(table, new byte[size + Padding], new int[rows.Count], new int[rows.Count]);
        int at = 0;
        for (int i = 0; i < rows.Count; i++)
        {
            (sorted.Here[i], sorted.There[i]) = (at, rows[i].From);
            ReadOnlySpan<byte> row = table.Bytes.AsSpan(rows[i].From, rows[i].To - rows[i].From);
            row.CopyTo(sorted.Bytes.AsSpan(at));
            at += row.Length;
            sorted.Bytes[at++] = (byte)'\n';
        }
        sorted.Bytes.AsSpan(at).Clear();
        return sorted with { Bytes = sorted.Bytes };
    }

    // TDX-13: step by step, prefixes before extensions, attributes before elements, ascending.
    private int Compare((int From, int To) a, (int From, int To) b)
    {
        (int p, int q) = (a.From, b.From);
        while (true)
        {
            byte first = p < a.To ? _b[p] : (byte)0;
            byte second = q < b.To ? _b[q] : (byte)0;
            int order = Rank(first).CompareTo(Rank(second));
            if (order != 0 || Rank(first) == 0)
            {
                return order;
            }
            p = EndOfNumber(_b, p + 1, a.To, out int number) + 1;
            q = EndOfNumber(_b, q + 1, b.To, out int other) + 1;
            if (number != other)
            {
                return number.CompareTo(other);
            }
            int after = EndOfNumber(_b, p, a.To, out number);
            number = after == p ? -1 : number;
            p = after;
            after = EndOfNumber(_b, q, b.To, out other);
            other = after == q ? -1 : other;
            q = after;
            if (number != other)
            {
                return number.CompareTo(other);
            }
        }
    }

    private static int Rank(byte c) => c == '[' ? 2 : c == '(' ? 1 : 0;

    private CreoException Malformed(int at, string text)
    {
        (TableText table, int there) = Original(at);
        return new CreoException(ErrorCode.Malformed, $"{table.RowAt(Math.Min(there, table.To))}: {text}", null, table.IsWhole ? there : null);
    }

    private long Offset(int at) => Original(at).At;

    // The original position of a byte of the current rows.
    private (TableText Table, int At) Original(int at)
    {
        if (_sorted is not { } sorted || !ReferenceEquals(_b, sorted.Bytes))
        {
            return (_table, at);
        }
        int i = Array.BinarySearch(sorted.Here, at);
        i = i < 0 ? ~i - 1 : i;
        return i < 0 ? (sorted.Sent, sorted.Sent.From) : (sorted.Sent, sorted.There[i] + at - sorted.Here[i]);
    }

    private sealed record Sorted(TableText Sent, byte[] Bytes, int[] Here, int[] There);
}
