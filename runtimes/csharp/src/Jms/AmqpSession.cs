using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;
using Creo.Net;

namespace Creo.Jms;

// Sending and receiving once the connection is open.
internal sealed partial class AmqpConnection
{
    // The number of frames that both sides may send without further flow; messages are limited by the credit of their link, and by their size.
    private const uint SessionWindow = int.MaxValue;

    // The number of messages that the broker may send before earlier ones are handled.
    private const uint Credit = 256;

    private readonly List<(uint First, uint Last, AmqpOutcome Outcome)> _settlements = [];
    private readonly List<(uint First, uint Last)> _confirmations = [];

    private ulong _maxMessage = ulong.MaxValue;
    private uint _nextOutgoing;
    private uint _nextDelivery;
    private uint _remoteWindow;
    private uint _sentCount;
    private uint _sendCredit;
    private uint _nextIncoming;
    private bool _saysItLives;
    private bool _livesDue;
    private bool _flowDue;
    private bool _senderFlowDue;
    private bool _isPumping;
    private Deadline _pumpDeadline = Deadline.None;

    private void OnFrame(AmqpTransport.Frame frame)
    {
        var reader = new AmqpReader(frame.Body);
        ulong kind = reader.ReadDescriptor();
        if (kind != Amqp.Open && !_isOpen)
        {
            throw Amqp.Malformed("something before the beginning");
        }
        if (kind is not (Amqp.Open or Amqp.Begin or Amqp.Close) && frame.Channel != _channel)
        {
            throw Amqp.Malformed($"something on the channel {frame.Channel}, which was not begun");
        }
        switch (kind)
        {
            case Amqp.Open:
                OnOpen(AmqpOpen.Read(ref reader));
                break;
            case Amqp.Begin:
                OnBegin(frame.Channel, ref reader);
                break;
            case Amqp.Attach:
                OnAttach(AmqpAttach.Read(ref reader));
                break;
            case Amqp.Flow:
                OnFlow(AmqpFlow.Read(ref reader));
                break;
            case Amqp.Transfer:
                AmqpTransfer transfer = AmqpTransfer.Read(ref reader);
                OnTransfer(transfer, frame.Body[reader.Position..]);
                break;
            case Amqp.Disposition:
                OnDisposition(AmqpDisposition.Read(ref reader));
                break;
            case Amqp.Detach:
                OnDetach(ref reader);
                break;
            case Amqp.End:
                throw AmqpError.ToException(AmqpError.ReadBehind(ref reader, 0), $"the broker at {Address} ended the session");
            case Amqp.Close:
                throw AmqpError.ToException(AmqpError.ReadBehind(ref reader, 0), $"the broker at {Address} closed the connection");
            default:
                throw Amqp.Malformed($"a frame of the kind 0x{kind:x}");
        }
        Pump();
    }

    private void OnBegin(ushort channel, ref AmqpReader reader)
    {
        if (_channel is not null)
        {
            throw Amqp.Malformed("a session that was not asked for");
        }
        _channel = channel;
        AmqpReader.Scope list = reader.BeginList();
        reader.Skip();
        uint nextIncoming = reader.ReadUInt() ?? 0;
        uint window = reader.ReadUInt() ?? 0;
        reader.Skip();
        uint maxHandle = reader.ReadUInt() ?? uint.MaxValue;
        reader.End(list);
        lock (_lock)
        {
            _maxHandle = Math.Min(maxHandle, MaxHandle);
            _nextIncoming = nextIncoming;
            _remoteWindow = window;
        }
    }

    private void OnDetach(ref AmqpReader reader)
    {
        AmqpReader.Scope list = reader.BeginList();
        uint handle = reader.ReadUInt() ?? throw Amqp.Malformed("an end of no link");
        reader.Skip();
        AmqpError? error = AmqpError.Read(ref reader);
        reader.End(list);
        if (!TryDetachQueue(handle, error))
        {
            throw Detached(handle, error);
        }
    }

