using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Creo.Http;

/// <summary>
/// A connection for a request whose answer may come before the request has ended (HTTP-33). The platform looks for an answer only when it has sent the
/// request, and loses the answer if it cannot send: here the answer is read ahead, and once it is there, what is still to be sent is dropped.
/// </summary>
/// <param name="inner">The connection. Disposing this disposes it, and ends what is under way.</param>
/// <param name="max">The max bytes of interim answers (1xx).</param>
internal sealed class WatchedConnection(Stream inner, int max) : Stream
{
    private const int FirstSize = 1024;

    // What was read ahead, and what of it was given to the platform.
    private byte[] _ahead = [];
    private int _given;
    private int _read;
    private ExceptionDispatchInfo? _failure;
    private Task? _answered;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>Whether nothing more is to be sent, because the answer has begun or the connection has ended.</summary>
    public bool IsAnswered => _answered is { IsCompleted: true };

    /// <summary>Begins to look for the answer. The task ends, without a failure, when it has begun or the connection has ended.</summary>
    public Task Watch() => _answered ??= ReadAheadAsync();

    public override int Read(Span<byte> buffer)
    {
        _answered?.GetAwaiter().GetResult();
        return GiveAhead(buffer, out int count) ? count : inner.Read(buffer);
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (_answered is { IsCompleted: false } waiting)
        {
            await waiting.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        return GiveAhead(buffer.Span, out int count) ? count : await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_answered is null)
        {
            inner.Write(buffer);
        }
        else if (!_answered.IsCompleted)
        {
            WriteAsync(buffer.ToArray(), _answered).GetAwaiter().GetResult();
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => _answered switch
    {
        null => inner.WriteAsync(buffer, cancellationToken),
        { IsCompleted: true } => default,
        _ => new ValueTask(WriteAsync(buffer.ToArray(), _answered)),
    };

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
        if (!IsAnswered)
        {
            inner.Flush();
        }
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => IsAnswered ? Task.CompletedTask : inner.FlushAsync(cancellationToken);

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }
        base.Dispose(disposing);
    }

    // The bytes are its own: they may be on their way still when the answer has come, and the peer does not read them.
    private async Task WriteAsync(byte[] bytes, Task answered)
    {
        Task write = inner.WriteAsync(bytes).AsTask();
        await Task.WhenAny(write, answered).ConfigureAwait(false);
        if (!write.IsCompletedSuccessfully)
        {
            // A connection that does not take it has ended, and what came before says why.
            await answered.ConfigureAwait(false);
            _ = write.ContinueWith(static failed => failed.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }
    }

    private async Task ReadAheadAsync()
    {
        try
        {
            int count;
            do
            {
                if (_read == _ahead.Length)
                {
                    Array.Resize(ref _ahead, Math.Max(FirstSize, 2 * _read));
                }
                count = await inner.ReadAsync(_ahead.AsMemory(_read)).ConfigureAwait(false);
                _read += count;
            }
            while (count > 0 && _read <= max && !IsFinal(_ahead.AsSpan(0, _read)));
        }
        catch (Exception e)
        {
            // The platform finds it where it reads.
            _failure = ExceptionDispatchInfo.Capture(e);
        }
    }

    // Whether more has come than interim answers.
    private static bool IsFinal(ReadOnlySpan<byte> bytes)
    {
        const int statusAt = 9;
        while (bytes.Length > statusAt)
        {
            int end = bytes[statusAt] == '1' && bytes.StartsWith("HTTP/1."u8) ? bytes.IndexOf("\r\n\r\n"u8) : 0;
            if (end <= 0)
            {
                return end == 0;
            }
            bytes = bytes[(end + 4)..];
        }
        return false;
    }

    private bool GiveAhead(Span<byte> buffer, out int count)
    {
        count = Math.Min(buffer.Length, _read - _given);
        if (_given < _read)
        {
            _ahead.AsSpan(_given, count).CopyTo(buffer);
            _given += count;
            return true;
        }
        _failure?.Throw();
        return false;
    }
}
