using System;
using System.Security.Cryptography;

namespace Creo.Soap;

/// <summary>The WS-Addressing 1.0 blocks of requests (SOAP-41).</summary>
internal static class Addressing
{
    public const string Namespace = "http://www.w3.org/2005/08/addressing";

    /// <summary>The relationship of an answer to its request; also the default.</summary>
    public const string Reply = Namespace + "/reply";

    private const int UuidBytes = 16;

    /// <summary>A new <c>MessageID</c>: a random UUID of version 4.</summary>
    public static string NewId() => Id(RandomNumberGenerator.GetBytes(UuidBytes));

    /// <summary>The <c>MessageID</c> of random bytes.</summary>
    public static string Id(ReadOnlySpan<byte> random)
    {
        Span<byte> uuid = stackalloc byte[UuidBytes];
        random.CopyTo(uuid);
        uuid[6] = (byte)(uuid[6] & 0x0f | 0x40);
        uuid[8] = (byte)(uuid[8] & 0x3f | 0x80);
        return $"urn:uuid:{new Guid(uuid, bigEndian: true):D}";
    }

    /// <summary>The blocks of a request.</summary>
    /// <param name="action">The action of the method.</param>
    /// <param name="id">The id of the request.</param>
    /// <param name="isOneway">Whether there is no answer.</param>
    /// <param name="to">The called address.</param>
    public static string Blocks(string action, string id, bool isOneway, string to) =>
        Block("Action", Security.Escape(action)) + Block("MessageID", id)
        + Block("ReplyTo", $"<wsa:Address>{Namespace}/{(isOneway ? "none" : "anonymous")}</wsa:Address>") + Block("To", Security.Escape(to));

    private static string Block(string name, string content) => $"<wsa:{name} xmlns:wsa=\"{Namespace}\">{content}</wsa:{name}>";
}
