using System;
using System.Buffers.Binary;
using Creo.Calls;

namespace Creo.Tcp;

/// <summary>What the frames of a connection tell its owner.</summary>
internal interface IIncomingEvents
{
    /// <summary>Whether a call is under way that waits for an answer; the answers of others are dropped.</summary>
    bool IsAwaited(uint call);

    void OnAnswer(uint call, Answer answer);

    /// <summary>An answer that cannot be kept.</summary>
    void OnFailure(uint call, CreoException failure);

    /// <summary>The whole connection failed at the peer's side: an error frame without a call.</summary>
    void OnConnectionError(Answer answer);

    void OnPing(uint number);

    void OnGoodbye();
}

/// <summary>Takes the bytes of a connection apart into answers, however they arrive: whoever reads them drives it.</summary>
internal sealed class Incoming : IDisposable
{
    private const int BufferSize = 32 * 1024;

    private readonly IIncomingEvents _events;
    private readonly Limits _limits;
    private readonly string _peer;
    private readonly byte[] _buffer = new byte[BufferSize];
    private int _start;
    private int _end;

    // The chain under way: its call, its body unless it is dropped, and what is left of its present frame.
    private bool _inChain;
    private uint _chainCall;
    private Answer? _chainBody;
    private long _chainSize;
    private bool _chainGoesOn;
    private bool _isTooLarge;
    private int _frameLeft;
    private bool _direct;

    /// <summary>The bytes of a connection to <paramref name="peer"/>, as messages call the other side.</summary>
    public Incoming(IIncomingEvents events, Limits limits, string peer)
    {
        _events = events;
        _limits = limits;
        _peer = peer;
    }

    /// <summary>Whether the peer's preamble has come.</summary>
    public bool HasPreamble { get; private set; }

    /// <summary>Whether the peer reads compressed bodies.</summary>
    public bool PeerReadsCompressed { get; private set; }

    /// <summary>When the first byte of the chain under way came, as a deadline for its last.</summary>
    public Deadline ChainDeadline { get; private set; } = Deadline.None;

