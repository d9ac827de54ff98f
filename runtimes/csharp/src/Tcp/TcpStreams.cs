using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>A call with streams over TCP: what both forms of it share.</summary>
internal abstract class TcpStream<TArguments, TSent, TReceived, TResult> : StreamCall<TReceived, TResult>
{
    // What has arrived and is being read.
    private ItemChunk? _chunk;
    private OutgoingCall? _interceptors;
    private bool _isOver;

    protected TcpStream(
        TcpBinding binding, StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options)
    {
        (Binding, Method, Arguments, Source, Options) = (binding, method, arguments, source, options);
        Flow = new ItemFlow(method.EncodeItem is not null, method.DecodeItems is not null, binding.Options.Limits);
    }

    protected TcpBinding Binding { get; }

    protected StreamMethod<TArguments, TSent, TReceived, TResult> Method { get; }

    protected TArguments Arguments { get; }

    protected ItemSource<TSent> Source { get; }

    protected CallOptions? Options { get; private set; }

    protected ItemFlow Flow { get; }

    /// <summary>From the beginning of the call.</summary>
    protected Deadline Deadline { get; private set; }

    public override void Dispose() => End(new OperationCanceledException("the stream was closed before its end"));

    /// <summary>The call begins: interceptors see it.</summary>
    protected void Begin()
    {
        if (Binding.Options.Interceptors is { Count: > 0 } && Options?.Call is null)
        {
            // CALL-44: there is no deadline unless the program gives one.
            _interceptors = new OutgoingCall(Binding.Options, Method.Service.Name, Method.Name, Options, null);
            Options = _interceptors.Begin();
        }
        Deadline = Deadline.In(Options?.Deadline);
    }

    /// <summary>Takes items that have arrived; false if there are none.</summary>
    protected bool TakeItems()
    {
        while (true)
        {
            while (_chunk is not null && _chunk.TryNext(out ReadOnlySpan<byte> frame))
            {
                Items = Decode(frame);
                if (Flow.Take(frame.Length) is > 0 and var credit)
                {
                    SendCredit(credit);
                }
                if (Items.Count > 0)
                {
                    return true;
                }
            }
            _chunk?.Dispose();
            _chunk = Flow.Next();
            if (_chunk is null)
            {
                Items = default;
                return false;
            }
        }
    }

    /// <summary>The call has ended, with a failure or without. Only the first end counts.</summary>
    protected void End(Exception? failure)
    {
        if (_isOver)
        {
            return;
        }
        _isOver = true;
        Flow.Dispose();
        _chunk?.Dispose();
        _chunk = null;
        if (failure is not null)
        {
            Items = default;
        }
        Close();
        _interceptors?.End(failure);
    }

    /// <summary>Lets go of the connection, and cancels the call if it has no answer.</summary>
    protected abstract void Close();

    protected abstract void SendCredit(int bytes);

    protected ItemsFrame<TSent> NewFrame() => new(Method.EncodeItem!, Method.Sent!, Binding.Options.Limits);

    // TCP-34: what is not of the wire ends the call.
    private ValueArray<TReceived> Decode(ReadOnlySpan<byte> frame)
    {
        try
        {
            return Binary.Decode(frame, Method.DecodeItems!, Method.Received!, Binding.Options.Limits, "$items");
        }
        catch (CreoException error)
        {
            throw error.With("peer", Binding.Address);
        }
    }
}

