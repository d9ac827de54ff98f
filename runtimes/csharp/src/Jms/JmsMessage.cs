using System;
using System.Collections.Generic;
using System.Globalization;
using Creo.Messages;

namespace Creo.Jms;

/// <summary>The properties of an answer, and the range of its body (JMS-3, JMS-4).</summary>
internal sealed class JmsMessage
{
    /// <summary>What the names of properties begin with that are metadata.</summary>
    public const string MetadataPrefix = "Creo_meta_";

    private static readonly string[] AnswerProperties =
        ["SOAPJMS_requestURI", "SOAPJMS_bindingVersion", "SOAPJMS_contentType", "SOAPJMS_contentEncoding", "SOAPJMS_isFault", "Creo_kind", "Creo_run", "Creo_item"];

    private readonly MessageBody _message;
    private readonly Limits _limits;
    private int _start;
    private int _length;

    // Where the properties are in the message; 0 if it has none.
    private int _properties;

    private JmsMessage(MessageBody message, Limits limits)
    {
        _message = message;
        _limits = limits;
    }

    public string? CorrelationId { get; private set; }

    public string? BindingVersion { get; private set; }

    public string? ContentType { get; private set; }

    public string? ContentEncoding { get; private set; }

    public string? Kind { get; private set; }

    /// <summary>Of a method with a stream: the run that this is a message of (JMS-25).</summary>
    public string? Run { get; private set; }

    /// <summary>Of a method with a stream: the number of items before this message.</summary>
    public string? Item { get; private set; }

    /// <summary>Properties that are metadata, as they came; null for none.</summary>
    public List<(string Name, string Value)>? Metadata { get; private set; }

    /// <summary>Why it is unreadable; null if it is not. The correlation id may be known nevertheless.</summary>
    public CreoException? Failure { get; private set; }

    /// <summary>Reads everything except the body.</summary>
    /// <param name="message">The message, which keeps the body.</param>
    /// <param name="limits">The limits for received data.</param>
    /// <param name="failure">Why it is unreadable, if already known: then only the correlation id is read.</param>
    public static JmsMessage Read(MessageBody message, Limits limits, CreoException? failure = null)
    {
        var read = new JmsMessage(message, limits);
        try
        {
            read.ReadSections();
        }
        catch (CreoException e)
        {
            read.Failure = e.Code == ErrorCode.Malformed ? new CreoException(ErrorCode.Malformed, "the answer is no message: " + e.Text, e) : e;
        }
        read.Failure = failure ?? read.Failure;
        return read;
    }

    /// <summary>The body, until it is taken.</summary>
    public ReadOnlyMemory<byte> Body => _message.Bytes.AsMemory(_start, _length);

    /// <summary>The properties that an answer may have (JMS-4), then those that are metadata; until the body is taken.</summary>
    public List<KeyValuePair<string, string>> Listed()
    {
        var listed = new List<KeyValuePair<string, string>>();
        if (_properties > 0)
        {
            var reader = new AmqpReader(_message.Bytes.AsSpan(_properties, _message.Length - _properties));
            reader.BeginMap();
            while (!reader.IsListAtEnd)
            {
                string? name = reader.ReadTextIfAny(int.MaxValue);
                string? value = reader.ReadTextIfAny(int.MaxValue);
                if (name is not null && value is not null && Array.IndexOf(AnswerProperties, name) >= 0)
                {
                    listed.Add(new(name, value));
                }
            }
        }
        listed.Sort(static (a, b) => Array.IndexOf(AnswerProperties, a.Key).CompareTo(Array.IndexOf(AnswerProperties, b.Key)));
        foreach ((string name, string value) in Metadata ?? [])
        {
            listed.Add(new(MetadataPrefix + name, value));
        }
        return listed;
    }

    /// <summary>The body, in the memory of the message.</summary>
    public MessageBody TakeBody()
    {
        _message.Cut(_start, _length);
        return _message;
    }

    private void ReadSections()
    {
        var reader = new AmqpReader(_message.Bytes.AsSpan(0, _message.Length));
        bool hasBody = false;
        while (!reader.IsAtEnd)
        {
            switch (reader.ReadDescriptor())
            {
                case Amqp.Header or Amqp.DeliveryAnnotations or Amqp.MessageAnnotations or Amqp.Footer:
                    reader.Skip();
                    break;
                case Amqp.Properties:
                    CheckHead(reader);
                    ReadProperties(ref reader);
                    break;
                case Amqp.ApplicationProperties:
                    CheckHead(reader);
                    _properties = reader.Position;
                    ReadApplicationProperties(ref reader);
                    break;
                case Amqp.Data:
                    Append(reader.ReadBytes());
                    hasBody = true;
                    break;
                case Amqp.Value when !hasBody:
                    Append(reader.ReadBytes());
                    hasBody = true;
                    break;
                default:
                    throw new CreoException(ErrorCode.ProtocolMismatch, "the answer is neither bytes nor a text (unsupportedJMSMessageFormat)");
            }
        }
    }

    // Enforces LIM-26 before allocating strings.
    private void CheckHead(AmqpReader ahead)
    {
        int from = ahead.Position;
        ahead.Skip();
        if (ahead.Position - from > _limits.MaxHeaderSize)
        {
            throw CreoException.TooLarge("maxHeaderSize", _limits.MaxHeaderSize, "the properties of the answer are too large");
        }
    }

