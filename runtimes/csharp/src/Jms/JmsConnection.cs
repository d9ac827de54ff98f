using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;
using Creo.Tcp;

namespace Creo.Jms;

/// <summary>A call in progress.</summary>
/// <param name="id">The correlation id of its answer (JMS-6).</param>
/// <param name="isOneway">Whether it ends when the broker has the message (JMS-15).</param>
internal sealed class JmsCall(string id, bool isOneway)
{
    private readonly TaskCompletionSource<JmsMessage?> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Id => id;

    /// <summary>The answer; null for a oneway call.</summary>
    public Task<JmsMessage?> Done => _done.Task;

    public void Answer(JmsMessage message) => _done.TrySetResult(message);

    public void Fail(CreoException reason)
    {
        _done.TrySetException(reason);
        // Observes the exception of a call that has already ended.
        _ = _done.Task.Exception;
    }

    public void Settle(CreoException? failure)
    {
        if (failure is not null)
        {
            Fail(failure);
        }
        else if (isOneway)
        {
            _done.TrySetResult(null);
        }
    }
}

/// <summary>The calls of a connection to a broker, by id.</summary>
internal sealed class JmsConnection : IAmqpEvents
{
    private readonly AmqpConnection _amqp;
    private readonly Limits _limits;
    private readonly string? _prefix;
    private readonly Dictionary<string, JmsCall> _calls = new(StringComparer.Ordinal);

    /// <summary>A connection that begins to connect.</summary>
    /// <param name="broker">The broker's options.</param>
    /// <param name="place">The broker's address.</param>
    /// <param name="address">The address of the service.</param>
    /// <param name="limits">The limits for received and sent data.</param>
    /// <param name="prefix">The prefix of the client's call ids, if it shares its queue with others.</param>
    public JmsConnection(JmsBroker broker, JmsBroker.Place place, JmsAddress address, Limits limits, string? prefix)
    {
        _limits = limits;
        _prefix = prefix;
        string? selector = prefix is null ? null : $"JMSCorrelationID LIKE '{prefix}%'";
        _amqp = new AmqpConnection(broker, place, new AmqpLinks(address.Name, address.IsTopic, address.ReplyToName, selector), limits, this);
        _amqp.Start();
    }

    /// <inheritdoc cref="AmqpConnection.Opened"/>
    public Task Opened => _amqp.Opened;

    /// <inheritdoc cref="AmqpConnection.ReplyTo"/>
    public string ReplyTo => _amqp.ReplyTo;

    /// <inheritdoc cref="AmqpConnection.Address"/>
    public string Address => _amqp.Address;

    /// <inheritdoc cref="AmqpConnection.IsUsable"/>
    public bool IsUsable => _amqp.IsUsable;

    /// <summary>Sends a message and returns its answer; null for a oneway call. The message's memory is free when the task has ended.</summary>
    /// <exception cref="DrainedException">The connection had ended before a byte was written.</exception>
    public async ValueTask<JmsMessage?> CallAsync(JmsCall call, List<ReadOnlyMemory<byte>> segments, bool waits, CancellationToken cancellation)
    {
        Begin(call);
        var delivery = new AmqpDelivery(segments, call.Settle);
        try
        {
            await _amqp.SendAsync(delivery, waits, cancellation).ConfigureAwait(false);
            await Either.On(call.Done, waits, cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (call.Done.IsCompletedSuccessfully)
        {
            // The answer came at the same moment.
        }
        finally
        {
            _amqp.Forget(delivery);
            Forget(call);
        }
        return call.Done.Result;
    }

    /// <summary>Opens a queue of a call's own, which counts as a call until it is closed.</summary>
    /// <exception cref="DrainedException">The connection had ended.</exception>
    public AmqpIncoming OpenQueue(JmsCall call, IAmqpInbox inbox)
    {
        Begin(call);
        try
        {
            return _amqp.OpenQueue(inbox);
        }
        catch
        {
            Forget(call);
            throw;
        }
    }

    /// <inheritdoc cref="AmqpConnection.Grant"/>
    public void Grant(AmqpIncoming queue, uint messages) => _amqp.Grant(queue, messages);

    /// <summary>Deletes the queue of a call.</summary>
    public void CloseQueue(JmsCall call, AmqpIncoming queue)
    {
        _amqp.CloseQueue(queue);
        Forget(call);
    }

    /// <inheritdoc cref="AmqpConnection.SendAsync"/>
    public ValueTask SendAsync(AmqpDelivery delivery, bool waits, CancellationToken cancellation) => _amqp.SendAsync(delivery, waits, cancellation);

    /// <inheritdoc cref="AmqpConnection.Forget"/>
    public void Forget(AmqpDelivery delivery) => _amqp.Forget(delivery);

    /// <inheritdoc cref="AmqpConnection.Close"/>
    public void Close() => _amqp.Close();

    AmqpOutcome IAmqpEvents.OnMessage(MessageBody message) => OnMessage(JmsMessage.Read(message, _limits));

    void IAmqpEvents.OnTooLarge(MessageBody start) => OnMessage(JmsMessage.Read(start, _limits, CreoException.AnswerTooLarge(_limits)));

    void IAmqpEvents.OnEnd(CreoException reason)
    {
        JmsCall[] waiting;
        lock (_calls)
        {
            waiting = [.. _calls.Values];
            _calls.Clear();
        }
        foreach (JmsCall call in waiting)
        {
            call.Fail(reason);
        }
    }

    // JMS-14: on a shared queue, only this client's answers.
    private AmqpOutcome OnMessage(JmsMessage message)
    {
        JmsCall? call = null;
        if (message.CorrelationId is { } id)
        {
            lock (_calls)
            {
                _calls.Remove(id, out call);
            }
        }
        if (call is not null)
        {
            if (message.Failure is not null)
            {
                call.Fail(message.Failure.With("peer", Address));
                return AmqpOutcome.Rejected;
            }
            call.Answer(message);
            return AmqpOutcome.Accepted;
        }
        if (_prefix is not null && message.CorrelationId?.StartsWith(_prefix, StringComparison.Ordinal) != true)
        {
            return AmqpOutcome.Released;
        }
        // The answer to a call that has already ended.
        return message.Failure is null ? AmqpOutcome.Accepted : AmqpOutcome.Rejected;
    }

    private void Forget(JmsCall call)
    {
        lock (_calls)
        {
            _calls.Remove(call.Id);
        }
    }

    private void Begin(JmsCall call)
    {
        lock (_calls)
        {
            if (_calls.Count >= _limits.MaxCallsPerConnection)
            {
                throw new CreoException(
                    ErrorCode.Overloaded, $"{_calls.Count} calls are under way on the connection; maxCallsPerConnection is {_limits.MaxCallsPerConnection}")
                    .Unsent();
            }
            _calls.Add(call.Id, call);
        }
    }
}
