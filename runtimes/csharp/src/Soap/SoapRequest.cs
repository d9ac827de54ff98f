using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Net.Http;
using Creo.Xml;

namespace Creo.Soap;

/// <summary>A request as a message of HTTP; its memory is lent until it is disposed of.</summary>
internal sealed class SoapRequest : IDisposable
{
    // Smaller bodies are not compressed (HTTP-6).
    private const int LeastCompressed = 1024;

    private readonly XmlWriter _writer;
    private readonly List<ReadOnlyMemory<byte>> _segments;
    private readonly string _contentType;
    private readonly bool _isCompressed;

    private SoapRequest(XmlWriter writer, List<ReadOnlyMemory<byte>> segments, string contentType, int? compressFrom)
    {
        _writer = writer;
        _segments = segments;
        _contentType = contentType;
        long size = 0;
        foreach (ReadOnlyMemory<byte> segment in segments)
        {
            size += segment.Length;
        }
        if (compressFrom is not null && size >= Math.Max(LeastCompressed, compressFrom.Value))
        {
            _isCompressed = true;
            _segments = [Compressed(segments)];
        }
    }

    /// <summary>Writes the arguments of a call; nothing is sent if that fails.</summary>
    public static SoapRequest Write<TArguments, TResult>(
        TextMethod<TArguments, TResult> method, TArguments arguments, SoapOptions soap, Limits limits, int? compressFrom)
    {
        XmlWriter writer = XmlWriter.Rent(limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = soap.Mtom ? writer.CollectParts() : null;
            writer.BeginEnvelope(SoapNames.Envelope(soap.Version), method.Request, arguments);
            method.Request.WriteBody(writer, arguments);
            writer.EndEnvelope();
            string type = SoapNames.MediaType(soap.Version);
            string action = soap.Version == SoapVersion.Soap12 ? $"; action=\"{method.Action}\"" : "";
            if (parts is null)
            {
                return new SoapRequest(writer, [writer.Written], $"{type}; charset=utf-8{action}", compressFrom);
            }
            CheckSize(writer.Written.Length, parts, limits);
            string boundary = "creo-" + Guid.NewGuid().ToString("N");
            List<ReadOnlyMemory<byte>> package = Package.Write(writer.Written, parts, $"application/xop+xml; charset=utf-8; type=\"{type}\"", boundary);
            return new SoapRequest(
                writer,
                package,
                $"multipart/related; type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"{type}\"; boundary=\"{boundary}\"{action}",
                compressFrom);
        }
        catch (CreoException error) when (error.Place is null)
        {
            CreoException located = writer.Locate(error);
            writer.GiveBack();
            throw located;
        }
        catch
        {
            writer.GiveBack();
            throw;
        }
    }

    /// <summary>The message, to an address.</summary>
    public HttpRequestMessage ToMessage(Uri address, string? soapAction)
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
        if (soapAction is not null)
        {
            message.Headers.TryAddWithoutValidation("SOAPAction", $"\"{soapAction}\"");
        }
        return message;
    }

    /// <summary>The message was sent and answered: nobody reads its memory any more.</summary>
    public bool IsDone { get; set; }

    public void Dispose()
    {
        // A request that was given up may still be under way, out of this memory.
        if (IsDone)
        {
            _writer.GiveBack();
        }
    }

    private static void CheckSize(long size, List<ReadOnlyMemory<byte>> parts, Limits limits)
    {
        foreach (ReadOnlyMemory<byte> part in parts)
        {
            size += part.Length;
        }
        if (size > limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, "the message is too large to be sent");
        }
    }

    private static ReadOnlyMemory<byte> Compressed(List<ReadOnlyMemory<byte>> segments)
    {
        var compressed = new MemoryStream();
        using (var stream = new GZipStream(compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            foreach (ReadOnlyMemory<byte> segment in segments)
            {
                stream.Write(segment.Span);
            }
        }
        return compressed.GetBuffer().AsMemory(0, (int)compressed.Length);
    }
}
