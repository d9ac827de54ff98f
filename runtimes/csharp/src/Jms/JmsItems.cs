using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;
using Creo.Net;
using Creo.Tcp;

namespace Creo.Jms;

/// <summary>The messages of a call with a stream that the program has not taken, and how the call ended (JMS-24 to JMS-27).</summary>
/// <param name="id">The correlation id of its messages.</param>
/// <param name="limits">The limits for received data.</param>
/// <param name="connection">The connection.</param>
/// <param name="deadline">When the call's time is over.</param>
internal sealed class JmsItems(string id, Limits limits, JmsConnection connection, Deadline deadline) : IAmqpInbox
{
    // The messages that may come while the window has room: each may be as large as any, so only so many exceed it (JMS-24).
    private const int Credit = 2;
    private const int MaxDigits = 19;
    private const string Path = "$items";

    private readonly JmsCall _call = new(id, isOneway: false);
    private readonly TaskCompletionSource<string> _opened = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Queue<(MessageBody Body, int Size)> _frames = new();
    private readonly object _lock = new();

    // Everything below is under the lock.
    private TaskCompletionSource _changed = NewSignal();
    private AmqpIncoming? _queue;
    private JmsMessage? _answer;
    private CreoException? _failure;

    // Bytes that the program has not taken.
    private long _held;

    // JMS-26: the run of the items, and their number.
    private string? _run;
    private long _count;

    /// <summary>The address of the queue, when the broker has created it.</summary>
    public Task<string> Opened => _opened.Task;

    /// <summary>Asks for the queue.</summary>
    /// <exception cref="DrainedException">The connection had ended.</exception>
    public void Open()
    {
        AmqpIncoming queue = connection.OpenQueue(_call, this);
        lock (_lock)
        {
            _queue = queue;
        }
        LetIn();
    }

    /// <summary>Takes the body of the next message of items, whose memory it is; false if there is none.</summary>
    public bool TryTake(out MessageBody? body)
    {
        lock (_lock)
        {
            if (!_frames.TryDequeue(out (MessageBody Body, int Size) frame))
            {
                body = null;
                return false;
            }
            _held -= frame.Size;
            body = frame.Body;
        }
        LetIn();
        return true;
    }

    /// <summary>The answer, after all items were taken; null if it has not come.</summary>
    /// <exception cref="CreoException">The call has failed.</exception>
    public JmsMessage? Answer()
    {
        lock (_lock)
        {
            return _frames.Count > 0 ? null : _failure is null ? _answer : throw _failure;
        }
    }

    /// <summary>Ends with the next message, or with the end of the call.</summary>
    public Task Change()
    {
        lock (_lock)
        {
            return _frames.Count > 0 || HasEnded ? Task.CompletedTask : _changed.Task;
        }
    }

    /// <summary>The broker's outcome of the request.</summary>
    public void Settle(CreoException? failure)
    {
        if (failure is not null)
        {
            OnEnd(failure);
        }
    }

    /// <summary>The call has ended: deletes the queue.</summary>
    public void Close()
    {
        AmqpIncoming? queue;
        lock (_lock)
        {
            queue = _queue;
            _queue = null;
        }
        if (queue is not null)
        {
            connection.CloseQueue(_call, queue);
        }
    }

    public void OnOpened(string address) => _opened.TrySetResult(address);

    public AmqpOutcome OnMessage(MessageBody message) => OnMessage(JmsMessage.Read(message, limits), message.Length);

    public void OnTooLarge(MessageBody start) => OnMessage(JmsMessage.Read(start, limits, CreoException.AnswerTooLarge(limits)), start.Length);

    public void OnEnd(CreoException reason)
    {
        lock (_lock)
        {
            if (!HasEnded)
            {
                _failure = reason;
            }
        }
        _opened.TrySetException(reason.Unsent());
        // Observes the exception, since possibly no caller waits.
        _ = _opened.Task.Exception;
        Signal();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private bool HasEnded => _answer is not null || _failure is not null;

    private AmqpOutcome OnMessage(JmsMessage message, int size)
    {
        if (message.CorrelationId == id)
        {
            lock (_lock)
            {
                if (HasEnded)
                {
                    return AmqpOutcome.Accepted;
                }
                try
                {
                    Take(message, size);
                }
                catch (CreoException e)
                {
                    _failure = e.With("peer", connection.Address);
                }
            }
            Signal();
        }
        LetIn();
        return message.Failure is null ? AmqpOutcome.Accepted : AmqpOutcome.Rejected;
    }

    private void Take(JmsMessage message, int size)
    {
        if (message.Failure is not null)
        {
            throw message.Failure;
        }
        (string run, long number) = Position(message);
        if (run != _run && _count > 0)
        {
            throw new CreoException(ErrorCode.Unavailable, $"the method began again after {_count} items had come");
        }
        _run = run;
        // The host of an error may not know how many items the broker has taken.
        if (message.Kind != "error" && number != _count)
        {
            string what = $"a message after {number} items, of which {_count} came";
            // The broker drops what has expired.
            throw number > _count && deadline.IsOver ? new CreoException(ErrorCode.DeadlineExceeded, $"the time for the call by {connection.Address} is over: {what}") : Malformed(what);
        }
        if (message.Kind != "items")
        {
            _answer = message;
            return;
        }
        if (message.ContentEncoding is not null)
        {
            throw Malformed("a message of items is compressed");
        }
        MessageBody body = JmsBinding.ItemsOf(message, connection.Address);
        _count += CountOf(body.Memory.Span);
        _held += size;
        _frames.Enqueue((body, size));
    }

    // The run of a message, and the items before it. The error of a host that did not run the method has neither, and is a run of its own.
    private static (string Run, long Number) Position(JmsMessage message)
    {
        if (message is { Kind: "error", Run: null, Item: null })
        {
            return ("", 0);
        }
        return message.Run is { Length: 16 } run && run.All(char.IsAsciiHexDigit)
            && message.Item is { Length: > 0 and <= MaxDigits } item && long.TryParse(item, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            ? (run.ToLowerInvariant(), number)
            : throw Malformed($"a message of the run \"{message.Run}\" with the number \"{message.Item}\"");
    }

    // The count of an array (BIN-6).
    private static long CountOf(ReadOnlySpan<byte> body)
    {
        long count = 0;
        for (int i = 0; i < Math.Min(body.Length, 5); i++)
        {
            count |= (long)(body[i] & 0x7f) << (7 * i);
            if (body[i] < 0x80)
            {
                return count;
            }
        }
        throw Malformed("a count is expected");
    }

    private static CreoException Malformed(string text) => new(ErrorCode.Malformed, text, Path, null);

    // LIM-38.
    private void LetIn()
    {
        AmqpIncoming? queue;
        lock (_lock)
        {
            queue = HasEnded || _held >= limits.StreamWindow ? null : _queue;
        }
        if (queue is not null)
        {
            connection.Grant(queue, Credit);
        }
    }

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
}
