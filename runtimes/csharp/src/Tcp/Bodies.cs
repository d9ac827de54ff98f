using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Numerics;
using System.Text;
using Creo.Net;

namespace Creo.Tcp;

/// <summary>A request as frames: the body is encoded once, after room for the first header, and sent from there.</summary>
internal sealed class Outgoing : IDisposable
{
    /// <summary>The max size of a body in one frame: a cancelled call then does not occupy the connection for long.</summary>
    private const int FrameBody = 256 * 1024;

    // After the header: method id and timeout.
    private const int MethodAt = Protocol.PreambleSize + Protocol.HeaderSize;
    private const int DeadlineAt = MethodAt + 8;
    private const int FixedSize = DeadlineAt + 4;

    private readonly Writer _writer;
    private byte[] _buffer = [];
    private int _bodyStart;
    private int _position;
    private int _end;
    private FrameFlags _flags;
    private uint _call;

    // The wire of the body, if not binary.
    private readonly BodyWire? _wire;

    public Outgoing(BodyWire? wire, Limits limits)
    {
        _writer = new Writer(limits);
        _wire = wire;
    }

    /// <summary>Whether a connection still writes it although its call has ended: the connection disposes of it, and it is not used again.</summary>
    public bool IsHeld { get; set; }

    /// <summary>The size of the body.</summary>
    public int BodySize => _end - _bodyStart;

    /// <summary>The body, before it is sent: frames are written into its memory.</summary>
    public ReadOnlyMemory<byte> Body => _buffer.AsMemory(_bodyStart, BodySize);

    /// <summary>Encodes a request; if that fails, nothing is sent.</summary>
    public void Encode<TArguments, TResult>(
        Method<TArguments, TResult> method, TArguments arguments, IReadOnlyDictionary<string, string>? metadata)
    {
        _writer.Clear();
        Span<byte> head = _writer.Head(FixedSize);
        Protocol.PutPreamble(head, _wire?.Wire ?? Wire.Binary);
        BinaryPrimitives.WriteUInt64BigEndian(head[MethodAt..], method.Id);
        _flags = FrameFlags.None;
        if (metadata is not null)
        {
            _flags |= FrameFlags.Metadata;
            CallOptions.WriteMetadata(_writer, metadata, _writer.Limits);
        }
        _writer.StartHere();
        _bodyStart = _writer.Position;
        if (_wire is null)
        {
            Binary.Encode(_writer, arguments, method.EncodeArguments, method.Parameters, "$");
        }
        else
        {
            _wire.Write(_writer, method, arguments);
        }
        _buffer = _writer.Buffer;
        _end = _writer.Position;
    }

    /// <summary>Compresses the body, if that makes it smaller.</summary>
    public void Compress()
    {
        using var compressed = new MemoryStream();
        using (var stream = new ZLibStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            stream.Write(_buffer, _bodyStart, BodySize);
        }
        if (compressed.Length >= BodySize)
        {
            return;
        }
        compressed.Position = 0;
        _end = _bodyStart + compressed.Read(_buffer, _bodyStart, (int)compressed.Length);
        _flags |= FrameFlags.Compressed;
    }

    /// <summary>Prepares the first frame for a call id of the connection.</summary>
    public void Start(uint call, Deadline deadline, bool withPreamble)
    {
        _call = call;
        BinaryPrimitives.WriteInt32BigEndian(_buffer.AsSpan(DeadlineAt), deadline.MillisecondsLeft());
        _position = withPreamble ? 0 : Protocol.PreambleSize;
    }

    /// <summary>Whether there are more frames to send.</summary>
    public bool HasMore => _position < _end;

    /// <summary>The next frame. The previous one must have been sent, since its memory is reused.</summary>
    public ReadOnlyMemory<byte> Next()
    {
        bool first = _position <= Protocol.PreambleSize;
        int bodyFrom = first ? _bodyStart : _position;
        int bodyTo = (int)Math.Min((long)bodyFrom + FrameBody, _end);
        FrameFlags more = bodyTo < _end ? FrameFlags.More : FrameFlags.None;
        // The header of a later frame overwrites body bytes that were already sent.
        int header = first ? Protocol.PreambleSize : bodyFrom - Protocol.HeaderSize;
        int from = first ? _position : header;
        int size = bodyTo - header - Protocol.HeaderSize;
        Protocol.PutHeader(_buffer.AsSpan(header), size, first ? FrameKind.Request : FrameKind.Data, (first ? _flags : FrameFlags.None) | more, _call);
        _position = bodyTo;
        return _buffer.AsMemory(from, bodyTo - from);
    }

