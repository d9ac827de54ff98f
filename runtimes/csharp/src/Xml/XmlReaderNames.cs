using System;
using System.Text;

namespace Creo.Xml;

// Qualified names (XML-48).
internal sealed partial class XmlReader
{
    private string ReadName()
    {
        if (_source == Source.Listed)
        {
            return NameOfSlice();
        }
        int within = _prefixes.Count;
        TakeTrimmed();
        int after = _prefixes.Count;
        _prefixes.Reset(_b, within);
        string name = NameOfSlice();
        _prefixes.Reset(_b, after);
        return name;
    }

    // Takes the text of a list. If it contains prefixes, those of its element stay bound until its end.
    private TextFrame BeginList(TextField field)
    {
        int within = _prefixes.Count;
        TakeSlice();
        TextFrame list = Push(TextFrameKind.Items, field);
        list.BindingsAfter = -1;
        if (field.Item!.IsQualifiedName)
        {
            list.BindingsAfter = _prefixes.Count;
            _prefixes.Reset(_b, within);
        }
        return list;
    }

    private void EndList(TextFrame list)
    {
        if (list.BindingsAfter >= 0)
        {
            _prefixes.Reset(_b, list.BindingsAfter);
        }
        Pop();
    }

    // The name in the slice, by the bound prefixes.
    private string NameOfSlice()
    {
        ReadOnlySpan<byte> text = Taken;
        int colon = text.IndexOf((byte)':');
        string local = Encoding.UTF8.GetString(text[(colon + 1)..]);
        if (colon == 0 || !IsName(local))
        {
            throw Wrong("a qualified name");
        }
        ReadOnlySpan<byte> prefix = colon < 0 ? default : text[..colon];
        string? uri = prefix.SequenceEqual("xml"u8) ? XmlName.XmlSpace : NamespaceOf(prefix);
        if (uri is null)
        {
            throw Wrong("a name whose prefix is bound");
        }
        if (uri.Length == 0)
        {
            return local;
        }
        _declared += Encoding.UTF8.GetByteCount(uri);
        if (_declared > _limits.MaxXmlText)
        {
            throw TooLarge(_sliceAt, "maxXmlText", _limits.MaxXmlText, "namespaces of names, of more bytes");
        }
        return $"{{{uri}}}{local}";
    }
}
