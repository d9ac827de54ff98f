using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using Creo.Http;

namespace Creo.Json;

/// <summary>The body of a request with items of a program, which are sent as the program gives them (HTTP-33).</summary>
/// <param name="first">The line of the other parameters.</param>
/// <param name="source">The items.</param>
/// <param name="write">Writes an item.</param>
/// <param name="limits">The limits for sent data.</param>
/// <param name="connection">The connection, once there is one.</param>
/// <param name="ended">Cancelled when the call has ended.</param>
internal sealed class ItemsContent<T>(
    ReadOnlyMemory<byte> first, ItemSource<T> source, TextPart<T> write, Limits limits, Func<WatchedConnection> connection, CancellationToken ended) : HttpContent
{
    // Lines are gathered up to this size.
    private const int FullSize = 65_536;

    private MemoryStream _lines = new();
    private bool _isSending;

    /// <summary>The failure of the program's source, or of an item, if that has ended the call.</summary>
    public ExceptionDispatchInfo? Failure { get; private set; }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        WatchedConnection peer = connection();
        peer.Watch();
        stream.Write(first.Span);
        stream.Flush();
        // An item is sent before the next one is taken, which may take any time, unless all are there already.
        bool areThere = source.Items is ICollection<T> or IReadOnlyCollection<T>;
        try
        {
            if (!MayTake(peer))
            {
                return;
            }
            using (IEnumerator<T> items = source.Items!.GetEnumerator())
            {
                while (MayTake(peer) && items.MoveNext())
                {
                    ItemLine.Write(_lines, items.Current, write, limits);
                    if (!areThere || _lines.Length >= FullSize)
                    {
                        Send(stream);
                    }
                }
            }
        }
        catch (Exception e)
        {
            Keep(peer, e);
            throw;
        }
        if (!peer.IsAnswered)
        {
            _lines.Write("{\"end\":true}\n"u8);
            Send(stream);
        }
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        WatchedConnection peer = connection();
        Task answered = peer.Watch();
        await stream.WriteAsync(first, cancellationToken).ConfigureAwait(false);
        await stream.FlushAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await GiveAsync(stream, peer, answered).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Keep(peer, e);
            throw;
        }
        if (!peer.IsAnswered)
        {
            _lines.Write("{\"end\":true}\n"u8);
            await SendAsync(stream).ConfigureAwait(false);
        }
    }

    // Items are gathered while the program gives them at once.
    private async Task GiveAsync(Stream stream, WatchedConnection peer, Task answered)
    {
        if (!MayTake(peer))
        {
            return;
        }
        IAsyncEnumerator<T> items = source.AsyncItems!.GetAsyncEnumerator(ended);
        bool isLeft = false;
        try
        {
            while (MayTake(peer))
            {
                ValueTask<bool> next = items.MoveNextAsync();
                bool hasNext;
                if (next.IsCompleted)
                {
                    hasNext = await next.ConfigureAwait(false);
                }
                else
                {
                    Task<bool> waiting = next.AsTask();
                    await SendAsync(stream).ConfigureAwait(false);
                    await Task.WhenAny(waiting, answered).ConfigureAwait(false);
                    if (!waiting.IsCompleted)
                    {
                        // Nothing can end it: it is closed when it gives the item.
                        isLeft = true;
                        _ = CloseLaterAsync(items, waiting);
                        return;
                    }
                    hasNext = await waiting.ConfigureAwait(false);
                }
                if (!hasNext)
                {
                    break;
                }
                ItemLine.Write(_lines, items.Current, write, limits);
                if (_lines.Length >= FullSize)
                {
                    await SendAsync(stream).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            if (!isLeft)
            {
                await items.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private bool MayTake(WatchedConnection peer)
    {
        bool mayTake = !peer.IsAnswered && !ended.IsCancellationRequested;
        source.IsTaken |= mayTake;
        return mayTake;
    }

    // A failure of the program ends the call, unless that had ended before.
    private void Keep(WatchedConnection peer, Exception failure)
    {
        if (!_isSending && !peer.IsAnswered && !ended.IsCancellationRequested)
        {
            Failure = ExceptionDispatchInfo.Capture(failure);
        }
    }

    private void Send(Stream stream)
    {
        _isSending = true;
        stream.Write(_lines.GetBuffer().AsSpan(0, (int)_lines.Length));
        stream.Flush();
        Sent();
    }

    private async ValueTask SendAsync(Stream stream)
    {
        if (_lines.Length > 0)
        {
            _isSending = true;
            await stream.WriteAsync(_lines.GetBuffer().AsMemory(0, (int)_lines.Length)).ConfigureAwait(false);
            await stream.FlushAsync().ConfigureAwait(false);
            Sent();
        }
    }

    private void Sent()
    {
        _isSending = false;
        _lines.SetLength(0);
        if (_lines.Capacity > 16 * FullSize)
        {
            _lines = new MemoryStream();
        }
    }

    private static async Task CloseLaterAsync(IAsyncEnumerator<T> items, Task waiting)
    {
        await waiting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await items.DisposeAsync().ConfigureAwait(false);
    }
}
