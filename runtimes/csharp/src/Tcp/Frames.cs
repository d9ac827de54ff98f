using System;
using System.Buffers.Binary;
using System.Text;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>The kinds of frames (TCP, section 2).</summary>
internal enum FrameKind : byte
{
    Request = 1,
    Response = 2,
    Exception = 3,
    Error = 4,
    Data = 5,
    Cancel = 6,
    Ping = 7,
    Pong = 8,
    Goodbye = 9,
    Items = 10,
    Credit = 11,
}

/// <summary>The flags of frames.</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,
    More = 1,
    Compressed = 2,
    Metadata = 4,
    End = 8,
}

/// <summary>The fixed bytes of the protocol.</summary>
internal static partial class Protocol
{
    public const int PreambleSize = 8;

    /// <summary>Length, kind, flags and call id.</summary>
    public const int HeaderSize = 10;

    /// <summary>The bytes before the body that a frame's length includes: kind, flags and call id.</summary>
    public const int MinLength = 6;

    /// <summary>The size of the number in a credit frame.</summary>
    public const int CreditSize = 4;

    private const byte Version = 1;
    private const byte ReadsCompressed = 1;
    private const byte ReadsMetadata = 2;

    // The offset of the wire in the preamble (TCP-1).
    private const int WireAt = 6;

    /// <summary>What this side sends first: it reads compressed bodies and metadata of answers, and speaks a wire.</summary>
    public static void PutPreamble(Span<byte> target, Wire wire)
    {
        ReadOnlySpan<byte> preamble = [(byte)'C', (byte)'R', (byte)'E', (byte)'O', Version, ReadsCompressed | ReadsMetadata, 0, 0];
        preamble.CopyTo(target);
        target[WireAt] = (byte)wire;
    }

    public static void PutHeader(Span<byte> target, int bodySize, FrameKind kind, FrameFlags flags, uint call)
    {
        BinaryPrimitives.WriteInt32BigEndian(target, MinLength + bodySize);
        target[4] = (byte)kind;
        target[5] = (byte)flags;
        BinaryPrimitives.WriteUInt32BigEndian(target[6..], call);
    }

    /// <summary>A frame without a body.</summary>
    public static byte[] ControlFrame(FrameKind kind, uint call)
    {
        byte[] frame = new byte[HeaderSize];
        PutHeader(frame, 0, kind, FrameFlags.None, call);
        return frame;
    }

    /// <summary>Whether more bytes are needed to identify the protocol (TCP-2): other protocols may send less than a preamble.</summary>
    public static bool MayBecomePreamble(ReadOnlySpan<byte> bytes) =>
        bytes.Length < PreambleSize && (bytes.Length < 4 || (bytes.StartsWith("CREO"u8) && (bytes.Length < 5 || bytes[4] == Version)));

    /// <summary>Checks the peer's first bytes, and returns whether it reads compressed bodies (TCP-2).</summary>
    public static bool CheckPreamble(ReadOnlySpan<byte> bytes, string peer)
    {
        if (!bytes.StartsWith("CREO"u8))
        {
            throw Mismatch($"{peer} does not speak creo: {LooksLike(bytes)}");
        }
        if (bytes[4] != Version)
        {
            throw Mismatch($"{peer} speaks version {bytes[4]} of creo's protocol, this side version {Version}");
        }
        return (bytes[5] & ReadsCompressed) != 0;
    }

    /// <summary>The error for a server that sends no preamble (TCP-19).</summary>
    public static CreoException NoPreamble(string peer, TimeSpan time) => Mismatch(
        $"{peer} accepted the connection, but did not answer with the preamble of creo within {(long)time.TotalMilliseconds} ms; perhaps the port speaks HTTP or TLS")
        .With("peer", peer);

