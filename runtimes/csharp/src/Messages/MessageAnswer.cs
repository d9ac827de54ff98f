namespace Creo.Messages;

/// <summary>What a service has answered as a whole message: media type and body, which is no longer compressed.</summary>
internal abstract class MessageAnswer
{
    protected MessageAnswer(string? contentType, MessageBody body)
    {
        Type = MediaType.Parse(contentType);
        Body = body;
    }

    public MediaType Type { get; }

    public MessageBody Body { get; }

    /// <summary>That of the request.</summary>
    public string? RequestId { get; init; }

    /// <summary>Whether the transport says that all went well.</summary>
    public abstract bool IsRight { get; }

    /// <summary>The error that the transport means where there is no message of the wire.</summary>
    /// <param name="said">What the body says in words, if that is known.</param>
    public abstract CreoException OfStatus(string? said = null);

    /// <summary>Whether the character set that the media type says is one of UTF-16.</summary>
    public static bool IsUtf16(MediaType type) => type["charset"]?.ToLowerInvariant() switch
    {
        null or "utf-8" or "us-ascii" => false,
        "utf-16" or "utf-16le" or "utf-16be" => true,
        var other => throw new CreoException(ErrorCode.Malformed, $"the answer is in the character set \"{other}\", which is not read here"),
    };
}
