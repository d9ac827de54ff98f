using System;
using System.Collections;
using System.Collections.Generic;
using System.ComponentModel;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Creo;

/// <summary>A method with streams (LANG-30). Its request and its answer are those of an ordinary method.</summary>
/// <typeparam name="TArguments">The arguments without the stream.</typeparam>
/// <typeparam name="TSent">The items that a client sends, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TReceived">The items that a client receives, or <see cref="Unit"/>.</typeparam>
/// <typeparam name="TResult">The result, or <see cref="Unit"/>: a method has a result or a stream of results.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class StreamMethod<TArguments, TSent, TReceived, TResult> : Method<TArguments, TResult>
{
    /// <summary>Writes one item that is sent; null if the method has no such stream.</summary>
    public Encoder<TSent>? EncodeItem { get; init; }

    /// <summary>The type of an item that is sent.</summary>
    public Layout? Sent { get; init; }

    /// <summary>Reads the items of a frame; null if the method has no stream of results.</summary>
    public Decoder<ValueArray<TReceived>>? DecodeItems { get; init; }

    /// <summary>The type of the items of a frame that is received.</summary>
    public Layout? Received { get; init; }
}

public abstract partial class Binding
{
    /// <summary>The results of a method, read on the calling thread. Each enumeration is a call, which begins with the first item that is asked for.</summary>
    /// <param name="method">The method.</param>
    /// <param name="arguments">Its other arguments.</param>
    /// <param name="items">
    /// The items to send, which another thread takes while the results are read; null if the method has no such stream.
    /// </param>
    /// <param name="options">The options; there is no deadline unless they set one.</param>
    public IEnumerable<TReceived> Receive<TArguments, TSent, TReceived>(
        StreamMethod<TArguments, TSent, TReceived, Unit> method, TArguments arguments, IEnumerable<TSent>? items = null, CallOptions? options = null)
    {
        Check(method, items);
        return new ReceivedItems<TReceived>(() => Stream(method, arguments, new ItemSource<TSent>(true, items, null), options, default));
    }

    /// <summary>The results of a method, awaited. Each enumeration is a call, which begins with the first item that is asked for.</summary>
    /// <inheritdoc cref="Receive"/>
    public IAsyncEnumerable<TReceived> ReceiveAsync<TArguments, TSent, TReceived>(
        StreamMethod<TArguments, TSent, TReceived, Unit> method,
        TArguments arguments,
        IAsyncEnumerable<TSent>? items = null,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        Check(method, items);
        return new ReceivedItemsAsync<TReceived>(token => Stream(method, arguments, new ItemSource<TSent>(false, null, items), options, token), cancellationToken);
    }

    /// <summary>Sends items, which the calling thread takes, and returns the result.</summary>
    public TResult Send<TArguments, TSent, TResult>(
        StreamMethod<TArguments, TSent, Unit, TResult> method, TArguments arguments, IEnumerable<TSent> items, CallOptions? options = null)
    {
        Check(method, items);
        using StreamCall<Unit, TResult> call = Stream(method, arguments, new ItemSource<TSent>(true, items, null), options, default);
        while (call.Next())
        {
            // It has no items.
        }
        return call.Result;
    }

    /// <summary>Sends items, and returns the result.</summary>
    public async ValueTask<TResult> SendAsync<TArguments, TSent, TResult>(
        StreamMethod<TArguments, TSent, Unit, TResult> method,
        TArguments arguments,
        IAsyncEnumerable<TSent> items,
        CallOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        Check(method, items);
        cancellationToken.ThrowIfCancellationRequested();
        using StreamCall<Unit, TResult> call = Stream(method, arguments, new ItemSource<TSent>(false, null, items), options, cancellationToken);
        while (await call.NextAsync().ConfigureAwait(false))
        {
            // It has no items.
        }
        return call.Result;
    }

    /// <summary>Sends items to a method without a result.</summary>
    public async ValueTask RunAsync<TArguments, TSent>(
        StreamMethod<TArguments, TSent, Unit, Unit> method,
        TArguments arguments,
        IAsyncEnumerable<TSent> items,
        CallOptions? options = null,
        CancellationToken cancellationToken = default) =>
        await SendAsync(method, arguments, items, options, cancellationToken).ConfigureAwait(false);

    /// <summary>A call with streams, which begins when it is asked for the first items. A binding that carries no streams throws (CALL-47).</summary>
    internal virtual StreamCall<TReceived, TResult> Stream<TArguments, TSent, TReceived, TResult>(
        StreamMethod<TArguments, TSent, TReceived, TResult> method,
        TArguments arguments,
        ItemSource<TSent> source,
        CallOptions? options,
        CancellationToken cancellation) => throw NoStreams(method, options);

    // CALL-47: the interceptors see the call, which ends before anything is sent.
    private protected CreoException NoStreams<TArguments, TSent, TReceived, TResult>(StreamMethod<TArguments, TSent, TReceived, TResult> method, CallOptions? options)
    {
        string streams = method.EncodeItem is not null && method.DecodeItems is not null
            ? "two streams, which only the binary wire over TCP carries"
            : $"streams, which are carried by the binary wire over TCP{(method.DecodeItems is null ? "" : ", or JMS")}, and by json over HTTP, if the code has that wire";
        CreoException refusal = new CreoException(ErrorCode.UnknownMethod, $"{method} has {streams}; nothing was sent").Unsent();
        if (options?.Call is null && Client is { Interceptors.Count: > 0 } client)
        {
            var call = new OutgoingCall(client, method.Service.Name, method.Name, options, null);
            Exception failure = refusal;
            try
            {
                call.Begin();
            }
            catch (Exception e)
            {
                failure = e;
                throw;
            }
            finally
            {
                call.End(failure);
            }
        }
        return refusal;
    }

