using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using Creo.Messages;

namespace Creo.Jms;

// The beginning of a connection: authentication, the connection, its session and its links; and its end.
internal sealed partial class AmqpConnection
{
    private const uint SenderHandle = 0;
    private const uint ReceiverHandle = 1;
    private const uint MinMaxFrame = 512;
    private const int MaxMechanisms = 64;

    // A broker that was silent for twice this time is considered lost; brokers send something within it.
    private const uint IdleMilliseconds = 60_000;

    // A broker that expects to hear something more often would leave no time for anything else.
    private const uint MinIdleMilliseconds = 100;
    private const int MaxTickMilliseconds = 15_000;

    private readonly string _name = "creo-" + Convert.ToHexString(RandomNumberGenerator.GetBytes(16)).ToLowerInvariant();

    private uint _maxFrame = MinMaxFrame;
    private bool _isOpen;

    // Used only by the connection's thread.
    private ushort? _channel;
    private uint? _senderRemote;
    private bool _isSenderReady;
    private bool _isReceiverReady;

    private string SenderName => _name + "-requests";

    private string ReceiverName => _name + "-answers";

    // Pending frames are still sent: the broker then keeps no accepted answers for another client.
    private ReadOnlySpan<byte> Farewell()
    {
        var writer = new AmqpWriter();
        lock (_lock)
        {
            if (IsSomethingDue())
            {
                ComposeDue(writer);
            }
        }
        writer.BeginFrame();
        writer.Begin(Amqp.Close);
        writer.End();
        writer.EndFrame();
        return writer.Written.Span;
    }

    private void Shake(string host)
    {
        AmqpTransport transport = _transport!;
        Send(Amqp.SaslHeader);
        transport.ReadHeader(Amqp.SaslHeader, Address);
        Authenticate();
        Send(Amqp.ProtocolHeader);
        Send(Opening(host).Span);
        transport.ReadHeader(Amqp.ProtocolHeader, Address);
        while (!_isSenderReady || !_isReceiverReady)
        {
            AmqpTransport.Frame frame = transport.ReadFrame();
            if (frame.IsSasl)
            {
                throw Amqp.Malformed("a frame of authentication after its end");
            }
            if (frame.Body.Length > 0)
            {
                OnFrame(frame);
            }
        }
        _opened.TrySetResult();
    }

    private void Send(ReadOnlySpan<byte> bytes) => _transport!.WriteAsync(bytes.ToArray(), waits: true, CancellationToken.None).GetAwaiter().GetResult();

    private void Authenticate()
    {
        List<string> mechanisms = ReadMechanisms();
        string mechanism = _broker.User is null ? "ANONYMOUS" : "PLAIN";
        if (!mechanisms.Contains(mechanism))
        {
            string text = _broker.User is null ? $"the broker at {Address} wants to know who calls" : $"the broker at {Address} takes no password";
            throw new CreoException(ErrorCode.Unauthenticated, $"{text}: it offers {string.Join(", ", mechanisms)}");
        }
        var writer = new AmqpWriter();
        writer.BeginFrame(sasl: true);
        writer.Begin(Amqp.Init);
        writer.Symbol(mechanism);
        writer.Binary(Encoding.UTF8.GetBytes(_broker.User is null ? "creo" : $"\0{_broker.User}\0{_broker.Password}"));
        writer.End();
        writer.EndFrame();
        Send(writer.Written.Span);
        switch (ReadSaslOutcome())
        {
            case 0:
                break;
            case 1:
                throw new CreoException(ErrorCode.Unauthenticated, $"the broker at {Address} does not take the credentials", null, null, fromPeer: true);
            case var code:
                throw new CreoException(ErrorCode.Unavailable, $"the broker at {Address} could not authenticate: it says {code}", null, null, fromPeer: true);
        }
    }

    private List<string> ReadMechanisms()
    {
        var reader = new AmqpReader(SaslFrame());
        if (reader.ReadDescriptor() != Amqp.Mechanisms)
        {
            throw Amqp.Malformed("something else than the ways to authenticate");
        }
        AmqpReader.Scope list = reader.BeginList();
        List<string> mechanisms = reader.ReadSymbols(MaxMechanisms);
        reader.End(list);
        return mechanisms;
    }

    private uint ReadSaslOutcome()
    {
        var reader = new AmqpReader(SaslFrame());
        if (reader.ReadDescriptor() != Amqp.Outcome)
        {
            throw Amqp.Malformed("something else than the outcome of authentication");
        }
        AmqpReader.Scope list = reader.BeginList();
        uint code = reader.ReadUInt() ?? throw Amqp.Malformed("an outcome without a code");
        reader.End(list);
        return code;
    }

    private ReadOnlySpan<byte> SaslFrame()
    {
        AmqpTransport.Frame frame = _transport!.ReadFrame();
        return frame.IsSasl ? frame.Body : throw Amqp.Malformed("something else than a frame of authentication");
    }

    // Opens the connection, the session and both links at once.
    private ReadOnlyMemory<byte> Opening(string host)
    {
        var writer = new AmqpWriter();
        writer.BeginFrame();
        writer.Begin(Amqp.Open);
        writer.Text(_name);
        writer.Text(host);
        writer.UInt(AmqpTransport.MaxFrame);
        writer.UShort(0);
        writer.UInt(IdleMilliseconds);
        writer.End();
        writer.EndFrame();
        writer.BeginFrame();
        writer.Begin(Amqp.Begin);
        writer.Null();
        writer.UInt(0);
        writer.UInt(SessionWindow);
        writer.UInt(SessionWindow);
        writer.UInt(MaxHandle);
        writer.End();
        writer.EndFrame();
        AttachSender(writer);
        AttachReceiver(writer, ReceiverName, ReceiverHandle, _links.ReplyTo);
        return writer.Written;
    }

