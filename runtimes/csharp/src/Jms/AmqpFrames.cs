using System.Collections.Generic;

namespace Creo.Jms;

/// <summary>The broker's open frame.</summary>
/// <param name="MaxFrame">The max frame size that it accepts.</param>
/// <param name="IdleMilliseconds">The time after which it drops a silent peer; 0 for none.</param>
internal readonly record struct AmqpOpen(uint MaxFrame, uint IdleMilliseconds)
{
    public static AmqpOpen Read(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        reader.Skip();
        reader.Skip();
        var open = new AmqpOpen(reader.ReadUInt() ?? uint.MaxValue, Rest(ref reader));
        reader.End(list);
        return open;
    }

    private static uint Rest(ref AmqpReader reader)
    {
        reader.Skip();
        return reader.ReadUInt() ?? 0;
    }
}

/// <summary>The broker's end of a link.</summary>
/// <param name="Name">The link's name.</param>
/// <param name="Handle">The broker's handle for it.</param>
/// <param name="HasSource">Whether there is a source; a refused link has none.</param>
/// <param name="SourceAddress">The queue that the broker created, if it was asked to.</param>
/// <param name="HasSelector">Whether the broker applies the requested selector.</param>
/// <param name="HasTarget">Whether there is a target.</param>
/// <param name="FirstCount">The first number of its messages, if it sends them.</param>
/// <param name="MaxMessage">The max message size that it accepts; 0 for any.</param>
internal readonly record struct AmqpAttach(
    string Name, uint Handle, bool HasSource, string? SourceAddress, bool HasSelector, bool HasTarget, uint FirstCount, ulong MaxMessage)
{
    private const int MaxName = 1024;

    public static AmqpAttach Read(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        string name = reader.ReadText(MaxName) ?? throw Amqp.Malformed("a link without a name");
        uint handle = reader.ReadUInt() ?? throw Amqp.Malformed("a link without a handle");
        for (int i = 0; i < 3; i++)
        {
            reader.Skip();
        }
        bool hasSource = reader.Has();
        (string? address, bool hasSelector) = hasSource ? ReadSource(ref reader) : default;
        bool hasTarget = reader.Has();
        for (int i = hasTarget ? 0 : 1; i < 3; i++)
        {
            reader.Skip();
        }
        uint firstCount = reader.ReadUInt() ?? 0;
        ulong maxMessage = reader.ReadULong() ?? 0;
        reader.End(list);
        return new AmqpAttach(name, handle, hasSource, address, hasSelector, hasTarget, firstCount, maxMessage);
    }

    private static (string? Address, bool HasSelector) ReadSource(ref AmqpReader reader)
    {
        if (reader.ReadDescriptor() != Amqp.Source)
        {
            throw Amqp.Malformed("a source that is none");
        }
        AmqpReader.Scope list = reader.BeginList();
        string? address = reader.ReadTextIfAny(MaxName);
        for (int i = 0; i < 6; i++)
        {
            reader.Skip();
        }
        bool hasSelector = false;
        if (reader.Has())
        {
            AmqpReader.Scope filters = reader.BeginMap();
            while (!reader.IsListAtEnd)
            {
                hasSelector |= reader.ReadTextIfAny(MaxName) == Amqp.SelectorName && reader.Has();
                reader.Skip();
            }
            reader.End(filters);
        }
        reader.End(list);
        return (address, hasSelector);
    }
}

/// <summary>How much the broker accepts, on the session and perhaps on a link.</summary>
internal readonly record struct AmqpFlow(
    uint? NextIncoming, uint IncomingWindow, uint NextOutgoing, uint? Handle, uint? DeliveryCount, uint? Credit, bool IsDrain, bool IsEcho)
{
    public static AmqpFlow Read(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        uint? nextIncoming = reader.ReadUInt();
        uint window = reader.ReadUInt() ?? 0;
        uint nextOutgoing = reader.ReadUInt() ?? 0;
        reader.Skip();
        uint? handle = reader.ReadUInt();
        uint? count = reader.ReadUInt();
        uint? credit = reader.ReadUInt();
        reader.Skip();
        var flow = new AmqpFlow(nextIncoming, window, nextOutgoing, handle, count, credit, reader.ReadBoolean() ?? false, reader.ReadBoolean() ?? false);
        reader.End(list);
        return flow;
    }
}

