using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Creo.Jms;

namespace Creo.Tests;

/// <summary>A fake broker's greeting when a client connects.</summary>
public sealed record Greeting
{
    public uint MaxFrame { get; init; } = 65_536;

    public uint IdleMilliseconds { get; init; }

    public uint Window { get; init; } = 1_000_000;

    public uint Credit { get; init; } = 1_000;

    public string Mechanism { get; init; } = "ANONYMOUS";

    public byte SaslCode { get; init; }

    public bool HasSelector { get; init; } = true;
}

/// <summary>A message as a fake broker got it.</summary>
/// <param name="Id">The number of the delivery.</param>
/// <param name="Head">Durable, priority and time to live.</param>
/// <param name="To">Where it goes.</param>
/// <param name="ReplyTo">Where its answer is to go.</param>
/// <param name="CorrelationId">What its answer is known by.</param>
/// <param name="Properties">What else is said.</param>
/// <param name="Body">The bytes.</param>
/// <param name="Frames">The sizes of its frames.</param>
public sealed record FakeMessage(
    uint Id, (bool Durable, uint? Priority, uint? TimeToLive) Head, string? To, string? ReplyTo, string CorrelationId, Dictionary<string, string> Properties, byte[] Body,
    List<int> Frames);

/// <summary>A broker that follows a script: one connection, seen from its side. Its channel is 3, and its handles are 7 and 8.</summary>
public sealed partial class FakeBroker(Session session)
{
    public const string Queue = "answers-of-this-client";
    private const uint SenderHandle = 7;
    private const uint ReceiverHandle = 8;

    private readonly Queue<byte[]> _early = new();
    private uint _nextDelivery;

    /// <summary>The mechanism and the credentials that the client sent.</summary>
    public (string Mechanism, string Response) Sasl { get; private set; }

    /// <summary>How many frames without content have come.</summary>
    public int EmptyFrames { get; private set; }

    /// <summary>What became of messages that were sent to the client: the first and last of them, and the outcome.</summary>
    public List<(uint First, uint Last, ulong Outcome)> Outcomes { get; } = [];

    /// <summary>What the client lets in: its handles, the messages that it had, and how many more may come.</summary>
    public List<(uint Handle, uint Count, uint Credit)> Flows { get; } = [];

    /// <summary>The client's selector.</summary>
    public string? Selector { get; private set; }

    /// <summary>What becomes of a frame before it is sent; nothing if nothing does.</summary>
    public Func<byte[], byte[]>? Mangle { get; init; }

    /// <summary>Talks until both links are open.</summary>
    public FakeBroker Greet(Greeting? greeting = null)
    {
        greeting ??= new Greeting();
        Authenticate(greeting);
        if (greeting.SaslCode != 0)
        {
            return this;
        }
        Assert.Bytes("414d5150 00010000", session.Read(8));
        session.Send("414d5150 00010000");
        foreach (ulong kind in new[] { Amqp.Open, Amqp.Begin, Amqp.Attach, Amqp.Attach })
        {
            byte[] frame = ReadFrame();
            var reader = new AmqpReader(frame);
            Assert.Equal(kind, reader.ReadDescriptor(), "frame");
            AmqpReader.Scope list = reader.BeginList();
            switch (kind)
            {
                case Amqp.Open:
                    Send(writer => Open(writer, greeting), 0);
                    break;
                case Amqp.Begin:
                    Send(writer => Begin(writer, greeting));
                    break;
                default:
                    Attach(ref reader, greeting);
                    break;
            }
            reader.End(list);
        }
        if (greeting.Credit > 0)
        {
            Flow(greeting.Credit, window: greeting.Window);
        }
        return this;
    }

    /// <summary>Talks until the client has authenticated.</summary>
    public void Authenticate(Greeting greeting)
    {
        Assert.Bytes("414d515003010000", session.Read(8));
        session.Send("414d5150 03010000");
        Send(
            writer =>
            {
                writer.Begin(Amqp.Mechanisms);
                writer.Symbol(greeting.Mechanism);
                writer.End();
            },
            0,
            sasl: true);
        byte[] frame = ReadFrame();
        var reader = new AmqpReader(frame);
        Assert.Equal(Amqp.Init, reader.ReadDescriptor(), "frame");
        AmqpReader.Scope list = reader.BeginList();
        Sasl = (reader.ReadText(100)!, Encoding.UTF8.GetString(frame[reader.ReadBytes()!.Value]));
        reader.End(list);
        Send(
            writer =>
            {
                writer.Begin(Amqp.Outcome);
                writer.UByte(greeting.SaslCode);
                writer.End();
            },
            0,
            sasl: true);
    }