    /// <summary>Where the next bytes go.</summary>
    public Memory<byte> Room()
    {
        // A large body goes from the socket to its place, without a stop in the buffer.
        _direct = _start == _end && _chainBody is not null && _frameLeft >= BufferSize;
        if (_direct)
        {
            return _chainBody!.Room(_frameLeft);
        }
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }
        return _buffer.AsMemory(_end);
    }

    /// <summary>Bytes have come to the start of the room.</summary>
    public void Advance(int count)
    {
        if (_direct)
        {
            _chainBody!.Commit(count);
            TakeFromFrame(count);
        }
        else
        {
            _end += count;
        }
        while (ParseNext())
        {
        }
    }

    /// <summary>The failure for a connection that ends here.</summary>
    public CreoException Closed() => HasPreamble
        ? new CreoException(ErrorCode.Unavailable, $"{_peer} closed the connection")
        : Protocol.ClosedEarly(_buffer.AsSpan(_start, _end - _start), _peer);

    public void Dispose()
    {
        _chainBody?.Dispose();
        _chainBody = null;
    }

    private bool ParseNext()
    {
        ReadOnlySpan<byte> bytes = _buffer.AsSpan(_start, _end - _start);
        if (_frameLeft > 0)
        {
            int count = Math.Min(bytes.Length, _frameLeft);
            if (count == 0)
            {
                return false;
            }
            Keep(bytes[..count]);
            _start += count;
            TakeFromFrame(count);
            return true;
        }
        if (!HasPreamble)
        {
            if (Protocol.MayBecomePreamble(bytes))
            {
                return false;
            }
            PeerReadsCompressed = Protocol.CheckPreamble(bytes, _peer);
            HasPreamble = true;
            _start += Protocol.PreambleSize;
            return true;
        }
        if (bytes.Length < Protocol.HeaderSize)
        {
            return false;
        }
        uint length = BinaryPrimitives.ReadUInt32BigEndian(bytes);
        if (length is < Protocol.MinLength or > int.MaxValue)
        {
            throw Protocol.Malformed($"a frame of {length} bytes");
        }
        _start += Protocol.HeaderSize;
        Begin((FrameKind)bytes[4], (FrameFlags)bytes[5], BinaryPrimitives.ReadUInt32BigEndian(bytes[6..]), (int)length - Protocol.MinLength);
        return true;
    }

    private void Begin(FrameKind kind, FrameFlags flags, uint call, int size)
    {
        FrameFlags known = kind switch
        {
            FrameKind.Response or FrameKind.Exception or FrameKind.Error => FrameFlags.More | FrameFlags.Compressed,
            FrameKind.Data => FrameFlags.More,
            _ => FrameFlags.None,
        };
        if ((flags & ~known) != 0)
        {
            throw Protocol.Malformed($"flags {(byte)flags:x2} on a frame of kind {(byte)kind}");
        }
        switch (kind)
        {
            case FrameKind.Response or FrameKind.Exception or FrameKind.Error:
                if (_inChain)
                {
                    throw Protocol.Malformed("an answer within another");
                }
                _inChain = true;
                _chainCall = call;
                _chainSize = 0;
                bool awaited = _events.IsAwaited(call) || (kind == FrameKind.Error && call == 0);
                _chainBody = awaited ? new Answer(kind, flags.HasFlag(FrameFlags.Compressed), _limits) : null;
                ChainDeadline = Deadline.In(_limits.FrameTimeout);
                Continue(flags, size);
                break;
            case FrameKind.Data:
                if (!_inChain || call != _chainCall)
                {
                    throw Protocol.Malformed("a data frame without a chain");
                }
                Continue(flags, size);
                break;
            case FrameKind.Cancel or FrameKind.Ping or FrameKind.Pong or FrameKind.Goodbye:
                if (size > 0)
                {
                    throw Protocol.Malformed($"bytes after the end of a frame of kind {(byte)kind}");
                }
                Control(kind, call);
                break;
            default:
                throw Protocol.Malformed($"a frame of kind {(byte)kind}");
        }
    }

    private void Control(FrameKind kind, uint call)
    {
        switch (kind)
        {
            case FrameKind.Ping:
                _events.OnPing(call);
                break;
            case FrameKind.Goodbye:
                _events.OnGoodbye();
                break;
            case FrameKind.Cancel when _inChain && call == _chainCall:
                // The chain is given up, not the call: its answer follows (TCP-6).
                Dispose();
                _inChain = _isTooLarge = false;
                ChainDeadline = Deadline.None;
                break;
        }
    }

    private void Continue(FrameFlags flags, int size)
    {
        _chainGoesOn = flags.HasFlag(FrameFlags.More);
        _frameLeft = size;
        _chainSize += size;
        if (_chainSize > 2L * _limits.MaxMessageSize)
        {
            throw CreoException.AnswerTooLarge(_limits);
        }
        if (_chainSize > _limits.MaxBody && _chainBody is not null)
        {
            // Its call hears of it when the chain has ended: before that nobody knows whether the connection goes on (TCP-7).
            Dispose();
            _isTooLarge = true;
        }
        TakeFromFrame(0);
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        while (_chainBody is not null && bytes.Length > 0)
        {
            Span<byte> room = _chainBody.Room(Math.Max(_frameLeft, bytes.Length)).Span;
            int count = Math.Min(room.Length, bytes.Length);
            bytes[..count].CopyTo(room);
            _chainBody.Commit(count);
            bytes = bytes[count..];
        }
    }

    private void TakeFromFrame(int count)
    {
        _frameLeft -= count;
        if (_frameLeft > 0 || _chainGoesOn)
        {
            return;
        }
        _inChain = false;
        ChainDeadline = Deadline.None;
        Answer? body = _chainBody;
        _chainBody = null;
        if (_isTooLarge)
        {
            _isTooLarge = false;
            _events.OnFailure(_chainCall, CreoException.AnswerTooLarge(_limits));
        }
        if (body is null)
        {
            return;
        }
        if (_chainCall == 0)
        {
            _events.OnConnectionError(body);
        }
        else
        {
            _events.OnAnswer(_chainCall, body);
        }
    }
}
