using System;
using Creo.Soap;

namespace Creo.Xml;

// Types in the tags of SOAP encoding (SOAP-31).
internal sealed partial class XmlWriter
{
    private TextField? _encoded;

    /// <summary>Writes the encoding style on the message's element, and types on those of its values.</summary>
    public void Encode(TextField? element)
    {
        _types = true;
        _encoded = element;
    }

    partial void WriteType(TextField field, int count)
    {
        if (!_types)
        {
            return;
        }
        if (ReferenceEquals(field, _encoded))
        {
            Raw(" soap:encodingStyle=\""u8);
            Ascii(SoapNames.Encoding11);
            Raw("\""u8);
        }
        if (field.SchemaType is null)
        {
            return;
        }
        Raw(" xsi:type=\""u8);
        PutName(field.SchemaType);
        Raw("\""u8);
        if (field.SchemaItems is not null)
        {
            Raw(" "u8);
            PutPrefix(PrefixOf(field.SchemaType));
            Raw("arrayType=\""u8);
            PutName(field.SchemaItems);
            Raw("["u8);
            Room(TextNumbers.MaxLength);
            _position += TextNumbers.Put(_buffer.AsSpan(_position), (long)count);
            Raw("]\""u8);
        }
    }

    private string PrefixOf(TextSchemaType type) =>
        Prefix(type.Namespace) ?? throw new InvalidOperationException($"the namespace {type.Namespace} is not among those of the message");

    private void PutName(TextSchemaType type)
    {
        PutPrefix(PrefixOf(type));
        Escaped(type.Local, Escapes.XmlAttribute);
    }
}
