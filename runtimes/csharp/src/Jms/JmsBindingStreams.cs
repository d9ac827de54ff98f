using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Creo.Jms;
using Creo.Messages;
using Creo.Net;

namespace Creo;

public sealed partial class JmsBinding
{
    internal override StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options, CancellationToken cancellation)
    {
        ObjectDisposedException.ThrowIf(_disposed.IsCancellationRequested, this);
        // JMS-23.
        return _wire != JmsWire.Binary || method.EncodeItem is not null
            ? throw NoStreams(method, options)
            : new ItemStream<TArguments, TSent, TReceived, TResult>(this, method, arguments, options, cancellation);
    }

    /// <summary>The body of a message of items.</summary>
    internal static MessageBody ItemsOf(JmsMessage message, string address)
    {
        CheckVersion(message);
        var answer = new JmsAnswer(message, isRight: true, address);
        return answer.Type.Name == BinaryType ? answer.Body : throw answer.OfStatus();
    }

    /// <summary>A call with a stream as its result, whose messages come to a queue of its own.</summary>
    private sealed class ItemStream<TArguments, TSent, TReceived, TResult>(
        JmsBinding owner, StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, CallOptions? options, CancellationToken cancellation)
        : StreamCall<TReceived, TResult>
    {
        private CallOptions? _options = options;
        private OutgoingCall? _interceptors;
        private CancellationTokenSource? _ending;
        private JmsItems? _items;
        private JmsRaw? _raw;
        private bool _isOver;

        public override bool Next()
        {
            ValueTask<bool> step = StepAsync(waits: true);
            // It has already waited.
            return step.IsCompleted ? step.GetAwaiter().GetResult() : step.AsTask().GetAwaiter().GetResult();
        }

        public override ValueTask<bool> NextAsync() => StepAsync(waits: false);

        public override void Dispose() => End(new OperationCanceledException("the stream was closed before its end"));

        // Shared by both forms: a blocking step waits inside, and is complete when this returns.
        private async ValueTask<bool> StepAsync(bool waits)
        {
            try
            {
                JmsItems items = _items ?? await OpenAsync(waits).ConfigureAwait(false);
                while (true)
                {
                    if (items.TryTake(out MessageBody? body))
                    {
                        Items = Binary.Decode(body!.Memory.Span, method.DecodeItems!, method.Received!, owner.Limits, "$items");
                        if (Items.Count > 0)
                        {
                            return true;
                        }
                    }
                    else if (items.Answer() is { } answer)
                    {
                        Finish(answer);
                        break;
                    }
                    else
                    {
                        await Either.On(items.Change(), waits, _ending!.Token).ConfigureAwait(false);
                    }
                }
            }
            catch (Exception e)
            {
                Exception failure = _ending is null ? e : owner.FailureOf(e, _ending, cancellation);
                End(failure);
                if (failure == e)
                {
                    ExceptionDispatchInfo.Throw(e);
                }
                throw failure;
            }
            Items = default;
            End(null);
            return false;
        }

        private async ValueTask<JmsItems> OpenAsync(bool waits)
        {
            if (owner._options.Interceptors is { Count: > 0 } && _options?.Call is null)
            {
                // CALL-44: there is no deadline unless the program gives one.
                _interceptors = new OutgoingCall(owner._options, method.Service.Name, method.Name, _options, null);
                _options = _interceptors.Begin();
            }
            Deadline deadline = owner.Until(_options?.Deadline);
            using MessageRequest request = owner.Write(method, arguments);
            Func<List<(string Name, string Value)>> properties = owner.Prepare(method, request, _options, deadline, out _raw);
            _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            if (!deadline.IsNone)
            {
                _ending.CancelAfter(deadline.MillisecondsLeft());
            }
            try
            {
                return await owner.ConnectedAsync(
                    async connection =>
                    {
                        string id = owner._prefix + RandomDigits();
                        _items?.Close();
                        _items = new JmsItems(id, owner.Limits, connection, deadline);
                        _items.Open();
                        // The queue is there before the request is sent.
                        await Either.On(_items.Opened, waits, _ending.Token).ConfigureAwait(false);
                        var delivery = new AmqpDelivery(JmsHead.Compose(owner._address, _items.Opened.Result, id, deadline.MillisecondsLeft(), properties(), request), _items.Settle);
                        await connection.SendAsync(delivery, waits, _ending.Token).ConfigureAwait(false);
                        return _items;
                    },
                    _options,
                    waits,
                    _ending.Token).ConfigureAwait(false);
            }
            finally
            {
                // Sent or not, its memory is no longer read.
                request.IsDone = true;
            }
        }

        private void Finish(JmsMessage answer)
        {
            _raw?.Answer(answer);
            if (answer.Metadata is not null || _options is { WantsAnswer: true })
            {
                owner.Deliver(answer, _options);
            }
            Result = owner.Read(method, answer);
        }

        // Only the first end counts.
        private void End(Exception? failure)
        {
            if (_isOver)
            {
                return;
            }
            _isOver = true;
            if (failure is not null)
            {
                Items = default;
            }
            _items?.Close();
            _ending?.Dispose();
            _interceptors?.End(failure);
        }
    }
}
