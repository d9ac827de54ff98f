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

/// <summary>What becomes of a message that has come.</summary>
internal enum AmqpOutcome : byte
{
    /// <summary>It was taken.</summary>
    Accepted = (byte)Amqp.Accepted,

    /// <summary>It cannot be read.</summary>
    Rejected = (byte)Amqp.Rejected,

    /// <summary>It is somebody else's.</summary>
    Released = (byte)Amqp.Released,
}

/// <summary>What comes of a connection. The connection's own thread calls; so none of this may wait.</summary>
internal interface IAmqpEvents
{
    /// <summary>A whole message has come.</summary>
    AmqpOutcome OnMessage(MessageBody message);

    /// <summary>A message has come that is too large; these are its first bytes.</summary>
    void OnTooLarge(MessageBody start);

    /// <summary>The connection has ended.</summary>
    void OnEnd(CreoException reason);
}

/// <summary>What a connection is for: where its messages go, and where others come from.</summary>
/// <param name="Target">The queue or topic that messages are sent to.</param>
/// <param name="IsTopic">Whether it is a topic.</param>
/// <param name="ReplyTo">The queue that messages are taken from; null is one that the broker makes.</param>
/// <param name="Selector">Which messages of that queue are taken; null is all.</param>
internal sealed record AmqpLinks(string Target, bool IsTopic, string? ReplyTo, string? Selector);

/// <summary>A message that is sent.</summary>
/// <param name="segments">Its bytes, one after the other.</param>
/// <param name="onSettled">Told once, by whichever thread, what became of it: nothing if the broker has it, or why it has not.</param>
internal sealed class AmqpDelivery(List<ReadOnlyMemory<byte>> segments, Action<CreoException?> onSettled)
{
    public List<ReadOnlyMemory<byte>> Segments => segments;

    public Action<CreoException?> OnSettled => onSettled;

    public uint Id { get; set; }
}

/// <summary>A connection to a broker with one session, a link that sends and one that receives. It has a thread of its own, which connects and reads.</summary>
internal sealed partial class AmqpConnection
{
    private readonly JmsBroker _broker;
    private readonly JmsBroker.Place _place;
    private readonly AmqpLinks _links;
    private readonly Limits _limits;
    private readonly IAmqpEvents _events;
    private readonly TaskCompletionSource _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Everything below is under this lock, but for what only the connection's thread uses.
    private readonly object _lock = new();
    private readonly Dictionary<uint, AmqpDelivery> _unsettled = [];
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
    }

    /// <summary>Ends when messages can be sent, or with the reason why there is no connection.</summary>
    public Task Opened => _opened.Task;

    /// <summary>The broker, as messages show it.</summary>
    public string Address => _place.Address;

    /// <summary>The queue that answers come to, once the connection is open.</summary>
    public string ReplyTo { get; private set; } = "";

    /// <summary>Whether it has not ended.</summary>
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
            // No code waits for the thread: what it does not catch would end the process.
            End(new CreoException(ErrorCode.Internal, $"the connection to the broker at {Address} failed", e));
        }
    }

    private void Connect()
    {
        var dialer = new Dialer(_place.Host, _place.Port, _broker.Tls);
        Deadline deadline = Deadline.In(_limits.ConnectTimeout);
        try
        {
            (Socket socket, SslStream? tls) = dialer.Dial(deadline);
            // The handshake uses blocking reads: closing the stream under them ends them.
            using var limit = new Timer(_ => _transport?.Dispose(), null, Timeout.Infinite, Timeout.Infinite);
            Use(new AmqpTransport(socket, (Stream?)tls ?? new NetworkStream(socket, ownsSocket: true), OnStuck));
            limit.Change(deadline.MillisecondsLeft(), Timeout.Infinite);
            Shake(_place.Host);
        }
        catch (Exception e) when ((e is IOException or SocketException or ObjectDisposedException) && deadline.IsAllButOver)
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

    // What waits for the connection to change looks again.
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
        }
        _timer?.Dispose();
        _transport?.Close(_isOpen && saysSo ? Farewell() : default);
        // A caller that waits for it sees it; no caller needs to wait.
        _ = _opened.Task.Exception;
        Signal();
        foreach (AmqpDelivery delivery in waiting)
        {
            delivery.OnSettled(reason);
        }
        _events.OnEnd(reason);
    }

    private CreoException Lost(string reason, Exception? e) => new(ErrorCode.Unavailable, $"the connection to the broker at {Address} was lost: {reason}", e);
}
