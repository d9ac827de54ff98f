using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Creo.Soap;

namespace Creo.Xml;

// Answers of SOAP encoding, which are converted to literal form and then read (SOAP-32).
internal sealed partial class XmlReader
{
    private const int ElementCharge = 160;
    private const int AttributeCharge = 64;

    /// <summary>Converts an answer to literal form, which is then read. Input without an envelope and message is not changed.</summary>
    /// <param name="element">The element of the result's message, if any.</param>
    /// <param name="record">Its content; null if no result is read.</param>
    /// <param name="throws">The declared exceptions.</param>
    public void BringToLiteral(TextField? element, TextRecord? record, IReadOnlyList<TextCase> throws)
    {
        _isEncoded = true;
        int start = _pos;
        var body = new EncodedBody(_b, start, _end);
        // A table in the body has its own form (TDX-50).
        if (FindBody() && !_empty && ReadEncoded(body) is { } message && message.Namespace != _impliedNamespace)
        {
            var form = new LiteralForm(body, _limits, Padding);
            bool isFault = message.Namespace == _envelope && _b.AsSpan(message.Local.From, message.Local.To - message.Local.From).SequenceEqual("Fault"u8);
            if (isFault ? form.WriteFault(message, throws) : record is not null && form.WriteResult(message, element, record))
            {
                OpenOwn(form.Text, form.Length, "utf-8");
                return;
            }
        }
        _envelope = "";
        _pos = start;
        _open = 0;
        _prefixes.Reset(_b, 0);
        _likelyNamespace = null;
        _empty = false;
        _attributes = 0;
    }

    private bool FindBody()
    {
        Child();
        StartTag();
        if (!IsTag("Envelope"u8) || _tagNamespace is not (SoapNames.Envelope11 or SoapNames.Envelope12))
        {
            return false;
        }
        _envelope = _tagNamespace;
        while (Child())
        {
            StartTag();
            if (_tagNamespace == _envelope && IsTag("Body"u8))
            {
                return true;
            }
            SkipElement();
        }
        return false;
    }

    // Reads the body whose start tag was read, up to its end; returns the message.
    private EncodedElement? ReadEncoded(EncodedBody body)
    {
        EncodedElement top = body.Root = Encoded(body, null);
        while (true)
        {
            if (_empty || IsAt(_pos, "</"u8))
            {
                top.ContentEnd = _pos;
                EndTag();
                top.End = _pos;
                if (top.Outer is null)
                {
                    return body.Message;
                }
                top = top.Outer;
            }
            else if (IsStartTag(_pos))
            {
                StartTag();
                EncodedElement child = Encoded(body, top);
                top.Add(child);
                top = child;
            }
            else
            {
                top.HasText |= SkipText();
            }
        }
    }

    // Reads the element whose start tag was read.
    private EncodedElement Encoded(EncodedBody body, EncodedElement? outer)
    {
        OpenElement open = _elements[_open - 1];
        if (outer is not null)
        {
            Charge(ElementCharge + AttributeCharge * (_attributes + _prefixes.Count - open.Scope));
        }
        var made = new EncodedElement
        {
            Outer = outer,
            Start = open.Name - 1,
            Local = (_tagLocal, _tagEnd),
            Namespace = _tagNamespace,
            Content = _pos,
            Bindings = Bindings(body, outer, outer is null ? 0 : open.Scope),
        };
        for (int k = 0; k < _attributes; k++)
        {
            ref Attribute attribute = ref _attribute[k];
            string local = Encoding.UTF8.GetString(_b, attribute.Local, attribute.End - attribute.Local);
            switch (attribute.Namespace)
            {
                case "" when local == "id":
                    made.Id = AttributeText(k);
                    break;
                case "" when local == "href" && Trimmed(k) is ['#', ..] href:
                    made.Href = href[1..];
                    break;
                case SoapNames.Encoding11:
                    TakeEncoding(made, local, k);
                    break;
                case SoapNames.Envelope11 or SoapNames.Envelope12:
                    break;
                case SoapNames.Xsi1999 or SoapNames.Xsi2000:
                    if (local == "type" && TakeType(made, k))
                    {
                        break;
                    }
                    made.Add(new EncodedAttribute(attribute.Value - 1, attribute.ValueEnd + 1, local == "null" ? "nil" : local));
                    break;
                default:
                    if (attribute.Namespace == XmlName.Xsi && local == "type" && TakeType(made, k))
                    {
                        break;
                    }
                    made.Add(new EncodedAttribute(attribute.Name, attribute.ValueEnd + 1, null));
                    break;
            }
        }
        if (outer is not null && made.Id is not null && !body.Ids.TryAdd(made.Id, made))
        {
            body.Ids[made.Id] = null;
        }
        return made;
    }

    // The prefixes bound in the current element; those from an index are its own.
    private EncodedBinding? Bindings(EncodedBody body, EncodedElement? outer, int from)
    {
        EncodedBinding? bindings = outer?.Bindings;
        for (int i = from; i < _prefixes.Count; i++)
        {
            XmlPrefixes.Binding binding = _prefixes[i];
            if (binding.Length == 0)
            {
                // The literal form has no default namespace.
                continue;
            }
            string prefix = Encoding.UTF8.GetString(_b, binding.Start, binding.Length);
            bindings = new EncodedBinding(prefix, binding.Uri, bindings);
            if (outer is null)
            {
                body.Prefixes[prefix] = binding.Uri;
            }
            else if (!body.Prefixes.TryAdd(prefix, null))
            {
                body.Shadows |= body.Prefixes[prefix] is { } around && around != binding.Uri;
            }
        }
        return bindings;
    }

    private void TakeEncoding(EncodedElement made, string local, int attribute)
    {
        switch (local)
        {
            case "root":
                made.IsRoot = Trimmed(attribute) == "1";
                break;
            case "arrayType":
                made.IsArray = true;
                made.HasDimensions = AttributeText(attribute).Split('[').Skip(1).Any(static part => part.Split(']')[0].Contains(','));
                break;
            case "offset":
                made.Offset = Trimmed(attribute);
                break;
            case "position":
                made.Position = Trimmed(attribute);
                break;
            default:
                break;
        }
    }

    // Reads the type from an attribute; returns whether the attribute can be dropped, since the literal form has no default namespace.
    private bool TakeType(EncodedElement made, int attribute)
    {
        string text = Trimmed(attribute);
        int colon = text.LastIndexOf(':');
        string? ns = NamespaceOf(Encoding.UTF8.GetBytes(text[..Math.Max(colon, 0)]));
        made.IsArray |= text[(colon + 1)..] == "Array" && ns == SoapNames.Encoding11;
        made.DefaultType = colon < 0 && ns is { Length: > 0 } && IsName(text) ? (ns, text) : null;
        return made.DefaultType is not null;
    }

    private string Trimmed(int attribute) => AttributeText(attribute).Trim(' ', '\t', '\r', '\n');
}
