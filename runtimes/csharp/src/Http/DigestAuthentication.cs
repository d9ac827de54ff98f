using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace Creo.Http;

/// <summary>A user and a password, and the challenge that requests answer without waiting to be asked (HTTP-48 to HTTP-51). Safe for any number of threads.</summary>
/// <param name="user">The user.</param>
/// <param name="password">The password.</param>
/// <param name="cnonces">Makes the nonces of the client; tests have others than random ones.</param>
internal sealed class DigestAuthentication(string user, string password, Func<string> cnonces)
{
    private readonly object _lock = new();
    private Kept? _kept;

    public DigestAuthentication(string user, string password)
        : this(user, password, static () => Convert.ToHexString(RandomNumberGenerator.GetBytes(16)))
    {
    }

    /// <summary>A challenge, with the number of requests that have answered it.</summary>
    private sealed record Kept(DigestChallenge Challenge, string Cnonce)
    {
        public uint Count { get; set; }
    }

    /// <summary>One call: what its requests have shown, and to what its answers have led. Used by one thread at a time.</summary>
    public sealed class Attempt(DigestAuthentication owner)
    {
        private Kept? _used;
        private bool _isAsked;
        private bool _isRefused;

        /// <summary>The value of <c>Authorization</c> for a request, one character per byte; null if no challenge is known.</summary>
        public string? Value(string method, string target)
        {
            uint count;
            lock (owner._lock)
            {
                _used = owner._kept;
                if (_used is null)
                {
                    return null;
                }
                count = ++_used.Count;
                owner._kept = count == uint.MaxValue ? null : _used;
            }
            return owner.ValueOf(_used, count, method, target);
        }

        /// <summary>Takes an answer 401. Returns whether the request is to be sent again, with another value.</summary>
        /// <param name="values">The values of <c>WWW-Authenticate</c>.</param>
        /// <param name="problem">Why a digest that is asked for cannot be made; null if there is no such problem.</param>
        public bool IsAgain(IEnumerable<string> values, out string? problem)
        {
            if (DigestChallenge.Of(values, out problem) is { } challenge && LeadsOn(challenge))
            {
                owner.Keep(challenge);
                return true;
            }
            owner.Forget(_used);
            return false;
        }

        private bool LeadsOn(DigestChallenge challenge)
        {
            if (_used is null)
            {
                bool isFirst = !_isAsked;
                _isAsked = true;
                return isFirst;
            }
            bool isFirstRefusal = !_isRefused;
            _isRefused = true;
            return isFirstRefusal && (challenge.IsStale || (!_isAsked && challenge.Nonce != _used.Challenge.Nonce));
        }
    }

    private void Keep(DigestChallenge challenge)
    {
        lock (_lock)
        {
            _kept = _kept is { } old && old.Challenge.Nonce == challenge.Nonce
                ? new Kept(challenge, old.Cnonce) { Count = old.Count }
                : new Kept(challenge, cnonces());
        }
    }

    private void Forget(Kept? refused)
    {
        lock (_lock)
        {
            _kept = ReferenceEquals(_kept, refused) ? null : _kept;
        }
    }

    private string ValueOf(Kept kept, uint count, string method, string target)
    {
        (DigestChallenge challenge, string cnonce) = kept;
        string name = Bytes(user);
        string secret = Hash(challenge, $"{name}:{challenge.Realm}:{Bytes(password)}");
        if (challenge.IsSession)
        {
            secret = Hash(challenge, $"{secret}:{challenge.Nonce}:{cnonce}");
        }
        string nc = count.ToString("x8", CultureInfo.InvariantCulture);
        string middle = challenge.HasQop ? $"{nc}:{cnonce}:auth:" : "";
        string response = Hash(challenge, $"{secret}:{challenge.Nonce}:{middle}{Hash(challenge, $"{method}:{target}")}");
        string shown = challenge.HashesUser ? "username=" + Quoted(Hash(challenge, $"{name}:{challenge.Realm}"))
            : Ascii.IsValid(user) ? "username=" + Quoted(user)
            : "username*=UTF-8''" + Uri.EscapeDataString(user);
        var value = new StringBuilder("Digest ").Append(shown).Append(", realm=").Append(Quoted(challenge.Realm)).Append(", nonce=").Append(Quoted(challenge.Nonce));
        value.Append(", uri=").Append(Quoted(target)).Append(", response=").Append(Quoted(response));
        if (challenge.Algorithm is not null)
        {
            value.Append(", algorithm=").Append(challenge.Algorithm);
        }
        if (challenge.Opaque is not null)
        {
            value.Append(", opaque=").Append(Quoted(challenge.Opaque));
        }
        if (challenge.HasQop)
        {
            value.Append(", qop=auth, nc=").Append(nc).Append(", cnonce=").Append(Quoted(cnonce));
        }
        return value.Append(challenge.HashesUser ? ", userhash=true" : "").ToString();
    }

    // A text as one character per byte of UTF-8.
    private static string Bytes(string text) => Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(text));

    private static string Quoted(string text) => $"\"{text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)}\"";

    private static string Hash(DigestChallenge challenge, string text)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(text);
#pragma warning disable CA5351 // Services that have nothing better ask for MD5, and no message rests on it.
        return Convert.ToHexString(challenge.IsSha256 ? SHA256.HashData(bytes) : MD5.HashData(bytes)).ToLowerInvariant();
#pragma warning restore CA5351
    }
}