    /// <summary>The content of the next frame that has some.</summary>
    public byte[] ReadFrame()
    {
        byte[] body = ReadAny();
        while (body.Length == 0)
        {
            body = ReadAny();
        }
        return body;
    }

    /// <summary>The content of the next frame.</summary>
    public byte[] ReadAny()
    {
        byte[] body = session.Read(BinaryPrimitives.ReadInt32BigEndian(session.Read(8)) - 8);
        EmptyFrames += body.Length == 0 ? 1 : 0;
        if (body.Length > 0 && new AmqpReader(body).ReadDescriptor() == Amqp.Flow)
        {
            var reader = new AmqpReader(body);
            reader.ReadDescriptor();
            reader.BeginList();
            for (int i = 0; i < 4; i++)
            {
                reader.Skip();
            }
            Flows.Add((reader.ReadUInt()!.Value, reader.ReadUInt()!.Value, reader.ReadUInt()!.Value));
        }
        return body;
    }

    /// <summary>The next message. What else comes before it is kept.</summary>
    public FakeMessage ReadMessage()
    {
        var payload = new MemoryStream();
        List<int> frames = [];
        while (true)
        {
            byte[] frame = _early.TryDequeue(out byte[]? early) ? early : ReadFrame();
            var reader = new AmqpReader(frame);
            ulong kind = reader.ReadDescriptor();
            if (kind == Amqp.Disposition)
            {
                Keep(frame);
                continue;
            }
            if (kind == Amqp.Flow)
            {
                continue;
            }
            Assert.Equal(Amqp.Transfer, kind, "frame");
            AmqpReader.Scope list = reader.BeginList();
            Assert.Equal(0u, reader.ReadUInt(), "handle");
            uint id = reader.ReadUInt()!.Value;
            reader.Skip();
            reader.Skip();
            reader.Skip();
            bool hasMore = reader.ReadBoolean() ?? false;
            reader.End(list);
            payload.Write(frame.AsSpan(reader.Position));
            frames.Add(frame.Length + 8);
            if (!hasMore)
            {
                return Parse(id, payload.ToArray(), frames);
            }
        }
    }

    /// <summary>The next piece of a message: of which, whether more follows, and whether it is given up.</summary>
    public (uint Id, bool HasMore, bool IsAborted) ReadPiece()
    {
        while (true)
        {
            var reader = new AmqpReader(ReadFrame());
            if (reader.ReadDescriptor() != Amqp.Transfer)
            {
                continue;
            }
            reader.BeginList();
            reader.Skip();
            uint id = reader.ReadUInt()!.Value;
            reader.Skip();
            reader.Skip();
            reader.Skip();
            bool hasMore = reader.ReadBoolean() ?? false;
            reader.Skip();
            reader.Skip();
            reader.Skip();
            return (id, hasMore, reader.ReadBoolean() ?? false);
        }
    }

    /// <summary>Reads until the client has settled this many messages.</summary>
    public void ReadOutcomes(int count)
    {
        while (Outcomes.Sum(outcome => (int)(outcome.Last - outcome.First + 1)) < count)
        {
            byte[] frame = ReadFrame();
            if (new AmqpReader(frame).ReadDescriptor() == Amqp.Disposition)
            {
                Keep(frame);
            }
        }
    }

    /// <summary>Says what became of the client's message.</summary>
    public void Settle(uint id, ulong outcome = Amqp.Accepted, string? condition = null, string? text = null, bool isSettled = true) => Send(writer =>
    {
        writer.Begin(Amqp.Disposition);
        writer.Boolean(true);
        writer.UInt(id);
        writer.Null();
        writer.Boolean(isSettled);
        writer.Begin(outcome);
        if (condition is not null)
        {
            Error(writer, condition, text);
        }
        writer.End();
        writer.End();
    });

    /// <summary>Answers with a body and properties, in frames with this many bytes of the message.</summary>
    public void Answer(string? correlationId, byte[] body, Dictionary<string, string> properties, int piece = 60_000, uint handle = ReceiverHandle) =>
        Deliver(Message(correlationId, properties, writer => writer.Binary(body)), piece, handle);

