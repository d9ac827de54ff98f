using System;
using System.Collections.Generic;

namespace Creo.Xml;

/// <summary>Writes XML values (<c>spec/wires/xml.md</c>) into reusable memory.</summary>
internal sealed partial class XmlWriter : TextOutput
{
    [ThreadStatic]
    private static XmlWriter? t_writer;

    // Whether the next item is the first of its list; and whether the list is an attribute.
    private bool _first;
    private bool _quoted;

    // The MIME parts; null if byte strings are in the text.
    private List<ReadOnlyMemory<byte>>? _parts;

    /// <summary>The thread's writer, or a new one.</summary>
    public static XmlWriter Rent(Limits limits)
    {
        XmlWriter writer = t_writer ?? new XmlWriter();
        t_writer = null;
        writer.Begin(limits);
        writer._parts = null;
        writer._declares = writer._types = false;
        writer.Bind([]);
        return writer;
    }

    /// <summary>Keeps the writer for the thread's next value.</summary>
    public override void GiveBack()
    {
        End();
        _parts = null;
        t_writer = this;
    }

    /// <summary>Makes long byte strings MIME parts (SOAP-21).</summary>
    public List<ReadOnlyMemory<byte>> CollectParts() => _parts = [];

    public override void BeginRecord(TextField field, TextRecord record)
    {
        switch (field.Place)
        {
            case TextPlace.Element when record.IsOpen:
                _own.Clear();
                StartOpen(field.Xml);
                WriteType(field, 0);
                break;
            case TextPlace.Element:
                _own.Clear();
                Start(field, 0);
                break;
            case TextPlace.Derived:
                BeginDerived(field, record);
                break;
            default:
                break;
        }
        Push(field, StepKind.Record);
        if (record.IsRecursive)
        {
            Enter(record.Name);
        }
    }

    public override void Content(TextField field, TextRecord record)
    {
        if (field.Place != TextPlace.Inline)
        {
            Raw(">"u8);
        }
    }

    public override void AbsentText() => Raw(" xsi:nil=\"true\""u8);

    public override void EndRecord(TextField field, TextRecord record)
    {
        _depth--;
        if (record.IsRecursive)
        {
            Leave();
        }
        if (field.Place == TextPlace.Element)
        {
            EndTag(field.Xml);
        }
        else if (field.Place == TextPlace.Derived)
        {
            EndTag(_path[_depth - 1].Field.Xml);
        }
    }

    public override TextField BeginUnion(TextField field, TextUnion union, int member)
    {
        if (!union.IsDerived && field.Place == TextPlace.Element)
        {
            Start(field.Xml, 0);
        }
        Push(field, StepKind.Union);
        _path[_depth - 1].Index = _position;
        if (union.IsRecursive)
        {
            Enter(union.Name);
        }
        return union.Members[member];
    }

    public override void EndUnion(TextField field, TextUnion union)
    {
        if (_position == _path[_depth - 1].Index)
        {
            throw new CreoException(ErrorCode.InvalidValue, $"a member of {union.Name} that writes no element at all: who reads could not tell that it is there");
        }
        _depth--;
        if (union.IsRecursive)
        {
            Leave();
        }
        if (!union.IsDerived && field.Place == TextPlace.Element)
        {
            EndTag(field.Xml);
        }
    }

    public override TextField BeginItems(TextField field, int count)
    {
        if (field.IsWrapped)
        {
            if (field.Place == TextPlace.Element)
            {
                Start(field, 0, count);
            }
            else if (field.Place == TextPlace.Attribute)
            {
                StartAttribute(field.Xml);
            }
            BeginNames(field);
            _first = true;
            _quoted = field.Place == TextPlace.Attribute;
        }
        Push(field, StepKind.Item);
        return field.Item!;
    }

    public override void EndItems(TextField field)
    {
        _depth--;
        if (field.IsWrapped)
        {
            if (field.Place == TextPlace.Attribute)
            {
                Raw("\""u8);
            }
            DeclareNames(field);
            if (field.Place == TextPlace.Element)
            {
                EndTag(field.Xml);
            }
        }
    }

    public override void BeginEntries(TextField field, int count)
    {
        Start(field.Xml, 0);
        Push(field, StepKind.Key);
    }

    public override TextField Key(TextField field, int index)
    {
        ref Step step = ref _path[_depth - 1];
        step.Index = index;
        step.Kind = StepKind.Key;
        Start(field.Entry.Xml, 0);
        return field.Key!;
    }

    public override TextField Value(TextField field)
    {
        _path[_depth - 1].Kind = StepKind.Value;
        return field.Value!;
    }

    public override void EndEntry(TextField field) => EndTag(field.Entry.Xml);

    public override void EndEntries(TextField field)
    {
        _depth--;
        EndTag(field.Xml);
    }

    public override void WriteAbsent(TextField field)
    {
        if (field.IsNillable && field.Place == TextPlace.Element)
        {
            NilElement(field.Xml);
        }
    }

    private void BeginDerived(TextField field, TextRecord record)
    {
        _own.Clear();
        StartOpen(_path[_depth - 1].Field.Xml);
        if (!field.IsBase || _types)
        {
            Raw(" xsi:type=\""u8);
            PutPrefix(Prefix(field.Xml.Namespace) ?? throw new InvalidOperationException($"no prefix for {field.Xml}"));
            Raw(field.Xml.Bytes);
            Raw("\""u8);
        }
        if (!record.IsOpen)
        {
            Raw(">"u8);
        }
    }
}
