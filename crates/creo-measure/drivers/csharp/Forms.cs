using System;
using System.Text;
using Creo.Json;
using Creo.Soap;
using Creo.Tables;
using Creo.Xml;

namespace Creo.Measured;

// Messages as bytes on each wire, without a transport: a client's work from values to memory, and from memory to values. The loops are here, directly
// around the runtime.

/// <summary>A message on a wire of the runtime.</summary>
internal abstract class FormSubject<T> : Subject
{
    private byte[]? _padded;
    private int _length;

    protected FormSubject(string wire, string number, Message<T> message, T value)
        : base(wire, number)
    {
        Message = message;
        Value = value;
    }

    public sealed override int Length
    {
        get
        {
            _ = Bytes;
            return _length;
        }
    }

    protected Message<T> Message { get; }

    protected T Value { get; }

    /// <summary>The message, followed by the room that text readers need, as connections receive it.</summary>
    protected byte[] Bytes
    {
        get
        {
            if (_padded is null)
            {
                byte[] written = Written(Value);
                _length = written.Length;
                _padded = [.. written, .. new byte[TextInput.Padding]];
            }
            return _padded;
        }
    }

    /// <summary>Whether the message is read completely, and can be written again.</summary>
    protected virtual bool IsWhole => true;

    /// <summary>What one of the messages that are read was.</summary>
    protected T? Last { get; set; }

    public override void Check()
    {
        byte[] bytes = Bytes;
        Read(1);
        if (IsWhole && !Written(Last!).AsSpan().SequenceEqual(bytes.AsSpan(0, _length)))
        {
            throw Differs();
        }
        Last = default;
    }

    public abstract byte[] Written(T value);
}

internal sealed class BinarySubject<T>(string number, Message<T> message, T value) : FormSubject<T>("binary", number, message, value)
{
    // A connection keeps its writer.
    private static readonly Writer s_writer = new();

    public override byte[] Written(T value)
    {
        Put(value);
        return s_writer.Written.ToArray();
    }

    protected override void Write(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Put(Value);
        }
    }

    protected override void Read(int times)
    {
        byte[] bytes = Bytes;
        int length = Length;
        for (int i = 0; i < times; i++)
        {
            var reader = new Reader(bytes.AsSpan(0, length), Limits.Default);
            T value = Message.Decode(ref reader);
            reader.ReadEnd();
            Last = value;
        }
    }

    private void Put(T value)
    {
        s_writer.Clear();
        Message.Encode(s_writer, value);
        s_writer.CheckSize();
    }
}

internal sealed class SoapSubject<T>(string number, Message<T> message, T value) : FormSubject<T>("soap", number, message, value)
{
    protected override bool IsWhole => !Message.HasHeaders;

    public override byte[] Written(T value)
    {
        XmlWriter writer = Put(value);
        byte[] bytes = writer.ToArray();
        writer.GiveBack();
        return bytes;
    }

    protected override void Write(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Put(Value).GiveBack();
        }
    }

    protected override void Read(int times)
    {
        byte[] bytes = Bytes;
        int length = Length;
        for (int i = 0; i < times; i++)
        {
            Last = Result(Message, bytes, length);
        }
    }

    /// <summary>The value of a SOAP message, which is followed by room.</summary>
    public static T Result(Message<T> message, byte[] bytes, int length)
    {
        XmlReader reader = XmlReader.Rent(Limits.Default);
        try
        {
            reader.OpenOwn(bytes, length, "utf-8");
            if (reader.BeginEnvelope())
            {
                throw new System.IO.InvalidDataException($"{message.Name} is a fault");
            }
            return reader.ReadBody(message.Body);
        }
        finally
        {
            reader.GiveBack();
        }
    }

    private XmlWriter Put(T value)
    {
        XmlWriter writer = XmlWriter.Rent(Limits.Default);
        writer.BeginEnvelope(SoapNames.Envelope11, [], Message.Written, value);
        Message.Written.WriteBody(writer, value);
        writer.EndEnvelope();
        return writer;
    }
}

