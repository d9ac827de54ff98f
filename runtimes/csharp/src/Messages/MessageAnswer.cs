namespace Creo.Messages;

/// <summary>A service's answer as a whole message: media type and uncompressed body.</summary>
internal abstract class MessageAnswer
{
    protected MessageAnswer(string? contentType, MessageBody body)
    {
        Type = MediaType.Parse(contentType);
        Body = body;
    }

    public MediaType Type { get; }

    public MessageBody Body { get; }

    /// <summary>The id of the request.</summary>
    public string? RequestId { get; init; }

    /// <summary>Whether the transport reports success.</summary>
    public abstract bool IsRight { get; }

    /// <summary>The error of the transport, if there is no message of the wire.</summary>
    /// <param name="said">The text of the body, if known.</param>
    public abstract CreoException OfStatus(string? said = null);

    /// <summary>Whether the media type's character set is UTF-16.</summary>
    public static bool IsUtf16(MediaType type) => type["charset"]?.ToLowerInvariant() switch
    {
        null or "utf-8" or "us-ascii" => false,
        "utf-16" or "utf-16le" or "utf-16be" => true,
        var other => throw new CreoException(ErrorCode.Malformed, $"the answer is in the character set \"{other}\", which is not read here"),
    };
}
