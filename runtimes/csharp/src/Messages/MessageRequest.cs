using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;

namespace Creo.Messages;

/// <summary>A request as a whole message; its memory is pooled and returned on disposal.</summary>
internal sealed partial class MessageRequest : IDisposable
{
    // Smaller bodies are not compressed (HTTP-6).
    private const int MinCompressed = 1024;

    private readonly TextOutput? _writer;
    private readonly Writer? _binary;

    /// <summary>A request with a written body.</summary>
    public MessageRequest(TextOutput writer, string contentType)
        : this(writer, [writer.Written], contentType)
    {
    }

    /// <summary>A request of the binary wire with a written body.</summary>
    public MessageRequest(Writer writer, string contentType)
        : this((TextOutput?)null, [writer.Buffer.AsMemory(0, writer.WrittenCount)], contentType) => _binary = writer;

    /// <summary>A request with a body.</summary>
    public MessageRequest(byte[] body, string contentType)
        : this((TextOutput?)null, [body], contentType)
    {
    }

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

    /// <summary>The id for a related answer (SOAP-42); null if the request has none.</summary>
    public string? Id { get; set; }

    /// <summary>Whether the body is a gzip stream.</summary>
    public bool IsCompressed { get; private set; }

    /// <summary>Whether the message was sent and answered, so its memory is no longer read.</summary>
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

    /// <summary>A copy of the body in one piece.</summary>
    public byte[] Joined()
    {
        var all = new MemoryStream();
        foreach (ReadOnlyMemory<byte> segment in Segments)
        {
            all.Write(segment.Span);
        }
        return all.ToArray();
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
        // An abandoned request may still be in transit from this memory.
        if (IsDone)
        {
            _writer?.GiveBack();
            _binary?.Dispose();
        }
    }
}
