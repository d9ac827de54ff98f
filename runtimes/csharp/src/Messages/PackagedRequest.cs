using System;
using System.Collections.Generic;

namespace Creo.Messages;

// Multipart requests.
internal sealed partial class MessageRequest
{
    /// <summary>A multipart request with the written root and its referenced parts (SOAP-20, TDX-53).</summary>
    /// <param name="writer">The writer of the root part.</param>
    /// <param name="parts">The parts.</param>
    /// <param name="rootType">The media type of the root part.</param>
    /// <param name="parameters">Further parameters of the multipart's media type.</param>
    /// <param name="limits">The limits for sent data.</param>
    public static MessageRequest Packaged(TextOutput writer, List<ReadOnlyMemory<byte>> parts, string rootType, string parameters, Limits limits)
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
        return new MessageRequest(writer, Package.Write(writer.Written, parts, rootType, boundary), $"multipart/related; {parameters}; boundary=\"{boundary}\"");
    }
}
