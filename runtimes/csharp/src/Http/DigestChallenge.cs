using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text;
using System.Text.Unicode;

namespace Creo.Http;

/// <summary>A challenge of the scheme Digest that a client can answer (HTTP-49). Texts have one character per byte.</summary>
internal sealed class DigestChallenge
{
    private const int MaxList = 8192;
    private const int MaxParameter = 1024;
    private const string SessionEnd = "-sess";

    private DigestChallenge(string realm, string nonce)
    {
        Realm = realm;
        Nonce = nonce;
    }

    public string Realm { get; }

    public string Nonce { get; }

    public string? Opaque { get; private init; }

    /// <summary>The name of the algorithm as it came; null if there is none.</summary>
    public string? Algorithm { get; private init; }

    /// <summary>Whether SHA-256 hashes, and not MD5.</summary>
    public bool IsSha256 { get; private init; }

    /// <summary>Whether the algorithm ends in <c>-sess</c>.</summary>
    public bool IsSession { get; private init; }

    /// <summary>Whether <c>qop=auth</c> is offered; without it, answers are those of RFC 2069.</summary>
    public bool HasQop { get; private init; }

    /// <summary>Whether the name of the user is sent as a hash.</summary>
    public bool HashesUser { get; private init; }

    /// <summary>Whether the credentials that were refused are good, and their nonce is too old.</summary>
    public bool IsStale { get; private init; }

    /// <summary>The strongest challenge of the values of <c>WWW-Authenticate</c>; null for none.</summary>
    /// <param name="values">The values, one character per byte.</param>
    /// <param name="problem">Why none of the challenges of this scheme can be answered; null if there are none.</param>
    public static DigestChallenge? Of(IEnumerable<string> values, out string? problem)
    {
        string list = string.Join(", ", values);
        var offered = new List<List<KeyValuePair<string, string>>>();
        problem = list.Length > MaxList ? "its challenges have more than 8,192 bytes" : new Reader(list).TryRead(offered) ? null : "its challenges are malformed";
        if (problem is not null)
        {
            problem = list.Contains("digest", StringComparison.OrdinalIgnoreCase) ? problem : null;
            return null;
        }
        DigestChallenge? best = null;
        foreach (List<KeyValuePair<string, string>> parameters in offered)
        {
            DigestChallenge? challenge = Of(parameters, out string? why);
            problem ??= why;
            if (challenge is not null && (best is null || (challenge.IsSha256 && !best.IsSha256)))
            {
                best = challenge;
            }
        }
        problem = best is null ? problem : null;
        return best;
    }