    private void ReadProperties(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        for (int i = 0; i < 5; i++)
        {
            reader.Skip();
        }
        // Ids other than strings never belong to a client's calls.
        CorrelationId = reader.ReadTextIfAny(int.MaxValue);
        reader.End(list);
    }

    private void ReadApplicationProperties(ref AmqpReader reader)
    {
        AmqpReader.Scope map = reader.BeginMap();
        while (!reader.IsListAtEnd)
        {
            string? name = reader.ReadTextIfAny(int.MaxValue);
            switch (name)
            {
                case "SOAPJMS_bindingVersion":
                    BindingVersion = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case "SOAPJMS_contentType":
                    ContentType = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case "SOAPJMS_contentEncoding":
                    ContentEncoding = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case "Creo_kind":
                    Kind = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case "Creo_run":
                    Run = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case "Creo_item":
                    Item = reader.ReadTextIfAny(int.MaxValue);
                    break;
                case not null when name.StartsWith(MetadataPrefix, StringComparison.Ordinal):
                    (Metadata ??= []).Add((name[MetadataPrefix.Length..], reader.ReadTextIfAny(int.MaxValue) ?? throw AnswerMetadata.Malformed("a value is not a text")));
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
        reader.End(map);
    }

    // A body may have several sections: later ones are moved to the end of earlier ones.
    private void Append(Range? bytes)
    {
        if (bytes is not { } range)
        {
            return;
        }
        (int start, int length) = range.GetOffsetAndLength(_message.Length);
        if (_length == 0)
        {
            _start = start;
        }
        else
        {
            Buffer.BlockCopy(_message.Bytes, start, _message.Bytes, _start + _length, length);
        }
        _length += length;
    }
}

/// <summary>The properties of a request.</summary>
internal static class JmsHead
{
    // Sent for a call without a deadline (HTTP-7): the largest number of nine digits.
    private const int MaxTimeout = 999_999_999;

    /// <summary>The property for the time left for a call; 0 for no deadline.</summary>
    public static (string Name, string Value) Timeout(int milliseconds) =>
        ("Creo_timeout", (milliseconds == 0 ? MaxTimeout : Math.Min(milliseconds, MaxTimeout)).ToString(CultureInfo.InvariantCulture));

    /// <summary>The message as pieces of memory: the properties, and the body.</summary>
    /// <param name="address">The destination.</param>
    /// <param name="replyTo">The address for the answer; null for none.</param>
    /// <param name="id">The correlation id.</param>
    /// <param name="milliseconds">The time left for the call; 0 for no deadline.</param>
    /// <param name="properties">The properties of JMS-4.</param>
    /// <param name="request">The body.</param>
    public static List<ReadOnlyMemory<byte>> Compose(
        JmsAddress address, string? replyTo, string id, int milliseconds, IEnumerable<(string Name, string Value)> properties, MessageRequest request)
    {
        var writer = new AmqpWriter();
        WriteHeader(writer, address, milliseconds);
        WriteAnnotations(writer, address, replyTo);
        WriteProperties(writer, address, replyTo, id);
        writer.Describe(Amqp.ApplicationProperties);
        writer.BeginMap();
        foreach ((string name, string value) in properties)
        {
            writer.Text(name);
            writer.Text(value);
        }
        writer.End();
        writer.Describe(Amqp.Data);
        writer.BinaryBehind(checked((int)request.Size));
        return [writer.Written, .. request.Segments];
    }

    // JMS-10: a message expires with its call.
    private static void WriteHeader(AmqpWriter writer, JmsAddress address, int milliseconds)
    {
        writer.Begin(Amqp.Header);
        writer.Boolean(address.IsPersistent);
        if (address.Priority is { } priority)
        {
            writer.UByte(priority);
        }
        else
        {
            writer.Null();
        }
        if (milliseconds > 0)
        {
            writer.UInt((uint)milliseconds);
        }
        writer.End();
    }

    // Marks this as a BytesMessage to a queue for the broker's JMS clients.
    private static void WriteAnnotations(AmqpWriter writer, JmsAddress address, string? replyTo)
    {
        const byte bytesMessage = 3;
        const byte queue = 0;
        const byte topic = 1;
        const byte temporaryQueue = 2;
        writer.Describe(Amqp.MessageAnnotations);
        writer.BeginMap();
        writer.Symbol("x-opt-jms-msg-type");
        writer.Byte(bytesMessage);
        writer.Symbol("x-opt-jms-dest");
        writer.Byte(address.IsTopic ? topic : queue);
        if (replyTo is not null)
        {
            writer.Symbol("x-opt-jms-reply-to");
            writer.Byte(address.ReplyToName is null ? temporaryQueue : queue);
        }
        writer.End();
    }

    private static void WriteProperties(AmqpWriter writer, JmsAddress address, string? replyTo, string id)
    {
        writer.Begin(Amqp.Properties);
        writer.Null();
        writer.Null();
        writer.Text(address.Name);
        writer.Null();
        if (replyTo is null)
        {
            writer.Null();
        }
        else
        {
            writer.Text(replyTo);
        }
        writer.Text(id);
        // With a text's media type, a broker would turn the body into a string and break compressed ones.
        writer.Symbol("application/octet-stream");
        writer.End();
    }
}