    /// <summary>Prepares for the next request: keeps the memory unless it is large.</summary>
    public void Reset()
    {
        const int kept = 1 << 20;
        if (_writer.Buffer.Length > kept)
        {
            _writer.Dispose();
        }
        _buffer = [];
        _end = _bodyStart = _position = 0;
    }

    public void Dispose() => _writer.Dispose();
}

/// <summary>The body of an answer, in memory that grows as its bytes arrive (LIM-3). Disposing returns the memory.</summary>
internal sealed class AnswerBody : IDisposable
{
    private readonly Limits _limits;
    private readonly int _first;
    private byte[] _buffer = [];

    // Where the body begins in the buffer: after the metadata, once they were taken.
    private int _start;
    private int _end;

    /// <summary>An answer as the header of its first frame has it.</summary>
    /// <param name="kind">What the frame is.</param>
    /// <param name="flags">Its flags.</param>
    /// <param name="first">How many bytes it has.</param>
    /// <param name="limits">What is taken at most.</param>
    public AnswerBody(FrameKind kind, FrameFlags flags, int first, Limits limits)
    {
        Kind = kind;
        IsCompressed = flags.HasFlag(FrameFlags.Compressed);
        _first = first;
        HasMetadata = flags.HasFlag(FrameFlags.Metadata);
        _limits = limits;
    }

    public FrameKind Kind { get; }

    public bool IsCompressed { get; private set; }

    /// <summary>Whether metadata come before the body, and were not taken yet.</summary>
    public bool HasMetadata { get; private set; }

    public int Length => _end - _start;

    public ReadOnlySpan<byte> Body => _buffer.AsSpan(_start, Length);

    /// <summary>The same, in memory that is free when this is disposed.</summary>
    public ReadOnlyMemory<byte> Memory => _buffer.AsMemory(_start, Length);

    /// <summary>Memory for the next bytes; the peer claims <paramref name="claimed"/> of them.</summary>
    public Memory<byte> Room(int claimed)
    {
        if (_buffer.Length == _end)
        {
            // A claim is allocated at once up to the trusted size; beyond that, memory grows with the input.
            long allowed = Math.Min(_limits.TrustedAllocation + 2L * _end, Array.MaxLength);
            long wanted = _end + (long)claimed;
            if (wanted > allowed)
            {
                // The pool rounds up to a power of two.
                wanted = Math.Max(1L << BitOperations.Log2((ulong)allowed), _end + 1);
            }
            byte[] larger = ArrayPool<byte>.Shared.Rent((int)wanted);
            _buffer.AsSpan(0, _end).CopyTo(larger);
            Dispose();
            _buffer = larger;
        }
        return _buffer.AsMemory(_end, Math.Min(_buffer.Length - _end, claimed));
    }

    /// <summary>The first bytes of the room were filled.</summary>
    public void Commit(int count) => _end += count;

    /// <summary>Takes the metadata from before the body: they are within the first frame (TCP-23).</summary>
    public void TakeMetadata(AnswerMetadata metadata)
    {
        if (HasMetadata)
        {
            metadata.Read(_buffer.AsSpan(0, _first), out _start);
            HasMetadata = false;
        }
    }

    /// <summary>Replaces the compressed body by the uncompressed one.</summary>
    public void Decompress()
    {
        if (!IsCompressed)
        {
            return;
        }
        using var plain = new AnswerBody(Kind, FrameFlags.None, 0, _limits);
        using var source = new CompressedBody(_buffer, _start, Length);
        try
        {
            using var stream = new ZLibStream(source, CompressionMode.Decompress, leaveOpen: true);
            while (true)
            {
                Memory<byte> room = plain.Room(64 * 1024);
                int count = stream.Read(room.Span);
                if (count == 0)
                {
                    break;
                }
                plain.Commit(count);
                if (plain.Length > _limits.MaxBody)
                {
                    throw CreoException.AnswerTooLarge(_limits);
                }
            }
        }
        catch (Exception e) when (e is InvalidDataException or IOException)
        {
            // The platform reports some defects of a stream, such as a missing dictionary, by its own exception.
            throw NotOneStream(e);
        }
        if (!source.EndsWith(Adler32(plain.Body)))
        {
            throw NotOneStream(null);
        }
        (_buffer, plain._buffer) = (plain._buffer, _buffer);
        (_start, _end) = (0, plain._end);
        IsCompressed = false;
    }

