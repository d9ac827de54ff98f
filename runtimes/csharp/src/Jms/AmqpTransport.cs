using System;
using System.Buffers.Binary;
using System.IO;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Creo.Tcp;

namespace Creo.Jms;

/// <summary>The bytes of a connection to a broker: one thread reads frames, any thread may write them.</summary>
internal sealed class AmqpTransport : IDisposable
{
    /// <summary>The max size of received frames.</summary>
    public const int MaxFrame = 262_144;

    private const int HeaderSize = 8;
    private const int FirstBuffer = 16_384;

    // The max time for sending the last frames before closing.
    private const int FarewellMilliseconds = 500;

    // The max further time for a frame whose call has ended: half a frame would destroy the frame boundaries.
    private const int GraceMilliseconds = 1000;

    private readonly Socket _socket;
    private readonly Stream _stream;
    private readonly Action _onStuck;
    private readonly SemaphoreSlim _writing = new(1, 1);
    private byte[] _buffer = new byte[FirstBuffer];
    private int _start;
    private int _end;
    private long _lastRead = Environment.TickCount64;

    /// <summary>A transport over a connection.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="stream">The stream over it.</param>
    /// <param name="onStuck">Called if the peer accepts no more bytes within the time for a frame.</param>
    public AmqpTransport(Socket socket, Stream stream, Action onStuck)
    {
        _socket = socket;
        _stream = stream;
        _onStuck = onStuck;
    }

    /// <summary>The time since the last input.</summary>
    public long SilentMilliseconds => Environment.TickCount64 - Interlocked.Read(ref _lastRead);

    /// <summary>A frame; its bytes are valid until the next read.</summary>
    /// <param name="isSasl">Whether it belongs to authentication.</param>
    /// <param name="channel">Its channel.</param>
    /// <param name="body">Its body; empty in a heartbeat.</param>
    public readonly ref struct Frame(bool isSasl, ushort channel, ReadOnlySpan<byte> body)
    {
        public bool IsSasl { get; } = isSasl;

        public ushort Channel { get; } = channel;

        public ReadOnlySpan<byte> Body { get; } = body;
    }

    /// <summary>Reads the eight-byte protocol header, and fails unless it is the expected one.</summary>
    public void ReadHeader(ReadOnlySpan<byte> expected, string address)
    {
        while (_end - _start < HeaderSize && Fill(HeaderSize))
        {
        }
        ReadOnlySpan<byte> bytes = _buffer.AsSpan(_start, Math.Min(HeaderSize, _end - _start));
        if (bytes.Length < HeaderSize && expected.StartsWith(bytes))
        {
            throw new CreoException(ErrorCode.Unavailable, $"the broker at {address} closed the connection before it said which protocol it speaks");
        }
        if (!bytes.SequenceEqual(expected))
        {
            string what = bytes.StartsWith("AMQP"u8)
                ? $"the broker at {address} speaks another form of AMQP: {Convert.ToHexString(bytes[4..])} where {Convert.ToHexString(expected[4..])} must be"
                : $"{address} does not speak AMQP 1.0: {Protocol.LooksLike(bytes)}";
            throw new CreoException(ErrorCode.ProtocolMismatch, what);
        }
        _start += HeaderSize;
    }

    /// <summary>Reads the next frame, without a time limit.</summary>
    /// <exception cref="EndOfStreamException">The peer closed the connection.</exception>
    public Frame ReadFrame()
    {
        while (_end - _start < HeaderSize)
        {
            if (!Fill(HeaderSize))
            {
                throw new EndOfStreamException("the broker closed the connection");
            }
        }
        uint size = BinaryPrimitives.ReadUInt32BigEndian(_buffer.AsSpan(_start));
        int offset = 4 * _buffer[_start + 4];
        byte type = _buffer[_start + 5];
        ushort channel = BinaryPrimitives.ReadUInt16BigEndian(_buffer.AsSpan(_start + 6));
        if (size > MaxFrame)
        {
            throw Amqp.Malformed($"a frame of {size} bytes, where {MaxFrame} were allowed");
        }
        if (offset < HeaderSize || offset > size || type > 1)
        {
            throw Amqp.Malformed("the header of a frame that is none");
        }
        while (_end - _start < size)
        {
            if (!Fill((int)size))
            {
                throw new EndOfStreamException("the broker closed the connection within a frame");
            }
        }
        ReadOnlySpan<byte> body = _buffer.AsSpan(_start + offset, (int)size - offset);
        _start += (int)size;
        return new Frame(type == 1, channel, body);
    }

    /// <summary>Writes whole frames.</summary>
    /// <param name="frames">The frames.</param>
    /// <param name="waits">Whether to write on the calling thread; it is then done when this returns.</param>
    /// <param name="cancellation">Ends the wait for other writers; partly written frames are completed, or the connection ends.</param>
    /// <exception cref="OperationCanceledException">Nothing was written.</exception>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> frames, bool waits, CancellationToken cancellation)
    {
        if (waits)
        {
            _writing.Wait(cancellation);
        }
        else
        {
            await _writing.WaitAsync(cancellation).ConfigureAwait(false);
        }
        try
        {
            if (waits)
            {
                // A blocking write takes no token: closing the stream ends it.
                using var stuck = new Timer(static state => ((AmqpTransport)state!)._onStuck(), this, Timeout.Infinite, Timeout.Infinite);
                using CancellationTokenRegistration ending = cancellation.Register(static state => ((Timer)state!).Change(GraceMilliseconds, Timeout.Infinite), stuck);
                _stream.Write(frames.Span);
            }
            else
            {
                await WriteAsync(frames, cancellation).ConfigureAwait(false);
            }
        }
        finally
        {
            _writing.Release();
        }
    }

    /// <summary>Writes the last frames, if other writers and the peer allow it, and closes the connection.</summary>
    public void Close(ReadOnlySpan<byte> farewell)
    {
        if (farewell.Length > 0 && _writing.Wait(FarewellMilliseconds))
        {
            try
            {
                _socket.SendTimeout = FarewellMilliseconds;
                _stream.Write(farewell);
            }
            catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
            {
                // The connection is already lost.
            }
            finally
            {
                _writing.Release();
            }
        }
        Dispose();
    }

    public void Dispose()
    {
        _stream.Dispose();
        _socket.Dispose();
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> frames, CancellationToken cancellation)
    {
        ValueTask write = _stream.WriteAsync(frames, CancellationToken.None);
        if (write.IsCompletedSuccessfully)
        {
            write.GetAwaiter().GetResult();
            return;
        }
        Task task = write.AsTask();
        try
        {
            await task.WaitAsync(cancellation).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            if (await Task.WhenAny(task, Task.Delay(GraceMilliseconds, CancellationToken.None)).ConfigureAwait(false) != task)
            {
                _onStuck();
            }
            // The memory is returned to the caller only after the write has ended.
            await task.ConfigureAwait(false);
        }
    }

    // Reads available input, or waits for some; false at the end. Memory grows with the input.
    private bool Fill(int wanted)
    {
        if (_start + wanted > _buffer.Length)
        {
            Buffer.BlockCopy(_buffer, _start, _buffer, 0, _end - _start);
            (_start, _end) = (0, _end - _start);
        }
        if (_end == _buffer.Length)
        {
            Array.Resize(ref _buffer, Math.Min(2 * _buffer.Length, MaxFrame));
        }
        int count = _stream.Read(_buffer, _end, _buffer.Length - _end);
        _end += count;
        Interlocked.Exchange(ref _lastRead, Environment.TickCount64);
        return count > 0;
    }
}