    private void AttachSender(AmqpWriter writer)
    {
        writer.BeginFrame();
        writer.Begin(Amqp.Attach);
        writer.Text(SenderName);
        writer.UInt(SenderHandle);
        writer.Boolean(false);
        Settling(writer);
        writer.Begin(Amqp.Source);
        writer.Text(_name);
        writer.End();
        writer.Begin(Amqp.Target);
        writer.Text(_links.Target);
        for (int i = 0; i < 5; i++)
        {
            writer.Null();
        }
        // The routing type for an address that the broker creates.
        writer.Symbol(_links.IsTopic ? "topic" : "queue");
        writer.End();
        writer.Null();
        writer.Null();
        writer.UInt(0);
        writer.End();
        writer.EndFrame();
    }

    // A link from a queue, or from one that the broker creates.
    private void AttachReceiver(AmqpWriter writer, string name, uint handle, string? queue)
    {
        writer.BeginFrame();
        writer.Begin(Amqp.Attach);
        writer.Text(name);
        writer.UInt(handle);
        writer.Boolean(true);
        Settling(writer);
        writer.Begin(Amqp.Source);
        if (queue is null)
        {
            writer.Null();
            writer.UInt(0);
            writer.Symbol("link-detach");
            writer.UInt(0);
            writer.Boolean(true);
            writer.BeginMap();
            writer.Symbol("lifetime-policy");
            writer.Describe(Amqp.DeleteOnClose);
            writer.BeginList();
            writer.End();
            writer.End();
            writer.Null();
            writer.Null();
        }
        else
        {
            writer.Text(queue);
            for (int i = 0; i < 6; i++)
            {
                writer.Null();
            }
            Filter(writer);
        }
        writer.Null();
        writer.Null();
        writer.Symbol(queue is null ? "temporary-queue" : "queue");
        writer.End();
        writer.Begin(Amqp.Target);
        writer.Text(_name);
        writer.End();
        writer.End();
        writer.EndFrame();
    }

    private void Filter(AmqpWriter writer)
    {
        if (_links.Selector is null)
        {
            writer.Null();
            return;
        }
        writer.BeginMap();
        writer.Symbol(Amqp.SelectorName);
        writer.Describe(Amqp.Selector);
        writer.Text(_links.Selector);
        writer.End();
    }

    // The sender waits for the receiver's outcome, which is final.
    private static void Settling(AmqpWriter writer)
    {
        writer.UByte(0);
        writer.UByte(0);
    }

    private void OnOpen(AmqpOpen open)
    {
        if (_isOpen)
        {
            throw Amqp.Malformed("a second beginning");
        }
        if (open.MaxFrame < MinMaxFrame)
        {
            throw Amqp.Malformed($"frames of {open.MaxFrame} bytes at most, where {MinMaxFrame} must be taken");
        }
        if (open.IdleMilliseconds is > 0 and < MinIdleMilliseconds)
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the broker at {Address} wants to hear something every {open.IdleMilliseconds} ms");
        }
        int tick = (int)Math.Min(Math.Min(open.IdleMilliseconds == 0 ? uint.MaxValue : open.IdleMilliseconds / 2, MaxTickMilliseconds), Math.Max(20, _limits.FrameTimeout.TotalMilliseconds / 2));
        lock (_lock)
        {
            _isOpen = true;
            _maxFrame = Math.Min(open.MaxFrame, MaxSent);
            _saysItLives = open.IdleMilliseconds > 0;
            if (_end is null)
            {
                _timer = new Timer(_ => Tick(), null, tick, tick);
            }
        }
    }

    private void OnAttach(AmqpAttach attach)
    {
        if (attach.Name == SenderName && _senderRemote is null)
        {
            _senderRemote = attach.Handle;
            // A refused one has no target; the detach that follows gives the reason.
            _isSenderReady = attach.HasTarget;
            _maxMessage = attach.MaxMessage == 0 ? ulong.MaxValue : attach.MaxMessage;
        }
        else if (attach.Name == ReceiverName && _answers.Remote is null)
        {
            _answers.Remote = attach.Handle;
            if (!attach.HasSource)
            {
                return;
            }
            ReplyTo = attach.SourceAddress ?? throw Amqp.Malformed("a queue for answers without a name");
            if (_links.Selector is not null && !attach.HasSelector)
            {
                throw new CreoException(
                    ErrorCode.ProtocolMismatch, $"the broker at {Address} has no selectors, which clients that share the queue \"{ReplyTo}\" need");
            }
            _isReceiverReady = true;
            GrantFirst(attach.FirstCount);
        }
        else if (!TryAttachQueue(attach))
        {
            throw Amqp.Malformed("a link that was not asked for");
        }
    }

    private CreoException Detached(uint handle, AmqpError? error) => AmqpError.ToException(
        error,
        handle == _senderRemote
            ? $"the broker at {Address} does not take messages for \"{_links.Target}\""
            : $"the broker at {Address} gives no messages of {(_links.ReplyTo is null ? "a queue of its own" : $"\"{_links.ReplyTo}\"")}");
}