    private static CreoException NotOneStream(Exception? e) => new(ErrorCode.Malformed, "the compressed answer is not one zlib stream", e);

    // RFC 1950, section 9.
    private static uint Adler32(ReadOnlySpan<byte> bytes)
    {
        const uint modulus = 65521;
        // This many bytes do not overflow the sums.
        const int run = 5552;
        uint a = 1;
        uint b = 0;
        while (bytes.Length > 0)
        {
            int count = Math.Min(bytes.Length, run);
            foreach (byte next in bytes[..count])
            {
                a += next;
                b += a;
            }
            a %= modulus;
            b %= modulus;
            bytes = bytes[count..];
        }
        return (b << 16) | a;
    }

    public void Dispose()
    {
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }
}

/// <summary>Decodes answers for the called method.</summary>
internal static class Answers
{
    // The charge of an entry of two texts (LIM-18).
    private const int DetailCharge = 64 + 32 + 32;

    private static readonly Layout NoResult = Layout.Struct("void", static () => []);

    private static readonly Layout ErrorLayout = Layout.Struct(
        "error",
        static () =>
        [
            new("number", Layout.Byte, 0, true),
            new("message", Layout.String, 1, true),
            new("details", Layout.Map(Layout.String, Layout.String), 2, true),
        ]);

    /// <summary>The result or exception of an answer.</summary>
    public static TResult Read<TArguments, TResult>(AnswerBody answer, Method<TArguments, TResult> method, BodyWire? wire, Limits limits, string peer)
    {
        answer.Decompress();
        if (answer.Length > limits.MaxBody)
        {
            throw CreoException.AnswerTooLarge(limits);
        }
        if (wire is not null && answer.Kind is FrameKind.Response or FrameKind.Exception)
        {
            return wire.Read(answer, method, limits);
        }
        return Read(answer.Kind, answer.Body, method, limits, peer);
    }

    /// <summary>The result or exception of a body on the binary wire.</summary>
    public static TResult Read<TArguments, TResult>(FrameKind kind, ReadOnlySpan<byte> body, Method<TArguments, TResult> method, Limits limits, string peer) =>
        kind switch
        {
            FrameKind.Response => Binary.Decode(body, method.DecodeResult, method.Result ?? NoResult, limits, "$result"),
            FrameKind.Exception => throw ReadException(body, method, limits),
            _ => throw ReadError(body, limits, peer, method.Service, method.Name),
        };

    /// <summary>The error of an answer.</summary>
    public static CreoException ReadError(AnswerBody answer, Limits limits, string peer)
    {
        answer.Decompress();
        return ReadError(answer.Body, limits, peer, null, "");
    }

    private static CreoException ReadError(ReadOnlySpan<byte> body, Limits limits, string peer, ServiceInfo? service, string method)
    {
        (byte number, string message, ValueMap<string, string> details) = Binary.Decode(body, DecodeError, ErrorLayout, limits, "$error");
        ErrorCode code = number is >= 1 and <= 12 ? (ErrorCode)number : ErrorCode.Internal;
        if (code == ErrorCode.Internal && number != (int)ErrorCode.Internal)
        {
            message = $"an error of the unknown number {number}: {message}";
        }
        else if (code == ErrorCode.UnknownMethod && service is not null)
        {
            message = ExplainUnknown(message, service, method, details);
        }
        var all = new Dictionary<string, string>(details) { ["peer"] = peer };
        return CreoException.OfPeer(code, message, all);
    }

    private static DeclaredException ReadException<TArguments, TResult>(ReadOnlySpan<byte> body, Method<TArguments, TResult> method, Limits limits)
    {
        const string root = "$exception";
        Layout layout = NoResult;
        int start = 0;
        try
        {
            var reader = new Reader(body, limits);
            int index = reader.ReadNumber();
            if (index >= method.Throws.Count)
            {
                throw new CreoException(ErrorCode.Malformed, $"{method} declares no exception of index {index}", root, 0);
            }
            start = reader.Position;
            layout = method.Throws[index].Layout;
            DeclaredException exception = method.Throws[index].Decode(ref reader);
            reader.ReadEnd();
            return exception;
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw Locator.InBytes(error, layout, body, limits, root, start);
        }
    }

