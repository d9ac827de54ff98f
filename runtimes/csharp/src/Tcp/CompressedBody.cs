using System;
using System.Buffers.Binary;
using System.IO;

namespace Creo.Tcp;

/// <summary>A compressed body as a stream, which knows afterwards whether the zlib stream in it ended with its last byte.</summary>
/// <remarks>
/// The platform's decompressor takes a stream that was cut off for a whole one, and does not say how much of its source it has used. But it reads no
/// further than it must: so the last bytes are handed out one by one, and a stream that ended early leaves some of them.
/// </remarks>
internal sealed class CompressedBody : MemoryStream
{
    private const int ChecksumSize = 4;
    private const int OneByOne = 16;

    private readonly byte[] _bytes;

    public CompressedBody(byte[] bytes, int length)
        : base(bytes, 0, length, writable: false) => _bytes = bytes;

    private int Step => (int)Math.Max(1, Length - Position - OneByOne);

    /// <summary>Whether all bytes were used, and the last are this checksum: without it the stream was cut off.</summary>
    public bool EndsWith(uint checksum) =>
        Position == Length && Length >= ChecksumSize && BinaryPrimitives.ReadUInt32BigEndian(_bytes.AsSpan((int)Length - ChecksumSize)) == checksum;

    /// <inheritdoc/>
    public override int Read(Span<byte> target) => base.Read(target[..Math.Min(target.Length, Step)]);

    /// <inheritdoc/>
    public override int Read(byte[] target, int offset, int count) => base.Read(target, offset, Math.Min(count, Step));
}