    private void OnFlow(AmqpFlow flow)
    {
        lock (_lock)
        {
            // Numbers of frames and messages wrap around: only differences are meaningful.
            int window = unchecked((int)((flow.NextIncoming ?? 0) + flow.IncomingWindow - _nextOutgoing));
            _remoteWindow = flow.IncomingWindow > int.MaxValue ? int.MaxValue : (uint)Math.Max(0, window);
            if (flow.Handle is not null && flow.Handle == _senderRemote)
            {
                int credit = unchecked((int)((flow.DeliveryCount ?? 0) + (flow.Credit ?? 0) - _sentCount));
                _sendCredit = flow.Credit > int.MaxValue ? int.MaxValue : (uint)Math.Max(0, credit);
                if (flow.IsDrain)
                {
                    _sentCount += _sendCredit;
                    _sendCredit = 0;
                    _senderFlowDue = true;
                }
            }
            _flowDue |= flow.IsEcho;
        }
        Signal();
    }

    private void OnTransfer(AmqpTransfer transfer, ReadOnlySpan<byte> payload)
    {
        AmqpIncoming link = Incoming(transfer.Handle);
        if (link.MessageId is null)
        {
            link.MessageId = transfer.Delivery ?? throw Amqp.Malformed("a message without a number");
            link.Message = link.IsClosed ? null : new MessageBody(payload.Length, _limits, _limits.MaxHeaderSize);
            link.IsSettled = false;
        }
        else if (transfer.Delivery is not null && transfer.Delivery != link.MessageId)
        {
            throw Amqp.Malformed("a message within another");
        }
        lock (_lock)
        {
            _nextIncoming++;
            if (link.Credit == 0)
            {
                throw Amqp.Malformed("more messages than were asked for");
            }
            if (link.Deadline.IsNone)
            {
                link.Deadline = Deadline.In(_limits.FrameTimeout);
            }
        }
        link.IsSettled |= transfer.IsSettled;
        if (!transfer.IsAborted && link.Message is not null && !TryAppend(link.Message, payload))
        {
            if (link.Inbox is null)
            {
                _events.OnTooLarge(link.Message);
            }
            else
            {
                link.Inbox.OnTooLarge(link.Message);
            }
            link.Message = null;
        }
        if (transfer.IsAborted || !transfer.HasMore)
        {
            EndIncoming(link, transfer.IsAborted);
        }
    }

    private static bool TryAppend(MessageBody message, ReadOnlySpan<byte> payload)
    {
        try
        {
            while (payload.Length > 0)
            {
                Span<byte> room = message.Room().Span;
                int count = Math.Min(room.Length, payload.Length);
                payload[..count].CopyTo(room);
                message.Commit(count);
                payload = payload[count..];
            }
            return true;
        }
        catch (CreoException e) when (e.Code == ErrorCode.TooLarge)
        {
            return false;
        }
    }

    private void EndIncoming(AmqpIncoming link, bool isAborted)
    {
        uint id = link.MessageId!.Value;
        MessageBody? message = isAborted ? null : link.Message;
        (link.Message, link.MessageId) = (null, null);
        lock (_lock)
        {
            link.Deadline = Deadline.None;
            link.Credit--;
            link.Count++;
            link.IsFlowDue |= link.Inbox is null && link.Credit <= Credit / 2;
        }
        AmqpOutcome outcome = message is null ? AmqpOutcome.Rejected : link.Inbox?.OnMessage(message) ?? _events.OnMessage(message);
        lock (_lock)
        {
            if (link.IsSettled || isAborted)
            {
                return;
            }
            if (_settlements.Count > 0 && _settlements[^1].Outcome == outcome && _settlements[^1].Last + 1 == id)
            {
                _settlements[^1] = (_settlements[^1].First, id, outcome);
            }
            else
            {
                _settlements.Add((id, id, outcome));
            }
        }
    }

    private void GrantFirst(uint count)
    {
        lock (_lock)
        {
            _answers.Count = count;
            _flowDue = true;
        }
    }

    private void OnDisposition(AmqpDisposition disposition)
    {
        bool isLast = disposition.IsSettled || disposition.Outcome is Amqp.Accepted or Amqp.Rejected or Amqp.Released or Amqp.Modified;
        if (!disposition.OfReceiver || !isLast)
        {
            return;
        }
        CreoException? failure = disposition.Outcome switch
        {
            null or Amqp.Accepted => null,
            Amqp.Rejected => AmqpError.ToException(disposition.Error, $"the broker at {Address} refused the message").With("peer", Address),
            _ => new CreoException(ErrorCode.Unavailable, $"the broker at {Address} did not keep the message").With("peer", Address),
        };
        List<AmqpDelivery> settled = [];
        lock (_lock)
        {
            uint count = unchecked(disposition.Last - disposition.First);
            foreach (AmqpDelivery delivery in _unsettled.Values)
            {
                if (unchecked(delivery.Id - disposition.First) <= count)
                {
                    settled.Add(delivery);
                }
            }
            foreach (AmqpDelivery delivery in settled)
            {
                _unsettled.Remove(delivery.Id);
            }
            if (!disposition.IsSettled && _confirmations.Count < Credit)
            {
                _confirmations.Add((disposition.First, disposition.Last));
            }
        }
        foreach (AmqpDelivery delivery in settled)
        {
            delivery.OnSettled(failure);
        }
    }