    private static (byte Number, string Message, ValueMap<string, string> Details) DecodeError(ref Reader reader)
    {
        byte number = reader.ReadByte();
        string message = reader.ReadString();
        var details = new KeyValuePair<string, string>[reader.ReadCount(2, DetailCharge)];
        for (int i = 0; i < details.Length; i++)
        {
            string key = reader.ReadString();
            details[i] = new(key, reader.ReadString());
        }
        return (number, message, Reader.ToMap(details));
    }

    // ERR-5: both sides' fingerprints, which show that the descriptions differ.
    private static string ExplainUnknown(string message, ServiceInfo service, string method, ValueMap<string, string> details)
    {
        var text = new StringBuilder(message);
        text.Append(CultureInfo.InvariantCulture, $"; called was {service.Name}.{method}, fingerprint {service.Fingerprint:x16}; the server offers ");
        bool any = false;
        bool same = false;
        foreach (KeyValuePair<string, string> entry in details)
        {
            if (entry.Key is "place" or "offset" or "limit" or "allowed" or "peer" or "started")
            {
                continue;
            }
            text.Append(any ? ", " : "").Append(entry.Key).Append(' ').Append(entry.Value);
            any = true;
            same |= entry.Key == service.Name;
        }
        text.Append(any ? "" : "nothing");
        if (same)
        {
            text.Append("; the two sides were generated from different descriptions of ").Append(service.Name);
        }
        return text.ToString();
    }
}

/// <summary>A compressed body as a stream that knows whether the zlib stream ended with its last byte.</summary>
/// <remarks>
/// The platform's decompressor accepts truncated streams and does not report how much of its source it has used. But it reads no further than
/// necessary: the last bytes are therefore returned one by one, and a stream that ended early leaves some of them.
/// </remarks>
internal sealed class CompressedBody : MemoryStream
{
    private const int ChecksumSize = 4;
    private const int OneByOne = 16;

    private readonly byte[] _bytes;
    private readonly int _end;

    public CompressedBody(byte[] bytes, int start, int length)
        : base(bytes, start, length, writable: false) => (_bytes, _end) = (bytes, start + length);

    private int Step => (int)Math.Max(1, Length - Position - OneByOne);

    /// <summary>Whether all bytes were used, and the last are this checksum: otherwise the stream was truncated.</summary>
    public bool EndsWith(uint checksum) =>
        Position == Length && Length >= ChecksumSize && BinaryPrimitives.ReadUInt32BigEndian(_bytes.AsSpan(_end - ChecksumSize)) == checksum;

    /// <inheritdoc/>
    public override int Read(Span<byte> target) => base.Read(target[..Math.Min(target.Length, Step)]);

    /// <inheritdoc/>
    public override int Read(byte[] target, int offset, int count) => base.Read(target, offset, Math.Min(count, Step));
}

/// <summary>The bodies of requests and answers on wires other than the binary one (TCP-1).</summary>
internal abstract partial class BodyWire
{
    /// <summary>The wire in the preamble.</summary>
    public abstract Wire Wire { get; }

    /// <summary>The wire of the options; null for the binary one.</summary>
    public static BodyWire? Of(ClientOptions options)
    {
        BodyWire? found = null;
        AddTables(options, ref found);
        return found is not null || options.Wire == Wire.Binary
            ? found
            : throw new ArgumentException($"the runtime beside this code has no wire {options.Wire} over TCP: generate it with that wire", nameof(options));
    }

    /// <summary>Appends the arguments of a call.</summary>
    public abstract void Write<TArguments, TResult>(Writer target, Method<TArguments, TResult> method, TArguments arguments);

    /// <summary>The result or exception of an answer.</summary>
    public abstract TResult Read<TArguments, TResult>(AnswerBody answer, Method<TArguments, TResult> method, Limits limits);

    // Implemented by the part for tables over TCP, if present.
    static partial void AddTables(ClientOptions options, ref BodyWire? found);
}
