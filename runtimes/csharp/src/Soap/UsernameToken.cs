using System;
using System.Text;
using Creo.Xml;

namespace Creo;

/// <summary>A user and a password that authenticate the caller (SOAP-50). <see cref="ToString"/> shows neither.</summary>
public sealed class UsernameToken
{
    private const int MaxCharacters = 1024;

    /// <summary>A user and a password, each of 1 to 1,024 characters of XML.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c>: invalid characters, or too many.</exception>
    public UsernameToken(string user, string password)
    {
        ArgumentNullException.ThrowIfNull(user);
        ArgumentNullException.ThrowIfNull(password);
        Check(user, "user");
        Check(password, "password");
        User = user;
        Password = password;
    }

    /// <summary>The user.</summary>
    public string User { get; }

    /// <summary>Sends the password as a digest, which differs in each request, instead of in plain text.</summary>
    public bool Digest { get; init; }

    internal string Password { get; }

    /// <inheritdoc/>
    public override string ToString() => nameof(UsernameToken);

    private static void Check(string text, string what)
    {
        int count = 0;
        bool isText = true;
        for (int i = 0; i < text.Length && isText; count++)
        {
            isText = Rune.TryGetRuneAt(text, i, out Rune rune) && XmlChars.IsAllowed(rune.Value);
            i += rune.Utf16SequenceLength;
        }
        if (!isText || count is 0 or > MaxCharacters)
        {
            throw new CreoException(ErrorCode.InvalidValue, $"the {what} of a token must be 1 to {MaxCharacters} characters that XML allows");
        }
    }
}
