using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Net.Http;

namespace Creo.Http;

/// <summary>A request as a message of HTTP; its memory is lent until it is disposed of.</summary>
internal sealed class HttpRequest : IDisposable
{
    // Smaller bodies are not compressed (HTTP-6).
    private const int LeastCompressed = 1024;

    private readonly TextOutput _writer;
    private readonly List<ReadOnlyMemory<byte>> _segments;
    private readonly string _contentType;
    private bool _isCompressed;

    /// <summary>A request whose body was written.</summary>
    public HttpRequest(TextOutput writer, string contentType)
        : this(writer, [writer.Written], contentType)
    {
    }

    private HttpRequest(TextOutput writer, List<ReadOnlyMemory<byte>> segments, string contentType)
    {
        _writer = writer;
        _segments = segments;
        _contentType = contentType;
    }

    /// <summary>A request that is a package of what was written and the parts that it names (SOAP-20, TDX-53).</summary>
    /// <param name="writer">Has written the root part.</param>
    /// <param name="parts">The parts.</param>
    /// <param name="rootType">The media type of the root part.</param>
    /// <param name="parameters">What the package's media type says besides its boundary.</param>
    /// <param name="limits">What is sent at most.</param>
    public static HttpRequest Packaged(TextOutput writer, List<ReadOnlyMemory<byte>> parts, string rootType, string parameters, Limits limits)
    {
        long size = writer.Written.Length;
        foreach (ReadOnlyMemory<byte> part in parts)
        {
            size += part.Length;
        }
        if (size > limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, "the message is too large to be sent");
        }
        string boundary = "creo-" + Guid.NewGuid().ToString("N");
        return new HttpRequest(writer, Package.Write(writer.Written, parts, rootType, boundary), $"multipart/related; {parameters}; boundary=\"{boundary}\"");
    }

    /// <summary>The message was sent and answered: nobody reads its memory any more.</summary>
    public bool IsDone { get; set; }

    /// <summary>Compresses the body, if it is large enough.</summary>
    public void Compress(int? from)
    {
        long size = 0;
        foreach (ReadOnlyMemory<byte> segment in _segments)
        {
            size += segment.Length;
        }
        if (from is null || size < Math.Max(LeastCompressed, from.Value))
        {
            return;
        }
        var compressed = new MemoryStream();
        using (var stream = new GZipStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            foreach (ReadOnlyMemory<byte> segment in _segments)
            {
                stream.Write(segment.Span);
            }
        }
        _segments.Clear();
        _segments.Add(compressed.GetBuffer().AsMemory(0, (int)compressed.Length));
        _isCompressed = true;
    }

    /// <summary>The message, to an address.</summary>
    public HttpRequestMessage ToMessage(Uri address)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, address)
        {
            Version = System.Net.HttpVersion.Version11,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new SegmentsContent(_segments),
        };
        message.Content.Headers.TryAddWithoutValidation("Content-Type", _contentType);
        if (_isCompressed)
        {
            message.Content.Headers.TryAddWithoutValidation("Content-Encoding", "gzip");
        }
        return message;
    }

    public void Dispose()
    {
        // A request that was given up may still be under way, out of this memory.
        if (IsDone)
        {
            _writer.GiveBack();
        }
    }
}
