using System;
using System.Buffers;
using System.IO;
using System.IO.Compression;
using System.Numerics;

namespace Creo.Tcp;

/// <summary>The body of an answer, in memory that grows as its bytes arrive (LIM-3). Dispose of it to give the memory back.</summary>
internal sealed class Answer : IDisposable
{
    private readonly Limits _limits;
    private byte[] _buffer = [];

    public Answer(FrameKind kind, bool compressed, Limits limits)
    {
        Kind = kind;
        IsCompressed = compressed;
        _limits = limits;
    }

    public FrameKind Kind { get; }

    public bool IsCompressed { get; private set; }

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Body => _buffer.AsSpan(0, Length);

    /// <summary>Memory for the next bytes, of which the peer claims that <paramref name="claimed"/> will come.</summary>
    public Memory<byte> Room(int claimed)
    {
        if (_buffer.Length == Length)
        {
            // What is claimed is taken at once up to the trusted size; beyond that, memory follows what has arrived.
            long allowed = Math.Min(_limits.TrustedAllocation + 2L * Length, Array.MaxLength);
            long wanted = Length + (long)claimed;
            if (wanted > allowed)
            {
                // The pool rounds up to a power of two.
                wanted = Math.Max(1L << BitOperations.Log2((ulong)allowed), Length + 1);
            }
            byte[] larger = ArrayPool<byte>.Shared.Rent((int)wanted);
            Body.CopyTo(larger);
            Dispose();
            _buffer = larger;
        }
        return _buffer.AsMemory(Length, Math.Min(_buffer.Length - Length, claimed));
    }

    /// <summary>The first bytes of the room were filled.</summary>
    public void Commit(int count) => Length += count;

    /// <summary>Puts the uncompressed body in the place of the compressed one.</summary>
    public void Decompress()
    {
        if (!IsCompressed)
        {
            return;
        }
        using var plain = new Answer(Kind, false, _limits);
        using var source = new CompressedBody(_buffer, Length);
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
            // The platform says some defects of a stream, such as a dictionary that nobody has, by an exception of its own.
            throw NotOneStream(e);
        }
        if (!source.EndsWith(Adler32(plain.Body)))
        {
            throw NotOneStream(null);
        }
        (_buffer, plain._buffer) = (plain._buffer, _buffer);
        Length = plain.Length;
        IsCompressed = false;
    }

    private static CreoException NotOneStream(Exception? e) => new(ErrorCode.Malformed, "the compressed answer is not one zlib stream", e);

    // RFC 1950, section 9.
    private static uint Adler32(ReadOnlySpan<byte> bytes)
    {
        const uint modulus = 65521;
        // So many bytes do not overflow the sums.
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
