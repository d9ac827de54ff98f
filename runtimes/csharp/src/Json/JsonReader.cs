using System;
using System.Text;

namespace Creo.Json;

/// <summary>Reads JSON values: finds the field of each member.</summary>
/// <remarks>
/// A correctly predicted member takes one comparison of its bytes; only if that fails is its name looked up. The text is one array whose end is
/// followed by zeros. JSON has no zeros outside strings, so no scan needs to check for the end.
/// </remarks>
internal sealed partial class JsonReader : TextInput
{
    [ThreadStatic]
    private static JsonReader? t_reader;

    private byte[] _b = new byte[Padding];
    private byte[] _own = [];
    private int _pos;
    private int _end;

    // The number of open arrays and objects (LIM-20).
    private int _open;

    // The next value is the key of an entry, which is in the slice.
    private bool _isKey;

    // The next record is the result of a method, which is not wrapped (JSON-21).
    private bool _isResult;

    /// <summary>The thread's reader, or a new one.</summary>
    public static JsonReader Rent(Limits limits)
    {
        JsonReader reader = t_reader ?? new JsonReader();
        t_reader = null;
        reader.Begin(limits);
        reader._isKey = reader._isResult = false;
        return reader;
    }

    private protected override long Here => _pos;

    public override void GiveBack()
    {
        _b = [];
        _slice = [];
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

    /// <summary>Reads a copy of a text.</summary>
    public void Open(ReadOnlySpan<byte> text)
    {
        if (text.Length > _limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", _limits.MaxMessageSize, $"a JSON text of {text.Length} bytes");
        }
        ChargeBody(text.Length);
        if (_own.Length < text.Length + Padding)
        {
            _own = new byte[Math.Max(1024, text.Length + Padding)];
        }
        text.CopyTo(_own);
        Start(_own, text.Length);
    }

    /// <summary>Reads an array with room for zeros at its end.</summary>
    public void OpenOwn(byte[] text, int length)
    {
        ChargeBody(length);
        Start(text, length);
    }

    private void Start(byte[] text, int length)
    {
        text.AsSpan(length, Padding).Clear();
        _b = text;
        _end = length;
        _open = 0;
        _pos = text.AsSpan(0, length).StartsWith((ReadOnlySpan<byte>)[0xef, 0xbb, 0xbf]) ? 3 : 0;
    }

    /// <summary>Sets the field of the next value.</summary>
    public void BeginRoot(TextField root) => _field = root;

    /// <summary>The next value is the result of a method.</summary>
    public void BeginResult()
    {
        _isResult = true;
        IsResult();
    }

    /// <summary>Skips white space; fails if anything follows.</summary>
    public void EndDocument()
    {
        int p = SkipSpace(_pos);
        if (p < _end)
        {
            throw Malformed(p, $"{Shown(p)}, where the text must end");
        }
        _pos = p;
    }

    public override void Begin(TextRecord record)
    {
        if (_isResult)
        {
            _isResult = false;
            TextFrame result = Push(TextFrameKind.Record, null);
            result.Begin(record);
            result.IsInline = true;
            return;
        }
        OpenBracket((byte)'{', "an object");
        TextFrame frame = Push(TextFrameKind.Record, _field);
        frame.Begin(record);
        frame.IsFirst = true;
        if (record.IsRecursive)
        {
            Enter(record.Name, _pos);
        }
    }

    public override int Next(int likely)
    {
        TextFrame frame = _top!;
        TextField[] fields = frame.Fields;
        if (frame.Following is { } following)
        {
            likely = following[likely];
        }
        if (!frame.IsInline && frame.Kind == TextFrameKind.Record && (uint)likely < (uint)fields.Length && !frame.Saw(likely))
        {
            ReadOnlySpan<byte> member = fields[likely].Member;
            if (frame.IsFirst)
            {
                member = member[1..];
            }
            int p = _pos;
            if (_b.AsSpan(p).StartsWith(member))
            {
                _pos = p + member.Length;
                frame.IsFirst = false;
                return Found(frame, likely);
            }
        }
        return NextSlowly(frame, likely);
    }

    public override void End(TextRecord record)
    {
        TextFrame frame = _top!;
        TextField[] fields = frame.Fields;
        if (!frame.IsInline)
        {
            for (int i = record.HasAll(frame.Seen, members: true) ? fields.Length : 0; i < fields.Length; i++)
            {
                if (!frame.Saw(i) && !fields[i].IsOptional && !fields[i].MayBeMissing)
                {
                    throw Malformed(_pos - 1, $"without the member {fields[i].Name}, which must be there");
                }
            }
            if (record.IsRecursive)
            {
                Leave();
            }
        }
        Pop();
    }

    // No field is inline (JSON-1).
    public override bool Lacks(int field) => false;

    public override bool ReadNil()
    {
        int p = Start();
        if (_b[p] != 'n' || !IsAt(p, "null"u8))
        {
            Charge(_field!.ValueCharge);
            return false;
        }
        _pos = p + 4;
        return true;
    }

    public override int Member(TextUnion union)
    {
        OpenBracket((byte)'{', "an object with one member");
        TextFrame frame = Push(TextFrameKind.Union, _field);
        frame.Fields = union.Members;
        if (union.IsRecursive)
        {
            Enter(union.Name, _pos);
        }
        int at = Start();
        if (_b[at] == '}')
        {
            throw Malformed(at, $"an object without a member, where one of these must be: {union.Expected()}");
        }
        TakeName();
        int found = IndexOf(frame, 0, Taken);
        if (found < 0)
        {
            throw Malformed(at, $"the member {ShownName()}, where one of these must be: {union.Expected()}");
        }
        Found(frame, found);
        ChargeMember(union.Members[found]);
        return found;
    }

    public override void EndUnion(TextUnion union)
    {
        TextFrame frame = _top!;
        int p = Start();
        if (_b[p] != '}')
        {
            frame.Index = -1;
            throw Malformed(p, $"{Shown(p)}, where the union must end");
        }
        CloseBracket(p);
        if (union.IsRecursive)
        {
            Leave();
        }
        Pop();
    }

    public override void BeginItems()
    {
        OpenBracket((byte)'[', "an array");
        Push(TextFrameKind.Items, _field).IsFirst = true;
    }

    public override bool NextItem()
    {
        TextFrame frame = _top!;
        int p = Start();
        byte c = _b[p];
        if (c == ']')
        {
            CloseBracket(p);
            Pop();
            return false;
        }
        if (frame.IsFirst)
        {
            frame.IsFirst = false;
        }
        else if (c == ',')
        {
            _pos = p + 1;
        }
        else
        {
            frame.Index = -1;
            throw Malformed(p, $"{Shown(p)}, where a comma or the end of the array must be");
        }
        frame.Index++;
        _field = frame.Field!.Item;
        Charge(frame.Field.EachCharge);
        return true;
    }

    public override void BeginEntries()
    {
        OpenBracket((byte)'{', "an object");
        Push(TextFrameKind.Entries, _field).IsFirst = true;
    }

    public override bool NextEntry()
    {
        TextFrame frame = _top!;
        int index = frame.Index;
        frame.Index = -1;
        if (!NextMember(frame))
        {
            Pop();
            return false;
        }
        frame.Index = index + 1;
        Charge(frame.Field!.EachCharge);
        TextFrame entry = Push(TextFrameKind.Entry, frame.Field);
        entry.Begin(frame.Field!.Entry);
        entry.Index = 0;
        TakeName(isChar: true);
        entry.Index = -1;
        return true;
    }

    public override void EndEntry() => Pop();

    internal override CreoException DuplicateKey(int entry) => Malformed(_pos - 1, $"the key of entry {entry} was there before");

    private int NextSlowly(TextFrame frame, int likely)
    {
        if (frame.Kind == TextFrameKind.Entry)
        {
            int part = frame.Index + 1;
            _isKey = part == 0;
            return part < 2 ? Found(frame, part) : -1;
        }
        if (frame.IsInline)
        {
            bool more = !frame.IsEnded && frame.Fields.Length > 0;
            frame.IsEnded = true;
            return more ? Found(frame, 0) : -1;
        }
        int index = frame.Index;
        frame.Index = -1;
        while (NextMember(frame))
        {
            int at = _pos;
            TakeName();
            int found = IndexOf(frame, likely, Taken);
            if (found >= 0)
            {
                if (frame.Saw(found))
                {
                    throw Malformed(at, $"the member {ShownName()}, which was there before");
                }
                return Found(frame, found);
            }
            SkipUnknown(frame, at);
        }
        return -1;
    }

    private int Found(TextFrame frame, int field)
    {
        if (frame.Kind != TextFrameKind.Union)
        {
            frame.See(field);
        }
        frame.Index = field;
        _field = frame.Fields[field];
        return field;
    }

    // Goes to the name of an object's next member, or closes the object.
    private bool NextMember(TextFrame frame)
    {
        int p = Start();
        byte c = _b[p];
        if (c == '}')
        {
            CloseBracket(p);
            return false;
        }
        if (frame.IsFirst)
        {
            frame.IsFirst = false;
        }
        else if (c == ',')
        {
            p = SkipSpace(p + 1);
            c = _b[p];
        }
        else
        {
            throw Malformed(p, $"{Shown(p)}, where a comma or the end of the object must be");
        }
        if (c != '"')
        {
            throw Malformed(p, $"{Shown(p)}, where the name of a member must be");
        }
        _pos = p;
        return true;
    }

    private void SkipUnknown(TextFrame frame, int at)
    {
        if (!frame.Record!.IsExtensible)
        {
            throw Malformed(at, $"the member {ShownName()}, where these can be: {ExpectedMembers(frame.Fields)}");
        }
        if (Taken.Length > _limits.MaxXmlName)
        {
            throw CreoException.TooLarge("maxXmlName", _limits.MaxXmlName, $"a name of {Taken.Length} bytes").AtOffset(at);
        }
        SkipValue();
    }

    // Searches in the order of writing, from the likely one.
    private static int IndexOf(TextFrame frame, int likely, ReadOnlySpan<byte> name)
    {
        TextField[] fields = frame.Fields;
        int[]? following = frame.Following;
        int i = likely;
        for (int left = fields.Length; left > 0; left--)
        {
            if (i >= fields.Length)
            {
                i = following is null ? 0 : following[0];
            }
            if (IsNamed(fields[i], name))
            {
                return i;
            }
            i = following is null ? i + 1 : following[i + 1];
        }
        return -1;
    }

    // The stored name is enclosed in a comma, quotes and a colon.
    private static bool IsNamed(TextField field, ReadOnlySpan<byte> name) => field.Member.AsSpan(2, field.Member.Length - 4).SequenceEqual(name);

    private static string ExpectedMembers(TextField[] fields)
    {
        const int longest = 400;
        var text = new StringBuilder();
        foreach (TextField field in fields)
        {
            text.Append(text.Length == 0 ? "" : ", ").Append(field.Name);
            if (text.Length > longest)
            {
                return text.Append(", ...").ToString();
            }
        }
        return text.Length == 0 ? "none" : text.ToString();
    }
}
