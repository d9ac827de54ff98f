using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Security;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;
using Creo.Net;

namespace Creo.Jms;

/// <summary>The outcome of a received message.</summary>
internal enum AmqpOutcome : byte
{
    /// <summary>It was accepted.</summary>
    Accepted = (byte)Amqp.Accepted,

    /// <summary>It is unreadable.</summary>
    Rejected = (byte)Amqp.Rejected,

    /// <summary>It is for another client.</summary>
    Released = (byte)Amqp.Released,
}

/// <summary>The events of a connection. They are called on the connection's thread and must not wait.</summary>
internal interface IAmqpEvents
{
    /// <summary>A whole message has come.</summary>
    AmqpOutcome OnMessage(MessageBody message);

    /// <summary>A message that is too large has come; these are its first bytes.</summary>
    void OnTooLarge(MessageBody start);

    /// <summary>The connection has ended.</summary>
    void OnEnd(CreoException reason);
}

/// <summary>The addresses of a connection's links.</summary>
/// <param name="Target">The queue or topic that messages are sent to.</param>
/// <param name="IsTopic">Whether the target is a topic.</param>
/// <param name="ReplyTo">The queue for received messages; null for one that the broker creates.</param>
/// <param name="Selector">The selector of messages from that queue; null for all.</param>
internal sealed record AmqpLinks(string Target, bool IsTopic, string? ReplyTo, string? Selector);

/// <summary>An outgoing message.</summary>
/// <param name="segments">Its bytes in sequence.</param>
/// <param name="onSettled">Called once, on any thread, with the outcome: null if the broker has it, or the reason why not.</param>
internal sealed class AmqpDelivery(List<ReadOnlyMemory<byte>> segments, Action<CreoException?> onSettled)
{
    public List<ReadOnlyMemory<byte>> Segments => segments;

    public Action<CreoException?> OnSettled => onSettled;

    public uint Id { get; set; }
}

/// <summary>A connection to a broker with one session, one link for requests, one for answers, and one for each queue. Its own thread connects and reads.</summary>
internal sealed partial class AmqpConnection
{
    private readonly JmsBroker _broker;
    private readonly JmsBroker.Place _place;
    private readonly AmqpLinks _links;
    private readonly Limits _limits;
    private readonly IAmqpEvents _events;
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // This lock guards everything below, except state of the connection's thread.
    private readonly object _lock = new();
    private readonly Dictionary<uint, AmqpDelivery> _unsettled = [];
    private readonly AmqpIncoming _answers;
    private AmqpTransport? _transport;
    private Timer? _timer;
    private CreoException? _end;
    private TaskCompletionSource _changed = NewSignal();

    public AmqpConnection(JmsBroker broker, JmsBroker.Place place, AmqpLinks links, Limits limits, IAmqpEvents events)
    {
        _broker = broker;
        _place = place;
        _links = links;
        _limits = limits;
        _events = events;
        _answers = new AmqpIncoming(ReceiverName, ReceiverHandle, null);
    }

    /// <summary>Completes when messages can be sent, or fails with the reason why there is no connection.</summary>
    public Task Opened => _opened.Task;

    /// <summary>The broker's address in messages.</summary>
    public string Address => _place.Address;

    /// <summary>The queue for answers, once the connection is open.</summary>
    public string ReplyTo { get; private set; } = "";

    /// <summary>Whether it is still open.</summary>
    public bool IsUsable
    {
        get
        {
            lock (_lock)
            {
                return _end is null;
            }
        }
    }

    /// <summary>Connects.</summary>
    public void Start() => new Thread(Run) { IsBackground = true, Name = "creo jms " + Address }.Start();

    /// <summary>Closes the connection.</summary>
    public void Close() => End(new CreoException(ErrorCode.Unavailable, "the client was closed"));

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void Run()
    {
        try
        {
            Connect();
            while (true)
            {
                AmqpTransport.Frame frame = _transport!.ReadFrame();
                if (frame.IsSasl)
                {
                    throw Amqp.Malformed("a frame of authentication after its end");
                }
                if (frame.Body.Length > 0)
                {
                    OnFrame(frame);
                }
            }
        }
        catch (CreoException e)
        {
            End(e);
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            End(Lost(e.Message, e));
        }
        catch (Exception e)
        {
            // No code waits for the thread, so an uncaught exception would end the process.
            End(new CreoException(ErrorCode.Internal, $"the connection to the broker at {Address} failed", e));
        }
    }

    private void Connect()
    {
        var dialer = new Dialer(_place.Host, _place.Port, _broker.Tls);
        Deadline deadline = Deadline.In(_limits.ConnectTimeout);
        bool isOver = false;
        void Abandon()
        {
            Volatile.Write(ref isOver, true);
            _transport?.Dispose();
        }
        try
        {
            (Socket socket, SslStream? tls) = dialer.Dial(deadline);
            // The handshake uses blocking reads: closing the stream ends them.
            using var limit = new Timer(_ => Abandon(), null, Timeout.Infinite, Timeout.Infinite);
            Use(new AmqpTransport(socket, (Stream?)tls ?? new NetworkStream(socket, ownsSocket: true), OnStuck));
            limit.Change(deadline.MillisecondsLeft(), Timeout.Infinite);
            Shake(_place.Host);
        }
        catch (Exception e) when (e is TimeoutException || (e is IOException or SocketException or ObjectDisposedException && Volatile.Read(ref isOver)))
        {
            throw dialer.TimedOut();
        }
    }

    private void Use(AmqpTransport transport)
    {
        lock (_lock)
        {
            if (_end is null)
            {
                _transport = transport;
                return;
            }
        }
        transport.Dispose();
        throw _end;
    }

    private void ThrowIfEnded()
    {
        lock (_lock)
        {
            if (_end is not null)
            {
                throw _end;
            }
        }
    }

    private void OnStuck() => End(Lost("the broker takes no more bytes", null), saysSo: false);

    // Wakes everything that waits for a change of the connection.
    private void Signal()
    {
        TaskCompletionSource changed;
        lock (_lock)
        {
            changed = _changed;
            _changed = NewSignal();
        }
        changed.TrySetResult();
    }

    private void End(CreoException reason, bool saysSo = true)
    {
        reason = reason.With("peer", Address);
        AmqpDelivery[] waiting;
        IAmqpInbox[] inboxes;
        lock (_lock)
        {
            if (_end is not null)
            {
                return;
            }
            _end = reason;
            _opened.TrySetException(reason);
            waiting = [.. _unsettled.Values];
            _unsettled.Clear();
            inboxes = CloseQueues();
        }
        _timer?.Dispose();
        _transport?.Close(_isOpen && saysSo ? Farewell() : default);
        // Observes the exception, since possibly no caller waits.
        _ = _opened.Task.Exception;
        Signal();
        foreach (AmqpDelivery delivery in waiting)
        {
            delivery.OnSettled(reason);
        }
        foreach (IAmqpInbox inbox in inboxes)
        {
            inbox.OnEnd(reason);
        }
        _events.OnEnd(reason);
    }

    private CreoException Lost(string reason, Exception? e) => new(ErrorCode.Unavailable, $"the connection to the broker at {Address} was lost: {reason}", e);
}
