using System.Collections.Generic;
using System.Linq;
using Creo.Messages;
using Creo.Net;
using Creo.Tcp;

namespace Creo.Jms;

/// <summary>Takes the messages of a queue of its own. It is called on the connection's thread and must not wait.</summary>
internal interface IAmqpInbox
{
    /// <summary>The broker has created the queue, which has this address.</summary>
    void OnOpened(string address);

    /// <summary>A whole message has come.</summary>
    AmqpOutcome OnMessage(MessageBody message);

    /// <summary>A message that is too large has come; these are its first bytes.</summary>
    void OnTooLarge(MessageBody start);

    /// <summary>The broker does not create the queue, or has deleted it, or the connection has ended: on any thread.</summary>
    void OnEnd(CreoException reason);
}

/// <summary>A link that receives messages: the answers of all calls, or those of an inbox.</summary>
internal sealed class AmqpIncoming(string name, uint handle, IAmqpInbox? inbox)
{
    public string Name => name;

    public uint Handle => handle;

    public IAmqpInbox? Inbox => inbox;

    // The broker's handle.
    public uint? Remote { get; set; }

    // Under the connection's lock.
    public bool IsClosed { get; set; }

    public uint Count { get; set; }

    public uint Credit { get; set; }

    public bool IsFlowDue { get; set; }

    public Deadline Deadline { get; set; } = Deadline.None;

    // The message being received; used only by the connection's thread.
    public MessageBody? Message { get; set; }

    public uint? MessageId { get; set; }

    public bool IsSettled { get; set; }
}

// Queues that the broker creates for one call each.
internal sealed partial class AmqpConnection
{
    private const uint FirstQueueHandle = 2;

    // The max handle of both sides.
    private const uint MaxHandle = 65_535;

    // Under the lock, by handle; those that both sides have closed are gone.
    private readonly SortedDictionary<uint, AmqpIncoming> _queues = [];
    private readonly Queue<(AmqpIncoming Link, bool IsAttach)> _linksDue = new();
    private uint _maxHandle = MaxHandle;
    private int _queueCount;

    /// <summary>Asks for a queue. Nothing comes from it before it was granted.</summary>
    /// <exception cref="DrainedException">The connection has ended.</exception>
    public AmqpIncoming OpenQueue(IAmqpInbox inbox)
    {
        AmqpIncoming link;
        lock (_lock)
        {
            if (_end is not null)
            {
                throw new DrainedException(_end);
            }
            uint handle = FirstQueueHandle;
            foreach (uint used in _queues.Keys.TakeWhile(used => used == handle))
            {
                handle++;
            }
            if (handle > _maxHandle)
            {
                throw new CreoException(ErrorCode.Overloaded, $"the broker at {Address} allows no more than {_maxHandle} links").Unsent();
            }
            link = new AmqpIncoming($"{_name}-items-{++_queueCount}", handle, inbox);
            _queues.Add(handle, link);
            _linksDue.Enqueue((link, true));
        }
        Pump();
        return link;
    }

    /// <summary>Lets in up to so many messages of a queue.</summary>
    public void Grant(AmqpIncoming queue, uint messages)
    {
        lock (_lock)
        {
            if (queue.IsClosed || queue.Credit >= messages)
            {
                return;
            }
            queue.Credit = messages;
            queue.IsFlowDue = true;
        }
        Pump();
    }

    /// <summary>Deletes a queue; its inbox hears no more of it.</summary>
    public void CloseQueue(AmqpIncoming queue)
    {
        lock (_lock)
        {
            if (queue.IsClosed)
            {
                return;
            }
            queue.IsClosed = true;
            _linksDue.Enqueue((queue, false));
        }
        Pump();
    }

    private AmqpIncoming Incoming(uint remote)
    {
        if (remote == _answers.Remote)
        {
            return _answers;
        }
        lock (_lock)
        {
            return QueueOf(remote) ?? throw Amqp.Malformed("a message of another link");
        }
    }

    private AmqpIncoming? QueueOf(uint remote) => _queues.Values.FirstOrDefault(queue => queue.Remote == remote);

    private bool TryAttachQueue(AmqpAttach attach)
    {
        AmqpIncoming? queue;
        lock (_lock)
        {
            queue = _queues.Values.FirstOrDefault(queue => queue.Name == attach.Name && queue.Remote is null);
            if (queue is null || QueueOf(attach.Handle) is not null || attach.Handle == _answers.Remote || attach.Handle == _senderRemote)
            {
                return false;
            }
            queue.Remote = attach.Handle;
            queue.Count = attach.FirstCount;
            if (queue.IsClosed)
            {
                return true;
            }
        }
        // A refused one has no source; the detach that follows gives the reason.
        if (attach.HasSource)
        {
            queue.Inbox!.OnOpened(attach.SourceAddress ?? throw Amqp.Malformed("a queue for items without a name"));
        }
        return true;
    }

    private bool TryDetachQueue(uint remote, AmqpError? error)
    {
        AmqpIncoming? queue;
        lock (_lock)
        {
            queue = QueueOf(remote);
            if (queue is null)
            {
                return false;
            }
            _queues.Remove(queue.Handle);
            if (queue.IsClosed)
            {
                return true;
            }
            queue.IsClosed = true;
            _linksDue.Enqueue((queue, false));
        }
        queue.Inbox!.OnEnd(AmqpError.ToException(error, $"the broker at {Address} gives no items of a queue").With("peer", Address));
        return true;
    }

    // Under the lock.
    private IAmqpInbox[] CloseQueues()
    {
        IAmqpInbox[] inboxes = [.. _queues.Values.Where(queue => !queue.IsClosed).Select(queue => queue.Inbox!)];
        foreach (AmqpIncoming queue in _queues.Values)
        {
            queue.IsClosed = true;
        }
        _queues.Clear();
        return inboxes;
    }

    private bool IsIncomingLate() => _answers.Deadline.IsOver || _queues.Values.Any(queue => queue.Deadline.IsOver && !queue.IsClosed);

    private bool IsQueueDue() => _linksDue.Count > 0 || _queues.Values.Any(queue => queue.IsFlowDue);

    private void ComposeQueues(AmqpWriter writer)
    {
        while (_linksDue.TryDequeue(out (AmqpIncoming Link, bool IsAttach) due))
        {
            if (due.IsAttach)
            {
                AttachReceiver(writer, due.Link.Name, due.Link.Handle, null);
            }
            else
            {
                Detach(writer, due.Link.Handle);
            }
        }
        foreach (AmqpIncoming queue in _queues.Values.Where(queue => queue.IsFlowDue))
        {
            queue.IsFlowDue = false;
            if (!queue.IsClosed)
            {
                Flow(writer, queue.Handle, queue.Count, queue.Credit, false);
            }
        }
    }

    private static void Detach(AmqpWriter writer, uint handle)
    {
        writer.BeginFrame();
        writer.Begin(Amqp.Detach);
        writer.UInt(handle);
        writer.Boolean(true);
        writer.End();
        writer.EndFrame();
    }
}