/// <summary>A piece of a message; the rest of the frame is its bytes.</summary>
internal readonly record struct AmqpTransfer(uint Handle, uint? Delivery, bool IsSettled, bool HasMore, bool IsAborted)
{
    public static AmqpTransfer Read(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        uint handle = reader.ReadUInt() ?? throw Amqp.Malformed("a message of no link");
        uint? delivery = reader.ReadUInt();
        reader.Skip();
        reader.Skip();
        bool isSettled = reader.ReadBoolean() ?? false;
        bool hasMore = reader.ReadBoolean() ?? false;
        reader.Skip();
        reader.Skip();
        reader.Skip();
        bool isAborted = reader.ReadBoolean() ?? false;
        reader.End(list);
        return new AmqpTransfer(handle, delivery, isSettled, hasMore, isAborted);
    }
}

/// <summary>The outcome of messages.</summary>
/// <param name="OfReceiver">Whether it comes from their receiver.</param>
/// <param name="First">The first of them.</param>
/// <param name="Last">The last of them.</param>
/// <param name="IsSettled">Whether it is final.</param>
/// <param name="Outcome">The descriptor of the outcome; null for none yet.</param>
/// <param name="Error">The reason for a refusal.</param>
internal readonly record struct AmqpDisposition(bool OfReceiver, uint First, uint Last, bool IsSettled, ulong? Outcome, AmqpError? Error)
{
    public static AmqpDisposition Read(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        bool ofReceiver = reader.ReadBoolean() ?? false;
        uint first = reader.ReadUInt() ?? throw Amqp.Malformed("a disposition of no message");
        uint last = reader.ReadUInt() ?? first;
        bool isSettled = reader.ReadBoolean() ?? false;
        ulong? outcome = null;
        AmqpError? error = null;
        if (reader.Has())
        {
            outcome = reader.ReadDescriptor();
            AmqpReader.Scope state = reader.BeginList();
            if (outcome == Amqp.Rejected)
            {
                error = AmqpError.Read(ref reader);
            }
            reader.End(state);
        }
        reader.End(list);
        return new AmqpDisposition(ofReceiver, first, last, isSettled, outcome, error);
    }
}

/// <summary>The broker's reason for ending something.</summary>
internal readonly record struct AmqpError(string Condition, string? Text)
{
    /// <summary>Reads an error, if there is one.</summary>
    public static AmqpError? Read(ref AmqpReader reader)
    {
        if (!reader.Has())
        {
            return null;
        }
        if (reader.ReadDescriptor() != Amqp.Error)
        {
            throw Amqp.Malformed("an error that is none");
        }
        AmqpReader.Scope list = reader.BeginList();
        var error = new AmqpError(reader.ReadText(int.MaxValue) ?? "an error without a condition", reader.ReadText(int.MaxValue));
        reader.End(list);
        return error;
    }

    /// <summary>The error in a frame's list, after other values.</summary>
    public static AmqpError? ReadBehind(ref AmqpReader reader, int values)
    {
        AmqpReader.Scope list = reader.BeginList();
        for (int i = 0; i < values; i++)
        {
            reader.Skip();
        }
        AmqpError? error = Read(ref reader);
        reader.End(list);
        return error;
    }

    /// <summary>The error for a call (JMS-18).</summary>
    public CreoException ToException(string what)
    {
        ErrorCode code = Condition switch
        {
            "amqp:unauthorized-access" => ErrorCode.PermissionDenied,
            "amqp:resource-limit-exceeded" => ErrorCode.Overloaded,
            "amqp:link:message-size-exceeded" => ErrorCode.TooLarge,
            "amqp:decode-error" or "amqp:frame-size-too-small" or "amqp:invalid-field" or "amqp:not-allowed" or "amqp:not-implemented"
                or "amqp:illegal-state" or "amqp:connection:framing-error" => ErrorCode.ProtocolMismatch,
            _ => ErrorCode.Unavailable,
        };
        string text = Text is null ? $"{what}: {Condition}" : $"{what}: {Condition}, {Text}";
        return new CreoException(code, text, null, null, new Dictionary<string, string> { ["amqp-condition"] = CreoException.Printable(Condition) }, fromPeer: true);
    }

    /// <summary>The error for a call after an end with or without a reason.</summary>
    public static CreoException ToException(AmqpError? error, string what) => error?.ToException(what) ?? new CreoException(ErrorCode.Unavailable, what);
}
