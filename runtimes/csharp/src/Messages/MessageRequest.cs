using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;

namespace Creo.Messages;

/// <summary>A request as a whole message; its memory is lent until it is disposed of.</summary>
internal sealed partial class MessageRequest : IDisposable
{
    // Smaller bodies are not compressed (HTTP-6).
    private const int MinCompressed = 1024;

    private readonly TextOutput? _writer;
    private readonly Writer? _binary;

    /// <summary>A request whose body was written.</summary>
    public MessageRequest(TextOutput writer, string contentType)
        : this(writer, [writer.Written], contentType)
    {
    }

    /// <summary>A request of the binary wire whose body was written.</summary>
    public MessageRequest(Writer writer, string contentType)
        : this((TextOutput?)null, [writer.Buffer.AsMemory(0, writer.WrittenCount)], contentType) => _binary = writer;

    private MessageRequest(TextOutput? writer, List<ReadOnlyMemory<byte>> segments, string contentType)
    {
        _writer = writer;
        Segments = segments;
        ContentType = contentType;
    }

    /// <summary>The body: its segments, in order.</summary>
    public List<ReadOnlyMemory<byte>> Segments { get; }

    /// <summary>The media type.</summary>
    public string ContentType { get; }

    /// <summary>What an answer to it must relate to, if it relates to anything (SOAP-42); null where the request does not say it.</summary>
    public string? Id { get; set; }

    /// <summary>Whether the body is one of gzip.</summary>
    public bool IsCompressed { get; private set; }

    /// <summary>The message was sent and answered: its memory is no longer read.</summary>
    public bool IsDone { get; set; }

    /// <summary>The bytes of the body.</summary>
    public long Size
    {
        get
        {
            long size = 0;
            foreach (ReadOnlyMemory<byte> segment in Segments)
            {
                size += segment.Length;
            }
            return size;
        }
    }

    /// <summary>Compresses the body, if it is large enough.</summary>
    public void Compress(int? from)
    {
        if (from is not null && Size >= Math.Max(MinCompressed, from.Value))
        {
            Compress();
        }
    }

    /// <summary>Compresses the body.</summary>
    public void Compress()
    {
        var compressed = new MemoryStream();
        using (var stream = new GZipStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            foreach (ReadOnlyMemory<byte> segment in Segments)
            {
                stream.Write(segment.Span);
            }
        }
        Segments.Clear();
        Segments.Add(compressed.GetBuffer().AsMemory(0, (int)compressed.Length));
        IsCompressed = true;
    }

    public void Dispose()
    {
        // A request that was given up may still be under way, out of this memory.
        if (IsDone)
        {
            _writer?.GiveBack();
            _binary?.Dispose();
        }
    }
}
