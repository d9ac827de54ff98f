using System;
using System.Buffers;
using System.Text;

namespace Creo;

/// <summary>A user and a password for basic authentication (HTTP-46). <see cref="ToString"/> shows neither.</summary>
public sealed record BasicCredentials
{
    private const int MaxCharacters = 1024;

    /// <summary>A user and a password, each of at most 1,024 characters, and perhaps empty.</summary>
    /// <exception cref="ArgumentException">The user has a colon, or one of both has a control character or too many characters.</exception>
    public BasicCredentials(string user, string password)
    {
        Check(user, password);
        User = user;
        Password = password;
    }

    /// <summary>The user.</summary>
    public string User { get; }

    internal string Password { get; }

    /// <inheritdoc/>
    public override string ToString() => nameof(BasicCredentials);

    internal static void Check(string user, string password)
    {
        ArgumentNullException.ThrowIfNull(user);
        ArgumentNullException.ThrowIfNull(password);
        if (!IsCredential(user) || !IsCredential(password) || user.Contains(':'))
        {
            throw new ArgumentException("a user and a password have at most 1,024 characters and no control characters, and a user no colon");
        }
    }

    private static bool IsCredential(string text)
    {
        int count = 0;
        for (int i = 0; i < text.Length; count++)
        {
            // Half of a surrogate pair is no character.
            if (!Rune.TryGetRuneAt(text, i, out Rune rune) || Rune.IsControl(rune))
            {
                return false;
            }
            i += rune.Utf16SequenceLength;
        }
        return count <= MaxCharacters;
    }
}

/// <summary>A user and a password for digest authentication (HTTP-48). <see cref="ToString"/> shows neither.</summary>
public sealed record DigestCredentials
{
    /// <summary>A user and a password, each of at most 1,024 characters, and perhaps empty.</summary>
    /// <exception cref="ArgumentException">The user has a colon, or one of both has a control character or too many characters.</exception>
    public DigestCredentials(string user, string password)
    {
        BasicCredentials.Check(user, password);
        User = user;
        Password = password;
    }

    /// <summary>The user.</summary>
    public string User { get; }

    internal string Password { get; }

    /// <inheritdoc/>
    public override string ToString() => nameof(DigestCredentials);
}

public sealed partial record ClientOptions
{
    private const int MaxFollowed = 20;
    private const int MaxToken = 8192;

    private static readonly SearchValues<char> TokenCharacters = SearchValues.Create("-._~+/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    private readonly int _maxRedirects;
    private string? _bearerToken;

    /// <summary>
    /// The max redirects with 307 and 308 that a call over HTTP follows, 0 to 20; by default 0 (HTTP-40 to HTTP-42). To another origin go the message
    /// and the fields of its wire, and neither credentials, headers, metadata nor cookies. Calls with streams are not redirected.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">It is not 0 to 20.</exception>
    public int MaxRedirects
    {
        get => _maxRedirects;
        init => _maxRedirects = value is >= 0 and <= MaxFollowed
            ? value
            : throw new ArgumentOutOfRangeException(nameof(MaxRedirects), value, "the max redirects of a call are 0 to 20");
    }

    /// <summary>
    /// Whether a binding over HTTP keeps the cookies of its service, in memory, and sends them with later calls (HTTP-43 to HTTP-45). Each binding has
    /// its own.
    /// </summary>
    public bool Cookies { get; init; }

    /// <summary>
    /// Identifies the caller by basic authentication over HTTP (HTTP-46); null for none. It needs an address of <c>https</c> or the own host: a binding
    /// to another one cannot be made, nor one with a <see cref="BearerToken"/> or <see cref="Digest"/> too.
    /// </summary>
    public BasicCredentials? Basic { get; init; }

    /// <summary>
    /// Shows a service over HTTP that asks for it that the caller knows a password, by digest authentication (HTTP-48 to HTTP-51); null for none. The
    /// password is not sent, so any address will do. A binding with <see cref="Basic"/> or a <see cref="BearerToken"/> too cannot be made.
    /// </summary>
    public DigestCredentials? Digest { get; init; }

    /// <summary>
    /// Identifies the caller by a token over HTTP (HTTP-47), by the rules of <see cref="Basic"/>: 1 to 8,192 letters, digits and <c>-._~+/</c> with
    /// <c>=</c> at its end; null for none. A token that changes is better a header of each call.
    /// </summary>
    /// <exception cref="ArgumentException">It is no such token.</exception>
    public string? BearerToken
    {
        get => _bearerToken;
        init => _bearerToken = value is null || IsToken(value)
            ? value
            : throw new ArgumentException("a bearer token is 1 to 8,192 letters, digits and -._~+/, with = at its end", nameof(BearerToken));
    }

    /// <summary>The options as text, without the token.</summary>
    public override string ToString()
    {
        ClientOptions shown = this with { };
        shown._bearerToken = _bearerToken is null ? null : "***";
        var text = new StringBuilder(nameof(ClientOptions)).Append(" { ");
        shown.PrintMembers(text);
        return text.Append(" }").ToString();
    }

    private static bool IsToken(string text)
    {
        ReadOnlySpan<char> begin = text.AsSpan().TrimEnd('=');
        return text.Length <= MaxToken && begin.Length > 0 && !begin.ContainsAnyExcept(TokenCharacters);
    }
}