    /// <summary>The error for a peer that closed the connection before its preamble.</summary>
    public static CreoException ClosedEarly(ReadOnlySpan<byte> bytes, string peer)
    {
        if (bytes.Length == 0)
        {
            return new CreoException(ErrorCode.Unavailable, $"{peer} closed the connection before it said which protocol it speaks");
        }
        return bytes.StartsWith("CREO"u8) || "CREO"u8.StartsWith(bytes)
            ? new CreoException(ErrorCode.Unavailable, $"{peer} closed the connection within its first bytes")
            : Mismatch($"{peer} does not speak creo: {LooksLike(bytes)}");
    }

    /// <summary>The error of the calls in progress when a connection is lost.</summary>
    public static CreoException Lost(string peer, string reason, Exception? e) =>
        new CreoException(ErrorCode.Unavailable, $"the connection to {peer} was lost: {reason}", e).With("peer", peer);

    public static CreoException Malformed(string text) => new(ErrorCode.Malformed, "the peer broke the protocol: " + text);

    private static CreoException Mismatch(string text) => new(ErrorCode.ProtocolMismatch, text);

    // The protocol of the first bytes.
    internal static string LooksLike(ReadOnlySpan<byte> bytes)
    {
        if (bytes.StartsWith("HTTP"u8) || IsHttpMethod(bytes))
        {
            return "it looks like HTTP";
        }
        if (bytes.Length >= 2 && bytes[0] is 0x15 or 0x16 && bytes[1] == 0x03)
        {
            return "it looks like TLS";
        }
        var text = new StringBuilder("its first bytes are");
        foreach (byte b in bytes[..Math.Min(bytes.Length, PreambleSize)])
        {
            text.Append(' ').Append(b.ToString("x2", null));
        }
        return text.ToString();
    }

    private static bool IsHttpMethod(ReadOnlySpan<byte> bytes)
    {
        string start = Encoding.ASCII.GetString(bytes[..Math.Min(bytes.Length, 4)]);
        return start is "GET " or "POST" or "HEAD" or "PUT " or "DELE" or "OPTI" or "PATC" or "CONN" or "TRAC";
    }
}

/// <summary>The streams of one call, for its connection. This is a call without streams, for which the peer sends no items and no credit (TCP-33).</summary>
internal class CallFlow
{
    protected CallFlow()
    {
    }

    /// <summary>That of a call without streams.</summary>
    public static CallFlow None { get; } = new();

    /// <summary>The header of an items frame has come.</summary>
    /// <param name="size">The bytes of its body.</param>
    /// <exception cref="CreoException">The peer must not send it (TCP-33).</exception>
    public virtual void Expect(int size) => throw Protocol.Malformed("items of a call without a stream of results");

    /// <summary>The body of an expected items frame has come.</summary>
    public virtual void Arrive(AnswerBody frame) => frame.Dispose();

    /// <summary>The peer gives credit.</summary>
    /// <exception cref="CreoException">It must not (TCP-33).</exception>
    public virtual void AddCredit(uint bytes) => throw Protocol.Malformed("credit for a call that sends no stream");

    /// <summary>The call has ended. What has arrived can still be taken.</summary>
    public virtual void End()
    {
    }
}

/// <summary>The events of a connection's frames for its owner.</summary>
internal interface IIncomingEvents
{
    /// <summary>The streams of a call that waits for its answer; null if no such call does: what comes for it is dropped.</summary>
    CallFlow? FlowOf(uint call);

    void OnAnswer(uint call, AnswerBody answer);

    /// <summary>An answer, or items of a call, that were refused.</summary>
    void OnFailure(uint call, CreoException failure);

    /// <summary>The peer reported a failure of the whole connection: an error frame without a call.</summary>
    void OnConnectionError(AnswerBody answer);

    void OnPing(uint number);

    void OnGoodbye();
}

/// <summary>Splits the bytes of a connection into answers, in any portions; driven by the code that reads them.</summary>
internal sealed class Incoming : IDisposable
{
    private const int BufferSize = 32 * 1024;

    private readonly IIncomingEvents _events;
    private readonly Limits _limits;
    private readonly string _peer;
    private readonly byte[] _buffer = new byte[BufferSize];
    private int _start;
    private int _end;