internal class TableSubject<T>(string wire, string number, Message<T> message, T value, TableScheme scheme)
    : FormSubject<T>(wire, number, message, value)
{
    protected TableOptions Options { get; } = new() { Scheme = scheme };

    public override byte[] Written(T value)
    {
        TableWriter writer = Put(value);
        byte[] bytes = writer.ToArray();
        writer.GiveBack();
        return bytes;
    }

    protected override void Write(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Put(Value).GiveBack();
        }
    }

    protected override void Read(int times)
    {
        byte[] bytes = Bytes;
        int length = Length;
        for (int i = 0; i < times; i++)
        {
            XmlReader reader = XmlReader.Rent(Limits.Default);
            try
            {
                reader.OpenOwn(bytes, length, "utf-8");
                TableText table = reader.ReadTable();
                table.Check(null, Message.Whole.Schema(Message.Method));
                Last = TableReader.ReadResult(table, Message.Whole.Read, Limits.Default, reader.MemoryLeft);
            }
            finally
            {
                reader.GiveBack();
            }
        }
    }

    protected virtual TableWriter Put(T value)
    {
        TableWriter writer = TableWriter.Rent(Limits.Default);
        writer.WriteRequest(Options, Message.Method, null, Message.Written, value);
        writer.CheckSize();
        return writer;
    }
}

internal sealed class TableInSoapSubject<T>(string wire, string number, Message<T> message, T value, TableScheme scheme)
    : TableSubject<T>(wire, number, message, value, scheme)
{
    private static readonly byte[] s_head = Encoding.ASCII.GetBytes($"<soap:Envelope xmlns:soap=\"{SoapNames.Envelope11}\"><soap:Body>");

    // TDX-50: a request says of which method it is.
    private readonly string? _of = message.IsRequest ? message.Method : null;

    protected override void Read(int times)
    {
        byte[] bytes = Bytes;
        int length = Length;
        for (int i = 0; i < times; i++)
        {
            XmlReader reader = XmlReader.Rent(Limits.Default);
            try
            {
                reader.OpenOwn(bytes, length, "utf-8");
                reader.TakeTables();
                if (reader.BeginEnvelope() || !reader.IsTableNext)
                {
                    throw Differs();
                }
                TableText table = reader.ReadTableInBody();
                table.Check(_of, Message.Whole.Schema(Message.Method));
                Last = TableReader.ReadResult(table, Message.Whole.Read, Limits.Default, reader.MemoryLeft);
            }
            finally
            {
                reader.GiveBack();
            }
        }
    }

    protected override TableWriter Put(T value)
    {
        TableWriter writer = TableWriter.Rent(Limits.Default);
        writer.Raw(s_head);
        writer.WriteRequest(Options, Message.Method, _of, Message.Written, value);
        writer.Raw("</soap:Body></soap:Envelope>"u8);
        writer.CheckSize();
        return writer;
    }
}

internal sealed class JsonSubject<T>(string number, Message<T> message, T value) : FormSubject<T>("json", number, message, value)
{
    // JSON-1: a request is an object of the parameters; a result is bare, and a missing one is no text at all.
    private readonly bool _isNothing = !message.IsRequest && message.Fields == 0;

    public override byte[] Written(T value)
    {
        JsonWriter writer = Put(value);
        byte[] bytes = writer.ToArray();
        writer.GiveBack();
        return bytes;
    }

    protected override void Write(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Put(Value).GiveBack();
        }
    }

    protected override void Read(int times)
    {
        byte[] bytes = Bytes;
        int length = Length;
        for (int i = 0; i < times; i++)
        {
            if (_isNothing && length == 0)
            {
                continue;
            }
            JsonReader reader = JsonReader.Rent(Limits.Default);
            try
            {
                reader.OpenOwn(bytes, length);
                if (Message.IsRequest)
                {
                    reader.BeginRoot(TextField.Root);
                }
                else
                {
                    reader.BeginResult();
                }
                Last = Message.Whole.Read(reader);
                reader.EndDocument();
            }
            finally
            {
                reader.GiveBack();
            }
        }
    }

    private JsonWriter Put(T value)
    {
        JsonWriter writer = JsonWriter.Rent(Limits.Default);
        if (Message.IsRequest)
        {
            Message.Written.WriteRecord(writer, value);
        }
        else
        {
            Message.Written.Write(writer, value);
        }
        writer.CheckSize();
        return writer;
    }
}
