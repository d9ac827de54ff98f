using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text;

namespace Creo.Messages;

/// <summary>The body of an answer, within the limits, followed by room for the zeros of an XML reader.</summary>
internal sealed class MessageBody
{
    private const int Step = 64 * 1024;
    private const int MaxBegin = 1200;

    private readonly Limits _limits;
    private readonly long _max;
    private byte[] _bytes;

    /// <summary>An empty body.</summary>
    /// <param name="size">The initial room.</param>
    /// <param name="limits">The limits for received data.</param>
    /// <param name="around">The max number of bytes around the body in this memory.</param>
    public MessageBody(int size, Limits limits, int around = 0)
    {
        _limits = limits;
        _max = (long)limits.MaxBody + around;
        _bytes = new byte[size + TextInput.Padding];
    }

    public byte[] Bytes => _bytes;

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Memory => _bytes.AsMemory(0, Length);

    /// <summary>Room for the next bytes, at most one more than allowed.</summary>
    public Memory<byte> Room()
    {
        if (_bytes.Length - TextInput.Padding == Length)
        {
            long size = Math.Min(Math.Max(2L * Length, Step), _max + 1);
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max(size, Length + 1L) + TextInput.Padding, Array.MaxLength));
        }
        return _bytes.AsMemory(Length, _bytes.Length - TextInput.Padding - Length);
    }

    /// <summary>The beginning of the body as text.</summary>
    public string Begin() => Encoding.UTF8.GetString(_bytes, 0, Math.Min(Length, MaxBegin));

    /// <summary>Notes that bytes of the room were filled.</summary>
    public void Commit(int count)
    {
        Length += count;
        if (Length > _max)
        {
            throw CreoException.AnswerTooLarge(_limits);
        }
    }

    /// <summary>Keeps only a range: the body without its surroundings.</summary>
    public void Cut(int start, int length)
    {
        if (length > _limits.MaxBody)
        {
            throw CreoException.AnswerTooLarge(_limits);
        }
        Buffer.BlockCopy(_bytes, start, _bytes, 0, length);
        Length = length;
    }

    /// <summary>Decodes the body (HTTP-6).</summary>
    public MessageBody Decoded(ICollection<string> encodings)
    {
        string? found = null;
        foreach (string encoding in encodings)
        {
            if (encoding.Length > 0 && !encoding.Equals("identity", StringComparison.OrdinalIgnoreCase))
            {
                found = found is null ? encoding : $"{found}, {encoding}";
            }
        }
        if (Length == 0 || found is null)
        {
            return this;
        }
        bool isKnown = found.Equals("gzip", StringComparison.OrdinalIgnoreCase) || found.Equals("x-gzip", StringComparison.OrdinalIgnoreCase);
        return isKnown ? Unzipped() : throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer has the encoding \"{found}\", which was not asked for");
    }

    private MessageBody Unzipped()
    {
        int start = GzipStart(_bytes.AsSpan(0, Length));
        if (start < 0 || Length - start < GzipSource.TrailerSize)
        {
            throw NotGzip(null);
        }
        var source = new GzipSource(_bytes, start, Length - start);
        var body = new MessageBody((int)Math.Min(4L * Length, Math.Min(_limits.MaxBody, _limits.TrustedAllocation + 4L * Length)), _limits);
        uint sum = 0;
        try
        {
            using var plain = new DeflateStream(source, CompressionMode.Decompress, leaveOpen: true);
            while (true)
            {
                Span<byte> free = body.Room().Span;
                int count = plain.Read(free);
                if (count == 0)
                {
                    break;
                }
                sum = Crc32.Add(sum, free[..count]);
                body.Commit(count);
            }
        }
        catch (InvalidDataException e)
        {
            throw NotGzip(e);
        }
        return source.EndsWith(sum, (uint)body.Length) ? body : throw NotGzip(null);
    }

    // RFC 1952: the index after the header, or -1.
    private static int GzipStart(ReadOnlySpan<byte> bytes)
    {
        const int fixedSize = 10;
        if (bytes.Length < fixedSize || bytes[0] != 0x1f || bytes[1] != 0x8b || bytes[2] != 8 || (bytes[3] & 0xe0) != 0)
        {
            return -1;
        }
        int flags = bytes[3];
        int at = fixedSize;
        if ((flags & 4) != 0)
        {
            at = bytes.Length - at < 2 ? bytes.Length : at + 2 + BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);
        }
        // The name and the comment end with a zero.
        for (int i = ((flags >> 3) & 1) + ((flags >> 4) & 1); i > 0 && at <= bytes.Length; i--)
        {
            int zero = bytes[at..].IndexOf((byte)0);
            at = zero < 0 ? bytes.Length + 1 : at + zero + 1;
        }
        at += (flags & 2) != 0 ? 2 : 0;
        return at > bytes.Length ? -1 : at;
    }

    private static CreoException NotGzip(Exception? e) => new(ErrorCode.Malformed, "the compressed answer is not one gzip stream", e);

    /// <summary>The compressed bytes as a stream that knows whether the compressed data ended with them.</summary>
    /// <remarks>
    /// The platform's decompressor accepts truncated streams and does not report how much of its source it has used. But it reads no further than
    /// necessary: the last bytes are therefore returned one by one, and a stream that ended early leaves some of them.
    /// </remarks>
    private sealed class GzipSource : MemoryStream
    {
        public const int TrailerSize = 8;
        private const int OneByOne = 64;

        private readonly ReadOnlyMemory<byte> _trailer;

        public GzipSource(byte[] bytes, int start, int length)
            : base(bytes, start, length, writable: false) => _trailer = bytes.AsMemory(start + length - TrailerSize, TrailerSize);

        private int Step => (int)Math.Max(1, Length - Position - OneByOne);

        /// <summary>Whether all bytes but the trailer were used, and the trailer has this sum and size.</summary>
        public bool EndsWith(uint sum, uint size) =>
            Position == Length - TrailerSize
            && BinaryPrimitives.ReadUInt32LittleEndian(_trailer.Span) == sum
            && BinaryPrimitives.ReadUInt32LittleEndian(_trailer.Span[4..]) == size;

        /// <inheritdoc/>
        public override int Read(Span<byte> target) => base.Read(target[..Math.Min(target.Length, Step)]);

        /// <inheritdoc/>
        public override int Read(byte[] target, int offset, int count) => base.Read(target, offset, Math.Min(count, Step));
    }
}

/// <summary>The checksum of gzip (RFC 1952, section 8).</summary>
internal static class Crc32
{
    private static readonly uint[] Table = MakeTable();

    /// <summary>Updates a sum with more bytes; the sum of none is 0.</summary>
    public static uint Add(uint sum, ReadOnlySpan<byte> bytes)
    {
        uint rest = ~sum;
        foreach (byte next in bytes)
        {
            rest = Table[(byte)(rest ^ next)] ^ (rest >> 8);
        }
        return ~rest;
    }

    private static uint[] MakeTable()
    {
        uint[] table = new uint[256];
        for (uint i = 0; i < table.Length; i++)
        {
            uint value = i;
            for (int bit = 0; bit < 8; bit++)
            {
                value = (value & 1) != 0 ? (value >> 1) ^ 0xedb88320 : value >> 1;
            }
            table[i] = value;
        }
        return table;
    }
}
