using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Xml.Serialization;
using Creo.Measured.Classes;
using Creo.Soap;
using Platform = System.Xml;

namespace Creo.Measured;

internal static partial class Driver
{
    static partial void AddForeign(List<Subject> subjects, string number, Message message, byte[] body, string wire)
    {
        if (wire == "xmlserializer")
        {
            subjects.Add(new XmlSubject(number, message, body));
        }
    }
}

/// <summary>
/// The element of a SOAP body as a document alone, by .NET's XmlSerializer. The serializer, the stream and the settings are kept; a reader and a writer are for
/// one document, as the platform has it.
/// </summary>
internal sealed class XmlSubject : Subject
{
    private static readonly Dictionary<Type, XmlSerializer> s_serializers = [];
    private static readonly Platform.XmlWriterSettings s_writing = new() { Encoding = new UTF8Encoding(false), CheckCharacters = false };
    private static readonly Platform.XmlReaderSettings s_reading = new() { CheckCharacters = false, DtdProcessing = Platform.DtdProcessing.Prohibit };
    private static readonly MemoryStream s_stream = new();

    private readonly Message _message;
    private readonly byte[] _body;
    private readonly XmlSerializer _serializer;
    private readonly XmlSerializerNamespaces _namespaces;
    private readonly object _value;
    private readonly byte[] _bytes;

    private object? _last;

    public XmlSubject(string number, Message message, byte[] body)
        : base("xmlserializer", number)
    {
        Type type = AllClasses.Of[Message.Key(message)];
        if (!s_serializers.TryGetValue(type, out XmlSerializer? serializer))
        {
            s_serializers[type] = serializer = new XmlSerializer(type);
        }
        _message = message;
        _body = body;
        _serializer = serializer;
        using Platform.XmlReader reader = Platform.XmlReader.Create(new MemoryStream(message.ToSoap(body)), s_reading);
        reader.ReadStartElement("Envelope", SoapNames.Envelope11);
        reader.ReadStartElement("Body", SoapNames.Envelope11);
        // The element's namespace without a prefix, and none that only types would need.
        _namespaces = new XmlSerializerNamespaces([new Platform.XmlQualifiedName("", reader.NamespaceURI)]);
        _value = serializer.Deserialize(reader)!;
        Put(_value);
        _bytes = s_stream.ToArray();
    }

    public override int Length => _bytes.Length;

    /// <summary>Fails unless the values are those of the binary body, when they were written by the serializer, read by it, and written again.</summary>
    public override void Check()
    {
        Read(1);
        Put(_last!);
        string text = Encoding.UTF8.GetString(s_stream.GetBuffer(), 0, (int)s_stream.Length);
        text = text[(text.IndexOf("?>", StringComparison.Ordinal) + 2)..];
        string envelope = $"<soap:Envelope xmlns:soap=\"{SoapNames.Envelope11}\"><soap:Body>{text}</soap:Body></soap:Envelope>";
        if (!_message.FromSoap(Encoding.UTF8.GetBytes(envelope)).AsSpan().SequenceEqual(_body))
        {
            throw Differs();
        }
        _last = null;
    }

    protected override void Write(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Put(_value);
        }
    }

    protected override void Read(int times)
    {
        for (int i = 0; i < times; i++)
        {
            using Platform.XmlReader reader = Platform.XmlReader.Create(new MemoryStream(_bytes), s_reading);
            _last = _serializer.Deserialize(reader);
        }
    }

    private void Put(object value)
    {
        s_stream.SetLength(0);
        using Platform.XmlWriter writer = Platform.XmlWriter.Create(s_stream, s_writing);
        _serializer.Serialize(writer, value, _namespaces);
    }
}