    private void Tick()
    {
        CreoException? lost = null;
        lock (_lock)
        {
            if (_end is not null)
            {
                return;
            }
            if (IsIncomingLate())
            {
                lost = Lost("the broker is too slow", null);
            }
            else if (_isPumping && _pumpDeadline.IsOver)
            {
                lost = Lost("the broker takes no more bytes", null);
            }
            else if (_transport!.SilentMilliseconds > 2 * IdleMilliseconds)
            {
                lost = Lost("the broker is silent", null);
            }
            _livesDue = _saysItLives;
        }
        if (lost is not null)
        {
            End(lost);
            return;
        }
        Pump();
    }

    // Only one such write is in progress, with everything pending: a broker that does not read thus takes no memory.
    private void Pump()
    {
        lock (_lock)
        {
            if (_isPumping || _end is not null || !IsSomethingDue())
            {
                return;
            }
            _isPumping = true;
        }
        _ = PumpAsync();
    }

    private bool IsSomethingDue() =>
        _livesDue || _flowDue || _answers.IsFlowDue || _senderFlowDue || _settlements.Count > 0 || _confirmations.Count > 0 || IsQueueDue();

    private async Task PumpAsync()
    {
        var writer = new AmqpWriter();
        try
        {
            while (true)
            {
                lock (_lock)
                {
                    if (_end is not null || !IsSomethingDue())
                    {
                        _isPumping = false;
                        return;
                    }
                    writer.Clear();
                    ComposeDue(writer);
                    _pumpDeadline = Deadline.In(_limits.FrameTimeout);
                }
                await _transport!.WriteAsync(writer.Written, waits: false, CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            End(Lost(e.Message, e));
        }
        catch (Exception e)
        {
            // No code awaits this: nothing would be written any more, and calls would wait without end.
            End(new CreoException(ErrorCode.Internal, $"the connection to the broker at {Address} failed", e));
        }
    }

    private void ComposeDue(AmqpWriter writer)
    {
        foreach ((uint first, uint last, AmqpOutcome outcome) in _settlements)
        {
            Settle(writer, true, first, last, (ulong)outcome);
        }
        foreach ((uint first, uint last) in _confirmations)
        {
            Settle(writer, false, first, last, Amqp.Accepted);
        }
        _settlements.Clear();
        _confirmations.Clear();
        if (_flowDue || _answers.IsFlowDue)
        {
            _answers.Credit = Credit;
            Flow(writer, ReceiverHandle, _answers.Count, Credit, false);
        }
        if (_senderFlowDue)
        {
            Flow(writer, SenderHandle, _sentCount, 0, true);
        }
        ComposeQueues(writer);
        if (writer.Written.Length == 0)
        {
            writer.BeginFrame();
            writer.EndFrame();
        }
        _flowDue = _answers.IsFlowDue = _senderFlowDue = _livesDue = false;
    }

    private static void Settle(AmqpWriter writer, bool ofReceiver, uint first, uint last, ulong outcome)
    {
        writer.BeginFrame();
        writer.Begin(Amqp.Disposition);
        writer.Boolean(ofReceiver);
        writer.UInt(first);
        writer.UInt(last);
        writer.Boolean(true);
        writer.Begin(outcome);
        writer.End();
        writer.End();
        writer.EndFrame();
    }

    private void Flow(AmqpWriter writer, uint handle, uint count, uint credit, bool isDrain)
    {
        writer.BeginFrame();
        writer.Begin(Amqp.Flow);
        writer.UInt(_nextIncoming);
        writer.UInt(SessionWindow);
        writer.UInt(_nextOutgoing);
        writer.UInt(SessionWindow);
        writer.UInt(handle);
        writer.UInt(count);
        writer.UInt(credit);
        writer.UInt(0);
        writer.Boolean(isDrain);
        writer.End();
        writer.EndFrame();
    }
}