/// <summary>A call with streams on a connection of its own, which the calling thread reads. Another thread writes the items if results are read meanwhile.</summary>
internal sealed class BlockingStream<TArguments, TSent, TReceived, TResult>(
    TcpBinding binding, StreamMethod<TArguments, TSent, TReceived, TResult> method, TArguments arguments, ItemSource<TSent> source, CallOptions? options)
    : TcpStream<TArguments, TSent, TReceived, TResult>(binding, method, arguments, source, options)
{
    private BlockingConnection? _connection;
    private CancellationTokenRegistration _whenDisposed;

    public override bool Next()
    {
        try
        {
            BlockingConnection connection = _connection ?? Open();
            while (true)
            {
                Flow.SourceFailure?.Throw();
                if (TakeItems())
                {
                    return true;
                }
                if (connection.HasEnded)
                {
                    break;
                }
                connection.Receive();
            }
            Finish(connection);
            return false;
        }
        catch (Exception e)
        {
            End(e);
            throw;
        }
    }

    public override ValueTask<bool> NextAsync() => throw new NotSupportedException();

    protected override void Close()
    {
        _whenDisposed.Dispose();
        if (_connection is not null)
        {
            _connection.Close();
            _connection.Answer?.Dispose();
            Binding.GiveBack(_connection);
        }
    }

    protected override void SendCredit(int bytes)
    {
        if (!_connection!.HasEnded)
        {
            _connection.SendCredit(bytes);
        }
    }

    private void Finish(BlockingConnection connection)
    {
        if (connection.Failure is { } failure)
        {
            Flow.SourceFailure?.Throw();
            throw failure;
        }
        using AnswerBody answer = connection.Answer!;
        Result = Binding.Read(answer, Method, Options);
        End(null);
    }

    private BlockingConnection Open()
    {
        Begin();
        Outgoing request = Binding.Encode(Method, Arguments, Options);
        try
        {
            BlockingConnection connection = Binding.Take(Deadline);
            _connection = connection;
            Options?.Reached(Binding.Address);
            Binding.ShowRequest(Method, request, Options, Deadline);
            Binding.Compress(request, connection.PeerReadsCompressed);
            _whenDisposed = Binding.EndWhenDisposed(connection);
            connection.Open(request, Flow, Deadline);
        }
        finally
        {
            Binding.GiveBack(request);
        }
        if (Source.Items is { } items && Method.DecodeItems is null)
        {
            Write(items, _connection);
        }
        else if (Source.Items is { } asked)
        {
            BlockingConnection connection = _connection;
            new Thread(() => WriteMeanwhile(asked, connection)) { IsBackground = true, Name = "creo-items" }.Start();
        }
        return _connection;
    }

    // The answer may come at any time.
    private void Write(IEnumerable<TSent> items, BlockingConnection connection)
    {
        uint call = connection.CallId;
        using ItemsFrame<TSent> frame = NewFrame();
        void Send(bool isEnd)
        {
            connection.ReceiveWithoutWaiting();
            while (!Flow.HasCredit && !connection.HasEnded)
            {
                connection.Receive();
            }
            if (!connection.HasEnded)
            {
                ReadOnlyMemory<byte> bytes = frame.Take(call, isEnd, out int size);
                Flow.Spend(size);
                connection.SendItems(bytes);
                frame.Sent();
            }
        }
        Write(items, frame, Send);
    }

    private void WriteMeanwhile(IEnumerable<TSent> items, BlockingConnection connection)
    {
        try
        {
            uint call = connection.CallId;
            using ItemsFrame<TSent> frame = NewFrame();
            void Send(bool isEnd)
            {
                if (Flow.WaitForCredit(Deadline))
                {
                    ReadOnlyMemory<byte> bytes = frame.Take(call, isEnd, out int size);
                    Flow.Spend(size);
                    connection.SendItems(bytes, Flow);
                    frame.Sent();
                }
                else
                {
                    Flow.End();
                }
            }
            Write(items, frame, Send);
        }
        catch (Exception e)
        {
            if (Flow.Fail(e))
            {
                connection.CancelItems();
            }
        }
    }

    // An item is sent before the next one is taken, which may take any time, unless all are there already.
    private void Write(IEnumerable<TSent> items, ItemsFrame<TSent> frame, Action<bool> send)
    {
        bool areThere = items is ICollection<TSent> or IReadOnlyCollection<TSent>;
        if (!Flow.MayTake(Source))
        {
            return;
        }
        using (IEnumerator<TSent> enumerator = items.GetEnumerator())
        {
            while (Flow.MayTake(Source) && enumerator.MoveNext())
            {
                frame.Add(enumerator.Current);
                while (!frame.IsEmpty && (!areThere || frame.IsFull) && !Flow.IsOver)
                {
                    send(false);
                }
            }
        }
        while (!Flow.IsOver)
        {
            send(true);
            if (frame.IsEmpty)
            {
                break;
            }
        }
    }
}