    /// <summary>Sends a message.</summary>
    public void Deliver(byte[] message, int piece = 60_000, uint handle = ReceiverHandle)
    {
        uint id = _nextDelivery++;
        for (int at = 0; at == 0 || at < message.Length; at += piece)
        {
            int size = Math.Min(piece, message.Length - at);
            Transfer(at == 0 ? id : null, at + size < message.Length, message.AsSpan(at, size).ToArray(), handle: handle);
        }
    }

    /// <summary>A frame with a piece of a message.</summary>
    public void Transfer(uint? id, bool hasMore, byte[] piece, bool isAborted = false, uint handle = ReceiverHandle) => Send(writer =>
    {
        writer.Begin(Amqp.Transfer);
        writer.UInt(handle);
        if (id is null)
        {
            writer.Null();
        }
        else
        {
            writer.UInt(id.Value);
        }
        writer.Binary([1]);
        writer.UInt(0);
        writer.Boolean(false);
        writer.Boolean(hasMore);
        writer.Null();
        writer.Null();
        writer.Null();
        writer.Boolean(isAborted);
        writer.End();
        piece.CopyTo(writer.Raw(piece.Length));
    });

    /// <summary>The bytes of a message with one section of data, or of another kind.</summary>
    internal static byte[] Message(string? correlationId, Dictionary<string, string> properties, Action<AmqpWriter> body, ulong section = Amqp.Data)
    {
        var writer = new AmqpWriter();
        writer.Begin(Amqp.Header);
        writer.Boolean(true);
        writer.End();
        writer.Begin(Amqp.Properties);
        for (int i = 0; i < 5; i++)
        {
            writer.Null();
        }
        if (correlationId is not null)
        {
            writer.Text(correlationId);
        }
        writer.End();
        writer.Describe(Amqp.ApplicationProperties);
        writer.BeginMap();
        foreach ((string name, string value) in properties)
        {
            writer.Text(name);
            writer.Text(value);
        }
        writer.Text("JMSXDeliveryCount");
        writer.Null();
        writer.Text("SOAPJMS_isFault");
        writer.Boolean(false);
        writer.End();
        writer.Describe(section);
        body(writer);
        return writer.Written.ToArray();
    }

    /// <summary>How much may be sent.</summary>
    public void Flow(uint credit, uint count = 0, uint window = 1_000_000, uint next = 0, bool isDrain = false) => Send(writer =>
    {
        writer.Begin(Amqp.Flow);
        writer.UInt(next);
        writer.UInt(window);
        writer.UInt(0);
        writer.UInt(1_000_000);
        writer.UInt(SenderHandle);
        writer.UInt(count);
        writer.UInt(credit);
        writer.Null();
        writer.Boolean(isDrain);
        writer.End();
    });

    /// <summary>Ends a link, with an error.</summary>
    public void Detach(string condition, string? text, uint handle = SenderHandle) => Send(writer =>
    {
        writer.Begin(Amqp.Detach);
        writer.UInt(handle);
        writer.Boolean(true);
        Error(writer, condition, text);
        writer.End();
    });

    /// <summary>Ends the session, or the connection.</summary>
    public void End(ulong kind, string? condition, string? text = null) => Send(writer =>
    {
        writer.Begin(kind);
        if (condition is not null)
        {
            Error(writer, condition, text);
        }
        writer.End();
    });

    /// <summary>Reads what comes until the client closes the connection; the kinds of the frames.</summary>
    public List<ulong> ReadToEnd()
    {
        List<ulong> kinds = [];
        try
        {
            while (true)
            {
                kinds.Add(new AmqpReader(ReadFrame()).ReadDescriptor());
            }
        }
        catch (IOException)
        {
            return kinds;
        }
    }

    /// <summary>Sends a frame.</summary>
    internal void Send(Action<AmqpWriter> compose, ushort channel = 3, bool sasl = false)
    {
        var writer = new AmqpWriter();
        writer.BeginFrame(sasl);
        compose(writer);
        writer.EndFrame();
        byte[] frame = writer.Written.ToArray();
        frame[7] = (byte)channel;
        session.Send(Mangle is null ? frame : Mangle(frame));
    }

    private static void Error(AmqpWriter writer, string condition, string? text)
    {
        writer.Begin(Amqp.Error);
        writer.Symbol(condition);
        if (text is not null)
        {
            writer.Text(text);
        }
        writer.End();
    }

    private static void Open(AmqpWriter writer, Greeting greeting)
    {
        writer.Begin(Amqp.Open);
        writer.Text("fake");
        writer.Null();
        writer.UInt(greeting.MaxFrame);
        writer.UShort(65_535);
        if (greeting.IdleMilliseconds > 0)
        {
            writer.UInt(greeting.IdleMilliseconds);
        }
        writer.End();
    }

