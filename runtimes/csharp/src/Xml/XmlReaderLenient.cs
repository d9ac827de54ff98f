using System;

namespace Creo.Xml;

// What lenient reading takes otherwise than strict reading, and what errors of strict reading say about it (XML-50 to XML-52).
internal sealed partial class XmlReader
{
    private const string Skips = " (lenient reading would skip it)";
    private const string Misses = " (lenient reading would take it as missing)";
    private const string Accepts = " (lenient reading would accept it)";

    private bool _isLenient;

    private bool IsSliceAnyCase(ReadOnlySpan<byte> lower)
    {
        ReadOnlySpan<byte> text = Taken;
        bool same = text.Length == lower.Length;
        for (int i = 0; same && i < lower.Length; i++)
        {
            same = (text[i] | 0x20) == lower[i];
        }
        return same;
    }

    // The index after the processing instruction at an index, if it is read at all.
    private int Instruction(int p)
    {
        int to = XmlChars.NameEnd(_b, p + 2);
        bool isXml = to - p == 5 && (_b[p + 2] | 0x20) == 'x' && (_b[p + 3] | 0x20) == 'm' && (_b[p + 4] | 0x20) == 'l';
        bool isParted = Digits.IsSpace(_b[to]) || IsAt(to, "?>"u8);
        if (to == p + 2 || isXml || !isParted)
        {
            throw Malformed(p, "a processing instruction");
        }
        int close = _b.AsSpan(to, Math.Max(0, _end - to)).IndexOf("?>"u8);
        CheckCharacters(to, close < 0 ? _end : to + close);
        if (close < 0)
        {
            throw Malformed(_end, "");
        }
        return _isLenient ? to + close + 2 : throw Malformed(p, "a processing instruction" + Skips);
    }

    // Passes text over where only elements can be.
    private void SkipText(int at)
    {
        if (!_isLenient)
        {
            throw Malformed(at, "text, where an element must be" + Skips);
        }
    }

    // What an error says about a text that is no value of the field: the slice is the text.
    private string Hint()
    {
        if (_sliceFrom == _sliceTo)
        {
            return _field is { } field && IsNeverBlank(field) ? MissingHint() : "";
        }
        return _field is { Form: TextForm.Boolean } && (IsSliceAnyCase("true"u8) || IsSliceAnyCase("false"u8)) ? Accepts : "";
    }

    // What an error says about a field that lenient reading takes as missing; nothing if it must be there.
    private string MissingHint()
    {
        if (_field is not { } field)
        {
            return "";
        }
        bool isItem = _depth > 0 && _top is { Kind: TextFrameKind.Items } items ? items.Field!.Item == field : _depth > 1 && _frames[_depth - 2] is { Kind: TextFrameKind.Items } outer && outer.Field!.Item == field;
        return isItem || !field.IsRequired ? Misses : "";
    }

    // Whether the field holds single values of a type that no blank text is a value of.
    private static bool IsNeverBlank(TextField field) =>
        field.Item is null && field.Key is null && field.Type is null && field.Form is not (TextForm.Text or TextForm.Bytes) && !field.MayBeBlank;

    // Whether the element whose start tag was read is as if it were not there, for a field of a record or an item of an array.
    private bool IsMissing(TextField field)
    {
        TextField single = field.Item is { } item && !field.IsWrapped ? item : field;
        if (single.IsOptional || single.Place != TextPlace.Element || single.IsRaw)
        {
            return false;
        }
        return (_attributes > 0 && IsNil() && !HasOptionalText(single.Type?.Invoke())) || IsBlank(single);
    }

    // Whether the element is that of a single value, and blank.
    private bool IsBlank(TextField field)
    {
        if (!IsNeverBlank(field))
        {
            return false;
        }
        int at = _pos;
        TakeText();
        Trim();
        _pos = at;
        return _sliceFrom == _sliceTo;
    }

    private bool IsBlankAttribute(TextField field, int attribute)
    {
        if (!IsNeverBlank(field))
        {
            return false;
        }
        Expand(attribute);
        Trim();
        return _sliceFrom == _sliceTo;
    }

    // Whether xsi:nil says that the text of a struct is nothing, and not the struct itself (XML-32).
    private static bool HasOptionalText(TextType? type) => type switch
    {
        TextRecord record => record.Text >= 0 && record.Fields[record.Text].IsOptional,
        TextUnion { IsDerived: true } union => Array.Exists(union.Members, static member => HasOptionalText(member.Type?.Invoke())),
        _ => false,
    };

    // Whether the tag is one of an array that was read before, with the items after other elements.
    private bool WasGathered(TextFrame frame)
    {
        for (int i = 0; i < frame.Fields.Length && !frame.IsInline; i++)
        {
            TextField field = frame.Fields[i];
            if (IsRepeated(field) && frame.Saw(i) && field.Takes(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                return true;
            }
        }
        return false;
    }

    private static bool IsRepeated(TextField field) => field.Item is not null && !field.IsWrapped && field.Place == TextPlace.Element;

    // Goes to the next item that is not missing, also after elements of other fields; if there is none, back to the first of those.
    private bool NextGathered(TextFrame frame, TextField item, bool found)
    {
        TextFrame? outer = _depth < 2 ? null : _frames[_depth - 2];
        bool gathers = !frame.Field!.IsWrapped && item.Place != TextPlace.Inline && outer is { Record: not null, IsInline: false };
        while (found)
        {
            bool isItem = IsItem(item);
            if (isItem ? !IsMissing(item) : !gathers)
            {
                return true;
            }
            if (!isItem && frame.GatheredFrom < 0)
            {
                frame.GatheredFrom = _elements[_open - 1].Name - 1;
            }
            _pending = false;
            SkipElement();
            found = NextTag();
        }
        if (frame.GatheredFrom < 0)
        {
            return false;
        }
        _pos = frame.GatheredFrom;
        return NextTag();
    }
}
