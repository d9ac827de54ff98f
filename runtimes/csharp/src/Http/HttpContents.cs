using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using Creo.Messages;

namespace Creo.Http;

/// <summary>Bodies for the platform's HTTP client.</summary>
internal static class HttpContents
{
    private const int FirstSize = 64 * 1024;

    /// <summary>A request to an address.</summary>
    public static HttpRequestMessage ToHttp(this MessageRequest request, Uri address)
    {
        var message = new HttpRequestMessage(HttpMethod.Post, address)
        {
            Version = HttpVersion.Version11,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new SegmentsContent(request.Segments),
        };
        message.Content.Headers.TryAddWithoutValidation("Content-Type", request.ContentType);
        if (request.IsCompressed)
        {
            message.Content.Headers.TryAddWithoutValidation("Content-Encoding", "gzip");
        }
        return message;
    }

    /// <summary>Reads a body to its end, synchronously or asynchronously.</summary>
    public static async ValueTask<MessageBody> ReadAsync(HttpContent content, Limits limits, bool waits, CancellationToken cancellation)
    {
        long claimed = content.Headers.ContentLength ?? 0;
        if (claimed > limits.MaxBody)
        {
            throw CreoException.AnswerTooLarge(limits);
        }
        // A claimed length is not trusted (LIM-3).
        var body = new MessageBody((int)Math.Min(claimed == 0 ? FirstSize : claimed + 1, limits.TrustedAllocation), limits);
        Stream stream = waits ? content.ReadAsStream(cancellation) : await content.ReadAsStreamAsync(cancellation).ConfigureAwait(false);
        while (true)
        {
            Memory<byte> free = body.Room();
            int count = waits ? stream.Read(free.Span) : await stream.ReadAsync(free, cancellation).ConfigureAwait(false);
            if (count == 0)
            {
                return body;
            }
            body.Commit(count);
        }
    }
}

/// <summary>The body of a request: segments in sequence.</summary>
internal sealed class SegmentsContent(List<ReadOnlyMemory<byte>> segments) : HttpContent
{
    /// <summary>Whether a connection was there to write it to.</summary>
    public bool IsBegun { get; private set; }

    protected override void SerializeToStream(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        IsBegun = true;
        foreach (ReadOnlyMemory<byte> segment in segments)
        {
            stream.Write(segment.Span);
        }
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        IsBegun = true;
        foreach (ReadOnlyMemory<byte> segment in segments)
        {
            await stream.WriteAsync(segment, cancellationToken).ConfigureAwait(false);
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        foreach (ReadOnlyMemory<byte> segment in segments)
        {
            length += segment.Length;
        }
        return true;
    }
}