    private static void Begin(AmqpWriter writer, Greeting greeting)
    {
        writer.Begin(Amqp.Begin);
        writer.UShort(0);
        writer.UInt(0);
        writer.UInt(greeting.Window);
        writer.UInt(1_000_000);
        writer.End();
    }

    private void Attach(ref AmqpReader reader, Greeting greeting)
    {
        string name = reader.ReadText(1000)!;
        reader.Skip();
        bool isReceiver = reader.ReadBoolean()!.Value;
        reader.Skip();
        reader.Skip();
        string? address = null;
        if (isReceiver)
        {
            Assert.Equal(Amqp.Source, reader.ReadDescriptor(), "source");
            AmqpReader.Scope source = reader.BeginList();
            address = reader.ReadText(1000);
            reader.Skip();
            reader.Skip();
            reader.Skip();
            Assert.Equal(address is null, reader.ReadBoolean() == true, "dynamic");
            reader.Skip();
            reader.Skip();
            if (reader.Has())
            {
                AmqpReader.Scope filters = reader.BeginMap();
                Assert.Equal(Amqp.SelectorName, reader.ReadText(1000));
                Assert.Equal(Amqp.Selector, reader.ReadDescriptor(), "filter");
                Selector = reader.ReadText(1000);
                reader.End(filters);
            }
            reader.End(source);
        }
        Send(writer =>
        {
            writer.Begin(Amqp.Attach);
            writer.Text(name);
            writer.UInt(isReceiver ? ReceiverHandle : SenderHandle);
            writer.Boolean(!isReceiver);
            writer.Null();
            writer.Null();
            writer.Begin(Amqp.Source);
            writer.Text(address ?? Queue);
            if (Selector is not null && greeting.HasSelector)
            {
                for (int i = 0; i < 6; i++)
                {
                    writer.Null();
                }
                writer.BeginMap();
                writer.Symbol(Amqp.SelectorName);
                writer.Describe(Amqp.Selector);
                writer.Text(Selector);
                writer.End();
            }
            writer.End();
            writer.Begin(Amqp.Target);
            writer.Text("a target");
            writer.End();
            writer.Null();
            writer.Null();
            writer.UInt(0);
            writer.End();
        });
    }

    private void Keep(byte[] frame)
    {
        var reader = new AmqpReader(frame);
        reader.ReadDescriptor();
        AmqpReader.Scope list = reader.BeginList();
        bool ofReceiver = reader.ReadBoolean()!.Value;
        uint first = reader.ReadUInt()!.Value;
        uint last = reader.ReadUInt()!.Value;
        Assert.Equal(true, reader.ReadBoolean(), "settled");
        if (ofReceiver)
        {
            Outcomes.Add((first, last, reader.ReadDescriptor()));
            reader.End(reader.BeginList());
        }
        reader.End(list);
    }

    private static FakeMessage Parse(uint id, byte[] message, List<int> frames)
    {
        var reader = new AmqpReader(message);
        (bool, uint?, uint?) head = default;
        (string? To, string? ReplyTo, string Id) addresses = (null, null, "");
        var properties = new Dictionary<string, string>();
        byte[] body = [];
        while (!reader.IsAtEnd)
        {
            ulong section = reader.ReadDescriptor();
            AmqpReader.Scope scope;
            switch (section)
            {
                case Amqp.Header:
                    scope = reader.BeginList();
                    head = (reader.ReadBoolean()!.Value, reader.ReadUInt(), reader.ReadUInt());
                    reader.End(scope);
                    break;
                case Amqp.Properties:
                    scope = reader.BeginList();
                    reader.Skip();
                    reader.Skip();
                    string? to = reader.ReadText(1000);
                    reader.Skip();
                    addresses = (to, reader.ReadText(1000), reader.ReadText(1000)!);
                    reader.End(scope);
                    break;
                case Amqp.ApplicationProperties:
                    scope = reader.BeginMap();
                    while (!reader.IsListAtEnd)
                    {
                        properties.Add(reader.ReadText(1000)!, reader.ReadText(10_000)!);
                    }
                    reader.End(scope);
                    break;
                case Amqp.Data:
                    body = message[reader.ReadBytes()!.Value];
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }
        return new FakeMessage(id, head, addresses.To, addresses.ReplyTo, addresses.Id, properties, body, frames);
    }
}
