using Creo.Messages;

namespace Creo.Jms;

/// <summary>A service's answer: the message's properties and uncompressed body.</summary>
internal sealed class JmsAnswer : MessageAnswer
{
    private readonly string _address;

    public JmsAnswer(JmsMessage message, bool isRight, string address)
        : base(message.ContentType, message.TakeBody().Decoded(message.ContentEncoding is null ? [] : [message.ContentEncoding]))
    {
        IsRight = isRight;
        _address = address;
    }

    /// <inheritdoc/>
    public override bool IsRight { get; }

    /// <inheritdoc/>
    public override CreoException OfStatus(string? said = null) =>
        new(ErrorCode.ProtocolMismatch, $"the answer that came by {_address} has {(Type.Name.Length == 0 ? "no media type" : $"the media type {Type.Name}")}, and is none of the wire");
}