    private static DigestChallenge? Of(List<KeyValuePair<string, string>> parameters, out string? problem)
    {
        var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, string value) in parameters)
        {
            if (!values.TryAdd(name, value))
            {
                problem = "its challenge has a parameter twice";
                return null;
            }
        }
        string? algorithm = values.GetValueOrDefault("algorithm");
        string hash = algorithm ?? "MD5";
        bool isSession = hash.EndsWith(SessionEnd, StringComparison.OrdinalIgnoreCase);
        hash = isSession ? hash[..^SessionEnd.Length] : hash;
        bool isSha256 = Is(hash, "SHA-256");
        problem = ProblemOf(values) ?? (isSha256 || Is(hash, "MD5") ? null : "it offers no algorithm of MD5, MD5-sess, SHA-256 and SHA-256-sess");
        if (problem is null && isSession && !values.ContainsKey("qop"))
        {
            problem = "an algorithm with -sess needs a qop";
        }
        return problem is not null ? null : new DigestChallenge(values["realm"], values["nonce"])
        {
            Opaque = values.GetValueOrDefault("opaque"),
            Algorithm = algorithm,
            IsSha256 = isSha256,
            IsSession = isSession,
            HasQop = values.ContainsKey("qop"),
            HashesUser = Is(values.GetValueOrDefault("userhash"), "true"),
            IsStale = Is(values.GetValueOrDefault("stale"), "true"),
        };
    }

    // What is wrong with the parameters beside the algorithm; null for nothing.
    private static string? ProblemOf(Dictionary<string, string> values)
    {
        foreach (string name in new[] { "realm", "nonce", "opaque" })
        {
            string value = values.GetValueOrDefault(name, "");
            if (value.Length > MaxParameter || value.AsSpan().ContainsAnyInRange('\0', '\u001f') || value.Contains('\u007f'))
            {
                return $"the {name} of its challenge has more than 1,024 bytes, or control characters";
            }
        }
        string nonce = values.GetValueOrDefault("nonce", "");
        if (nonce.Length == 0 || !values.TryGetValue("realm", out string? realm))
        {
            return "its challenge has no realm or no nonce";
        }
        if (!Ascii.IsValid(nonce) || !Ascii.IsValid(values.GetValueOrDefault("opaque", "")))
        {
            return "its challenge has a nonce or an opaque that is not ASCII";
        }
        if (!Utf8.IsValid(Encoding.Latin1.GetBytes(realm)))
        {
            return "the realm of its challenge is not UTF-8";
        }
        return !values.TryGetValue("qop", out string? qop) || Array.Exists(qop.Split(','), static one => Is(one.Trim(' ', '\t'), "auth"))
            ? null
            : "it does not offer qop=auth, the only one that clients know";
    }

    private static bool Is(string? text, string word) => word.Equals(text, StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads a list of challenges (RFC 9110, section 11.6.1).</summary>
    private sealed class Reader(string text)
    {
        private const string LettersAndDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

        private static readonly SearchValues<char> TokenCharacters = SearchValues.Create(LettersAndDigits + "!#$%&'*+.^_`|~-");
        private static readonly SearchValues<char> Token68Characters = SearchValues.Create(LettersAndDigits + "._~+/-");

        private int _at;

        /// <summary>Adds the parameters of each challenge of the scheme Digest. False if the list is malformed.</summary>
        public bool TryRead(List<List<KeyValuePair<string, string>>> digests)
        {
            List<KeyValuePair<string, string>>? current = null;
            while (true)
            {
                while (Is(',') || Is(' ') || Is('\t'))
                {
                    _at++;
                }
                if (_at == text.Length)
                {
                    return true;
                }
                if (Token() is not { } name)
                {
                    return false;
                }
                int end = _at;
                SkipSpace();
                if (current is not null && Is('='))
                {
                    if (!TryAdd(current, name))
                    {
                        return false;
                    }
                }
                else
                {
                    current = [];
                    if (DigestChallenge.Is(name, "Digest"))
                    {
                        digests.Add(current);
                    }
                    if (_at > end && _at < text.Length && !Is(',') && !Skips68() && !(Token() is { } first && TryAdd(current, first)))
                    {
                        return false;
                    }
                }
                SkipSpace();
                if (_at < text.Length && !Is(','))
                {
                    return false;
                }
            }
        }

        private bool Is(char c) => _at < text.Length && text[_at] == c;

        private void SkipSpace()
        {
            while (Is(' ') || Is('\t'))
            {
                _at++;
            }
        }

        // Skips a value without a name, which ends the challenge. False if there is none.
        private bool Skips68()
        {
            ReadOnlySpan<char> rest = text.AsSpan(_at);
            int length = LengthOf(rest, Token68Characters);
            ReadOnlySpan<char> after = rest[length..].TrimStart('=');
            ReadOnlySpan<char> next = after.TrimStart(" \t");
            if (length == 0 || (next.Length > 0 && next[0] != ','))
            {
                return false;
            }
            _at = text.Length - next.Length;
            return true;
        }

        private string? Token()
        {
            int length = LengthOf(text.AsSpan(_at), TokenCharacters);
            _at += length;
            return length == 0 ? null : text[(_at - length).._at];
        }

        private static int LengthOf(ReadOnlySpan<char> rest, SearchValues<char> characters)
        {
            int length = rest.IndexOfAnyExcept(characters);
            return length < 0 ? rest.Length : length;
        }

        // Adds a parameter whose equals sign and value follow.
        private bool TryAdd(List<KeyValuePair<string, string>> parameters, string name)
        {
            SkipSpace();
            if (!Is('='))
            {
                return false;
            }
            _at++;
            SkipSpace();
            if ((Is('"') ? Quoted() : Token()) is not { } value)
            {
                return false;
            }
            parameters.Add(new(name, value));
            return true;
        }

        private string? Quoted()
        {
            var value = new StringBuilder();
            for (_at++; _at < text.Length; _at++)
            {
                if (Is('"'))
                {
                    _at++;
                    return value.ToString();
                }
                if (Is('\\') && ++_at == text.Length)
                {
                    break;
                }
                value.Append(text[_at]);
            }
            return null;
        }
    }
}