    private static void Check<TArguments, TSent, TReceived, TResult>(StreamMethod<TArguments, TSent, TReceived, TResult> method, object? items)
    {
        ArgumentNullException.ThrowIfNull(method);
        if (method.EncodeItem is not null)
        {
            ArgumentNullException.ThrowIfNull(items);
        }
    }
}

/// <summary>A call with streams, for one user at a time. It is either blocking or asynchronous; disposing it before its end cancels it.</summary>
internal abstract class StreamCall<TReceived, TResult> : IDisposable
{
    /// <summary>The items that the last step has brought.</summary>
    public ValueArray<TReceived> Items { get; protected set; }

    /// <summary>The result, when there are no more items.</summary>
    public TResult Result { get; protected set; } = default!;

    /// <summary>Waits for further items on the calling thread; false at the end. After a failure there is no further step.</summary>
    public abstract bool Next();

    /// <summary>Waits for further items; false at the end. After a failure there is no further step.</summary>
    public abstract ValueTask<bool> NextAsync();

    public abstract void Dispose();
}

/// <summary>The items that a client sends: one of the two, or none. They are enumerated at most once.</summary>
internal sealed class ItemSource<T>(bool isBlocking, IEnumerable<T>? items, IAsyncEnumerable<T>? asyncItems)
{
    /// <summary>Whether the program waits for the call on its thread.</summary>
    public bool IsBlocking => isBlocking;

    public IEnumerable<T>? Items => items;

    public IAsyncEnumerable<T>? AsyncItems => asyncItems;

    /// <summary>Whether an item was, or is being, taken: the call can then not be made at another address (CALL-45).</summary>
    public bool IsTaken { get; set; }
}

/// <summary>The results of a method, read on the calling thread.</summary>
internal sealed class ReceivedItems<T>(Func<StreamCall<T, Unit>> open) : IEnumerable<T>
{
    public IEnumerator<T> GetEnumerator() => new ReceivedItemsEnumerator<T>(open);

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}

internal sealed class ReceivedItemsEnumerator<T>(Func<StreamCall<T, Unit>> open) : IEnumerator<T>
{
    private StreamCall<T, Unit>? _call;
    private ValueArray<T> _items;
    private int _next;
    private bool _isOver;
    private ExceptionDispatchInfo? _failure;

    public T Current { get; private set; } = default!;

    object? IEnumerator.Current => Current;

    public bool MoveNext()
    {
        if (_next == _items.Count && !MoveOn())
        {
            return false;
        }
        Current = _items[_next++];
        return true;
    }

    public void Reset() => throw new NotSupportedException();

    public void Dispose()
    {
        (_isOver, _items, _next) = (true, default, 0);
        _call?.Dispose();
    }

    // CALL-40: the end stays the same.
    private bool MoveOn()
    {
        _failure?.Throw();
        (_items, _next) = (default, 0);
        if (_isOver)
        {
            return false;
        }
        try
        {
            _call ??= open();
            _isOver = !_call.Next();
            _items = _call.Items;
            return !_isOver;
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
            throw;
        }
    }
}

/// <summary>The results of a method, awaited.</summary>
internal sealed class ReceivedItemsAsync<T>(Func<CancellationToken, StreamCall<T, Unit>> open, CancellationToken cancellation) : IAsyncEnumerable<T>
{
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) => new ReceivedItemsAsyncEnumerator<T>(open, cancellation, cancellationToken);
}

internal sealed class ReceivedItemsAsyncEnumerator<T>(
    Func<CancellationToken, StreamCall<T, Unit>> open, CancellationToken ofCall, CancellationToken ofEnumeration) : IAsyncEnumerator<T>
{
    private readonly CancellationTokenSource? _both =
        ofCall.CanBeCanceled && ofEnumeration.CanBeCanceled && ofCall != ofEnumeration ? CancellationTokenSource.CreateLinkedTokenSource(ofCall, ofEnumeration) : null;

    private StreamCall<T, Unit>? _call;
    private ValueArray<T> _items;
    private int _next;
    private bool _isOver;
    private ExceptionDispatchInfo? _failure;

    public T Current { get; private set; } = default!;

    private CancellationToken Token => _both?.Token ?? (ofEnumeration.CanBeCanceled ? ofEnumeration : ofCall);

    public ValueTask<bool> MoveNextAsync()
    {
        if (_next == _items.Count || ofCall.IsCancellationRequested || ofEnumeration.IsCancellationRequested)
        {
            return MoveOnAsync();
        }
        Current = _items[_next++];
        return new ValueTask<bool>(true);
    }

    public ValueTask DisposeAsync()
    {
        (_isOver, _items, _next) = (true, default, 0);
        _call?.Dispose();
        _both?.Dispose();
        return default;
    }

    private async ValueTask<bool> MoveOnAsync()
    {
        _failure?.Throw();
        (_items, _next) = (default, 0);
        if (_isOver)
        {
            return false;
        }
        try
        {
            Token.ThrowIfCancellationRequested();
            _call ??= open(Token);
            _isOver = !await _call.NextAsync().ConfigureAwait(false);
            _items = _call.Items;
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
            _call?.Dispose();
            throw;
        }
        if (_isOver)
        {
            return false;
        }
        Current = _items[_next++];
        return true;
    }
}
