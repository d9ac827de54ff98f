using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using Creo.Calls;

namespace Creo.Tcp;

/// <summary>A request as frames: the body is encoded once, behind room for the first header, and is sent from there.</summary>
internal sealed class Outgoing : IDisposable
{
    /// <summary>The most bytes of a body that go in one frame, so that a cancelled call does not hold the connection for long.</summary>
    private const int FrameBody = 256 * 1024;

    // Behind the header: method id and milliseconds left.
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

    // The wire of the body, if it is not the binary one.
    private readonly BodyWire? _wire;

    public Outgoing(BodyWire? wire, Limits limits)
    {
        _writer = new Writer(limits);
        _wire = wire;
    }

    /// <summary>The size of the body.</summary>
    public int BodySize => _end - _bodyStart;

    /// <summary>Encodes a request; nothing is sent if it fails.</summary>
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
            Metadata.Write(_writer, metadata, _writer.Limits);
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

    /// <summary>Prepares the first frame, for a call with an id of its connection.</summary>
    public void Start(uint call, Deadline deadline, bool withPreamble)
    {
        _call = call;
        BinaryPrimitives.WriteInt32BigEndian(_buffer.AsSpan(DeadlineAt), deadline.MillisecondsLeft());
        _position = withPreamble ? 0 : Protocol.PreambleSize;
    }

    /// <summary>Whether frames are left to send.</summary>
    public bool HasMore => _position < _end;

    /// <summary>The next frame. The one before must have been sent: its memory is used again.</summary>
    public ReadOnlyMemory<byte> Next()
    {
        bool first = _position <= Protocol.PreambleSize;
        int bodyFrom = first ? _bodyStart : _position;
        int bodyTo = (int)Math.Min((long)bodyFrom + FrameBody, _end);
        FrameFlags more = bodyTo < _end ? FrameFlags.More : FrameFlags.None;
        // A data frame's header takes the place of body bytes that were sent before.
        int header = first ? Protocol.PreambleSize : bodyFrom - Protocol.HeaderSize;
        int from = first ? _position : header;
        int size = bodyTo - header - Protocol.HeaderSize;
        Protocol.PutHeader(_buffer.AsSpan(header), size, first ? FrameKind.Request : FrameKind.Data, (first ? _flags : FrameFlags.None) | more, _call);
        _position = bodyTo;
        return _buffer.AsMemory(from, bodyTo - from);
    }

    /// <summary>Gets ready for the next request: keeps the memory, unless it grew large.</summary>
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