    // The current fragmented message, or items: its call, its body unless it is dropped, and the rest of its current frame.
    private bool _inChain;
    private CallFlow? _chainFlow;
    private uint _chainCall;
    private AnswerBody? _chainBody;
    private long _chainSize;
    private long _chainMax;
    private bool _chainGoesOn;
    private bool _isTooLarge;
    private int _frameLeft;
    private bool _direct;

    // The number of a credit frame.
    private uint _credit;

    /// <summary>The bytes of a connection to <paramref name="peer"/>, its name in messages.</summary>
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

    /// <summary>The deadline for the last byte of the current message, from its first byte.</summary>
    public Deadline ChainDeadline { get; private set; } = Deadline.None;

    /// <summary>The memory for the next bytes.</summary>
    public Memory<byte> Room()
    {
        // A large body is read directly to its destination, without the buffer.
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

    /// <summary>Notes that bytes were written to the start of the room.</summary>
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

    /// <summary>The error if the connection ends here.</summary>
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
        if ((FrameKind)bytes[4] == FrameKind.Credit && length == Protocol.MinLength + Protocol.CreditSize)
        {
            if (bytes.Length < Protocol.HeaderSize + Protocol.CreditSize)
            {
                return false;
            }
            _credit = BinaryPrimitives.ReadUInt32BigEndian(bytes[Protocol.HeaderSize..]);
            _start += Protocol.CreditSize;
        }
        _start += Protocol.HeaderSize;
        Begin((FrameKind)bytes[4], (FrameFlags)bytes[5], BinaryPrimitives.ReadUInt32BigEndian(bytes[6..]), (int)length - Protocol.MinLength);
        return true;
    }

    private void Begin(FrameKind kind, FrameFlags flags, uint call, int size)
    {
        FrameFlags known = kind switch
        {
            // TCP-23: an error about the connection has no metadata.
            FrameKind.Error when call == 0 => FrameFlags.More | FrameFlags.Compressed,
            FrameKind.Response or FrameKind.Exception or FrameKind.Error => FrameFlags.More | FrameFlags.Compressed | FrameFlags.Metadata,
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
                // Metadata are not of the body (TCP-7).
                _chainMax = (long)_limits.MaxBody + (flags.HasFlag(FrameFlags.Metadata) ? _limits.MaxMetadataSize : 0);
                bool awaited = _events.FlowOf(call) is not null || (kind == FrameKind.Error && call == 0);
                Start(call, awaited ? new AnswerBody(kind, flags, size, _limits) : null, null);
                Continue(flags, size);
                break;
            case FrameKind.Items:
                if (_inChain)
                {
                    throw Protocol.Malformed("items within an answer");
                }
                if (size == 0)
                {
                    throw Protocol.Malformed("items without a body");
                }
                _chainMax = _limits.MaxBody;
                CallFlow? flow = _events.FlowOf(call);
                flow?.Expect(size);
                Start(call, flow is null ? null : new AnswerBody(kind, flags, size, _limits), flow);
                Continue(flags, size);
                break;
            case FrameKind.Credit:
                if (_inChain || size != Protocol.CreditSize)
                {
                    throw Protocol.Malformed(_inChain ? "credit within an answer" : $"a credit frame of {size} bytes");
                }
                _events.FlowOf(call)?.AddCredit(_credit);
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

    private void Start(uint call, AnswerBody? body, CallFlow? flow)
    {
        (_inChain, _chainCall, _chainSize, _chainBody, _chainFlow) = (true, call, 0, body, flow);
        ChainDeadline = Deadline.In(_limits.FrameTimeout);
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
                // The message is abandoned, not the call: its answer follows (TCP-6).
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
        if (_chainSize > _chainMax && _chainBody is not null)
        {
            // The call fails when the message has ended: until then it is unknown whether the connection can continue (TCP-7).
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
        AnswerBody? body = _chainBody;
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
        if (_chainFlow is not null)
        {
            _chainFlow.Arrive(body);
        }
        else if (_chainCall == 0)
        {
            _events.OnConnectionError(body);
        }
        else
        {
            _events.OnAnswer(_chainCall, body);
        }
    }
}