/// <summary>A call with streams on the connection that all asynchronous calls share.</summary>
internal sealed class SharedStream<TArguments, TSent, TReceived, TResult>(
    TcpBinding binding,
    StreamMethod<TArguments, TSent, TReceived, TResult> method,
    TArguments arguments,
    ItemSource<TSent> source,
    CallOptions? options,
    CancellationToken cancellation)
    : TcpStream<TArguments, TSent, TReceived, TResult>(binding, method, arguments, source, options)
{
    private SharedConnection? _connection;
    private PendingCall? _call;

    // Cancelled when the call has ended, whatever the reason is.
    private CancellationTokenSource? _ending;
    private CancellationTokenRegistration _whenEnding;

    public override bool Next() => throw new NotSupportedException();

    public override async ValueTask<bool> NextAsync()
    {
        try
        {
            PendingCall call = _call ?? await OpenAsync().ConfigureAwait(false);
            while (true)
            {
                Task changed = Flow.Changed;
                bool hasEnded = call.Task.IsCompleted;
                Flow.SourceFailure?.Throw();
                cancellation.ThrowIfCancellationRequested();
                if (TakeItems())
                {
                    return true;
                }
                if (hasEnded)
                {
                    break;
                }
                await changed.ConfigureAwait(false);
            }
            using AnswerBody answer = await call.Task.ConfigureAwait(false);
            Result = Binding.Read(answer, Method, Options);
            End(null);
            return false;
        }
        catch (OperationCanceledException e) when (cancellation.IsCancellationRequested)
        {
            var cancelled = new OperationCanceledException("the call was cancelled", e, cancellation);
            End(cancelled);
            throw cancelled;
        }
        catch (OperationCanceledException) when (_ending is { IsCancellationRequested: true } && Flow.SourceFailure is null)
        {
            CreoException late = Binding.Late();
            End(late);
            throw late;
        }
        catch (Exception e)
        {
            End(e);
            throw;
        }
    }

    protected override void Close()
    {
        _whenEnding.Dispose();
        if (_call is not null)
        {
            _connection!.Abandon(_call, new OperationCanceledException());
            _connection.Close(_call);
            if (_call.Task.IsCompletedSuccessfully)
            {
                // It may be disposed of already.
                _call.Task.Result.Dispose();
            }
        }
        // The program's source may wait for this.
        _ending?.CancelAsync().ContinueWith(
            static (_, ending) => ((CancellationTokenSource)ending!).Dispose(), _ending, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }

    protected override void SendCredit(int bytes)
    {
        if (!_call!.Task.IsCompleted)
        {
            _connection!.SendCredit(_call.Id, bytes);
        }
    }

    private async ValueTask<PendingCall> OpenAsync()
    {
        Begin();
        _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        if (!Deadline.IsNone)
        {
            _ending.CancelAfter(Deadline.MillisecondsLeft());
        }
        Outgoing request = Binding.Encode(Method, Arguments, Options);
        try
        {
            (_connection, _call) = await Binding.OpenAsync(Method, request, Flow, Options, Deadline, _ending.Token).ConfigureAwait(false);
        }
        finally
        {
            Binding.GiveBack(request);
        }
        _whenEnding = _ending.Token.UnsafeRegister(static stream => ((SharedStream<TArguments, TSent, TReceived, TResult>)stream!).Abandon(), this);
        if (Source.AsyncItems is { } items)
        {
            CancellationToken token = _ending.Token;
            // Not on the thread of the caller, which reads meanwhile.
            _ = Task.Run(() => WriteAsync(items, _connection, _call, token), CancellationToken.None);
        }
        return _call;
    }

    // The token was cancelled, or the time is over.
    private void Abandon() => _connection!.Abandon(_call!, new OperationCanceledException());

    // Items are gathered in a frame while the program gives them at once.
    private async Task WriteAsync(IAsyncEnumerable<TSent> items, SharedConnection connection, PendingCall call, CancellationToken ended)
    {
        ItemsFrame<TSent> frame = NewFrame();
        try
        {
            if (!Flow.MayTake(Source))
            {
                return;
            }
            IAsyncEnumerator<TSent> enumerator = items.GetAsyncEnumerator(ended);
            bool isLeft = false;
            try
            {
                while (Flow.MayTake(Source))
                {
                    ValueTask<bool> next = enumerator.MoveNextAsync();
                    bool hasNext;
                    if (next.IsCompleted)
                    {
                        hasNext = await next.ConfigureAwait(false);
                    }
                    else
                    {
                        Task<bool> waiting = next.AsTask();
                        await SendAsync(frame, connection, call).ConfigureAwait(false);
                        if (!await EndsFirstAsync(waiting).ConfigureAwait(false))
                        {
                            // Nothing can end it: it is closed when it gives the item.
                            isLeft = true;
                            _ = CloseLaterAsync(enumerator, waiting);
                            return;
                        }
                        hasNext = await waiting.ConfigureAwait(false);
                    }
                    if (!hasNext)
                    {
                        break;
                    }
                    frame.Add(enumerator.Current);
                    if (frame.IsFull)
                    {
                        await SendAsync(frame, connection, call, onlyFull: true).ConfigureAwait(false);
                    }
                }
            }
            finally
            {
                if (!isLeft)
                {
                    ValueTask closing = enumerator.DisposeAsync();
                    if (!closing.IsCompleted)
                    {
                        await SendAsync(frame, connection, call).ConfigureAwait(false);
                    }
                    await closing.ConfigureAwait(false);
                }
            }
            await SendAsync(frame, connection, call, isEnd: true).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            if (Flow.Fail(e))
            {
                connection.Abandon(call, e);
            }
        }
        finally
        {
            frame.Dispose();
        }
    }

    // Sends what was gathered, or what is too much for a frame, unless the call has ended.
    private async Task SendAsync(ItemsFrame<TSent> frame, SharedConnection connection, PendingCall call, bool onlyFull = false, bool isEnd = false)
    {
        while (onlyFull ? frame.IsFull : !frame.IsEmpty || isEnd)
        {
            while (!Flow.HasCredit && !Flow.IsOver)
            {
                Task changed = Flow.Changed;
                if (!Flow.HasCredit && !Flow.IsOver)
                {
                    await changed.ConfigureAwait(false);
                }
            }
            if (Flow.IsOver)
            {
                return;
            }
            ReadOnlyMemory<byte> bytes = frame.Take(call.Id, isEnd, out int size);
            Flow.Spend(size);
            await connection.SendItemsAsync(call, bytes).ConfigureAwait(false);
            frame.Sent();
            isEnd &= !frame.IsEmpty;
        }
    }

    // Whether the program gives an item, or fails to, before the call ends.
    private async Task<bool> EndsFirstAsync(Task<bool> waiting)
    {
        while (!waiting.IsCompleted)
        {
            Task changed = Flow.Changed;
            if (Flow.IsOver)
            {
                return waiting.IsCompleted;
            }
            await Task.WhenAny(waiting, changed).ConfigureAwait(false);
        }
        return true;
    }

    private static async Task CloseLaterAsync(IAsyncEnumerator<TSent> enumerator, Task waiting)
    {
        await waiting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await enumerator.DisposeAsync().ConfigureAwait(false);
    }
}
