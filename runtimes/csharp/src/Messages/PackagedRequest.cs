using System;
using System.Collections.Generic;

namespace Creo.Messages;

// Requests of several parts.
internal sealed partial class MessageRequest
{
    /// <summary>A request that is a package of what was written and the parts that it names (SOAP-20, TDX-53).</summary>
    /// <param name="writer">Has written the root part.</param>
    /// <param name="parts">The parts.</param>
    /// <param name="rootType">The media type of the root part.</param>
    /// <param name="parameters">What the package's media type says besides its boundary.</param>
    /// <param name="limits">What is sent at most.</param>
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
