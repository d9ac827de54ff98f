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
        try
        {
            using var source = new ZLibStream(new MemoryStream(_buffer, 0, Length, writable: false), CompressionMode.Decompress);
            while (true)
            {
                Memory<byte> room = plain.Room(64 * 1024);
                int count = source.Read(room.Span);
                if (count == 0)
                {
                    break;
                }
                plain.Commit(count);
                if (plain.Length > _limits.MaxMessageSize)
                {
                    throw TooLarge(_limits);
                }
            }
        }
        catch (InvalidDataException e)
        {
            throw new CreoException(ErrorCode.Malformed, "the compressed answer is no zlib stream", e);
        }
        (_buffer, plain._buffer) = (plain._buffer, _buffer);
        Length = plain.Length;
        IsCompressed = false;
    }

    public static CreoException TooLarge(Limits limits) =>
        CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, "the answer is too large");

    public void Dispose()
    {
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = [];
        }
    }
}
