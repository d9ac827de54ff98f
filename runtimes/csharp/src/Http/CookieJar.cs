using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Creo.Http;

/// <summary>The cookies of one host, in memory (HTTP-43 to HTTP-45). Safe for any number of threads.</summary>
/// <param name="host">A name, or an address without brackets.</param>
/// <param name="isSecure">Whether requests go over TLS.</param>
/// <param name="clock">Says what has expired.</param>
internal sealed class CookieJar(string host, bool isSecure, TimeProvider clock)
{
    private const int MaxCookie = 4096;
    private const int MaxCookies = 50;
    private const int MaxSize = 16_384;
    private const int MaxAgeDigits = 9;
    private const long MaxAge = 999_999_999;

    // In the order in which they were first set.
    private readonly List<Cookie> _cookies = [];

    // The end is the second since 1970 in which it expires.
    private sealed record Cookie(string Name, string Value, string Path, long End)
    {
        public int Size => Name.Length + Value.Length + Path.Length;
    }

    /// <summary>What the attributes of a cookie say, as far as they can be read.</summary>
    private struct Said
    {
        public string Domain;
        public string Path;
        public bool IsSecure;

        // In seconds; negative for one that has expired.
        public long? Age;
        public long? Expires;
    }

    private long Now => clock.GetUtcNow().ToUnixTimeSeconds();

    /// <summary>Takes a field <c>Set-Cookie</c> of an answer to a request with this path.</summary>
    public void Take(string requestPath, string field)
    {
        ReadOnlySpan<char> rest = field;
        if (!TryPair(Part(ref rest), out ReadOnlySpan<char> name, out ReadOnlySpan<char> value) || name.Length == 0)
        {
            return;
        }
        Said said = Attributes(rest);
        string path = said.Path.StartsWith('/') ? said.Path : DefaultPath(requestPath);
        if (!IsOwn(said.Domain)
            || (said.IsSecure && !isSecure)
            || name.Length + value.Length + path.Length > MaxCookie
            || !IsPrintable(name) || !IsPrintable(value) || !IsPrintable(path))
        {
            return;
        }
        long now = Now;
        long end = said.Age is { } age ? (age > 0 ? now + age : long.MinValue) : said.Expires ?? long.MaxValue;
        var cookie = new Cookie(name.ToString(), value.ToString(), path, end);
        lock (_cookies)
        {
            int at = _cookies.FindIndex(known => known.Name == cookie.Name && known.Path == path);
            if (end <= now)
            {
                _cookies.RemoveRange(Math.Max(at, 0), at < 0 ? 0 : 1);
            }
            else if (at >= 0)
            {
                _cookies[at] = cookie;
                MakeRoom(now);
            }
            else
            {
                _cookies.Add(cookie);
                MakeRoom(now);
            }
        }
    }

    /// <summary>The value of <c>Cookie</c> for a request with this path; null for none.</summary>
    public string? Header(string path)
    {
        lock (_cookies)
        {
            DropExpired(Now);
            string text = string.Join("; ", _cookies
                .Where(cookie => Matches(path, cookie.Path))
                .OrderByDescending(static cookie => cookie.Path.Length)
                .Select(static cookie => $"{cookie.Name}={cookie.Value}"));
            return text.Length == 0 ? null : text;
        }
    }

    // The text up to the next semicolon, which is taken from the rest.
    private static ReadOnlySpan<char> Part(ref ReadOnlySpan<char> rest)
    {
        int end = rest.IndexOf(';');
        ReadOnlySpan<char> part = end < 0 ? rest : rest[..end];
        rest = end < 0 ? default : rest[(end + 1)..];
        return part;
    }

    // Whether it has an equals sign; without one, all of it is the name.
    private static bool TryPair(ReadOnlySpan<char> part, out ReadOnlySpan<char> name, out ReadOnlySpan<char> value)
    {
        int equals = part.IndexOf('=');
        name = (equals < 0 ? part : part[..equals]).Trim(" \t");
        value = equals < 0 ? default : part[(equals + 1)..].Trim(" \t");
        return equals >= 0;
    }

    // RFC 6265, section 5.2: the last attribute of a name counts, and what cannot be read is as if it were not there.
    private static Said Attributes(ReadOnlySpan<char> rest)
    {
        var said = new Said { Domain = "", Path = "" };
        while (rest.Length > 0)
        {
            TryPair(Part(ref rest), out ReadOnlySpan<char> name, out ReadOnlySpan<char> value);
            if (Is(name, "domain"))
            {
                said.Domain = value.ToString();
            }
            else if (Is(name, "path"))
            {
                said.Path = value.ToString();
            }
            else if (Is(name, "secure"))
            {
                said.IsSecure = true;
            }
            else if (Is(name, "max-age"))
            {
                said.Age = AgeOf(value) ?? said.Age;
            }
            else if (Is(name, "expires"))
            {
                said.Expires = CookieDate.Read(value) ?? said.Expires;
            }
        }
        return said;
    }

    private static bool Is(ReadOnlySpan<char> name, string known) => name.Equals(known, StringComparison.OrdinalIgnoreCase);

    private static long? AgeOf(ReadOnlySpan<char> text)
    {
        bool isNegative = text.StartsWith("-");
        ReadOnlySpan<char> digits = isNegative ? text[1..] : text;
        if (digits.Length == 0 || digits.ContainsAnyExceptInRange('0', '9'))
        {
            return null;
        }
        digits = digits.TrimStart('0');
        return isNegative || digits.Length == 0 ? -1
            : digits.Length > MaxAgeDigits ? MaxAge
            : long.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    private static bool IsPrintable(ReadOnlySpan<char> text) => !text.ContainsAnyExceptInRange(' ', '~');

    // Whether a cookie with this domain is for the host (HTTP-44).
    private bool IsOwn(string domain)
    {
        string wanted = domain.StartsWith('.') ? domain[1..] : domain;
        bool isAddress = host.Contains(':') || !host.AsSpan().ContainsAnyExcept("0123456789.");
        return wanted.Length == 0
            || host.Equals(wanted, StringComparison.OrdinalIgnoreCase)
            || (!isAddress && host.EndsWith("." + wanted, StringComparison.OrdinalIgnoreCase));
    }

    private void DropExpired(long now) => _cookies.RemoveAll(cookie => cookie.End <= now);

    private void MakeRoom(long now)
    {
        if (!IsFull())
        {
            return;
        }
        DropExpired(now);
        while (IsFull())
        {
            _cookies.RemoveAt(0);
        }
    }

    private bool IsFull() => _cookies.Count > MaxCookies || _cookies.Sum(static cookie => cookie.Size) > MaxSize;

    // The path of a cookie that names none (RFC 6265, section 5.1.4).
    private static string DefaultPath(string path)
    {
        int slash = path.LastIndexOf('/');
        return slash <= 0 ? "/" : path[..slash];
    }

    // Whether a request with this path gets a cookie with that one (RFC 6265, section 5.1.4).
    private static bool Matches(string path, string own) =>
        path.StartsWith(own, StringComparison.Ordinal) && (own.EndsWith('/') || path.Length == own.Length || path[own.Length] == '/');
}

/// <summary>Dates of cookies (RFC 6265, section 5.1.1).</summary>
internal static class CookieDate
{
    private const string Months = "jan feb mar apr may jun jul aug sep oct nov dec";
    private const int FirstYear = 1601;

    /// <summary>The seconds since 1970; null if the text is no date.</summary>
    public static long? Read(ReadOnlySpan<char> text)
    {
        (int Hour, int Minute, int Second)? time = null;
        int day = -1;
        int month = -1;
        int year = -1;
        while (text.Length > 0)
        {
            int begin = 0;
            while (begin < text.Length && IsBetween(text[begin]))
            {
                begin++;
            }
            int end = begin;
            while (end < text.Length && !IsBetween(text[end]))
            {
                end++;
            }
            ReadOnlySpan<char> word = text[begin..end];
            text = text[end..];
            if (time is null && Time(word) is { } read)
            {
                time = read;
            }
            else if (day < 0 && Number(word, 1, 2) is >= 0 and var first)
            {
                day = first;
            }
            else if (month < 0 && Month(word) is > 0 and var named)
            {
                month = named;
            }
            else if (year < 0 && Number(word, 2, 4) is >= 0 and var second)
            {
                year = second;
            }
        }
        year += year is < 0 or >= 100 ? 0 : year >= 70 ? 1900 : 2000;
        bool isDate = time is { Hour: < 24, Minute: < 60, Second: < 60 } && month > 0 && year >= FirstYear && day >= 1 && day <= DateTime.DaysInMonth(year, month);
        return isDate ? new DateTimeOffset(year, month, day, time!.Value.Hour, time.Value.Minute, time.Value.Second, TimeSpan.Zero).ToUnixTimeSeconds() : null;
    }

    private static bool IsBetween(char c) => c is '\t' or (>= ' ' and <= '/') or (>= ';' and <= '@') or (>= '[' and <= '`') or (>= '{' and <= '~');

    // The number at the beginning, which has so many digits; -1 if there is none.
    private static int Number(ReadOnlySpan<char> word, int min, int max) => Number(ref word, min, max);

    private static int Number(ref ReadOnlySpan<char> word, int min, int max)
    {
        int length = word.IndexOfAnyExceptInRange('0', '9');
        length = length < 0 ? word.Length : length;
        if (length < min || length > max)
        {
            return -1;
        }
        int number = int.Parse(word[..length], NumberStyles.None, CultureInfo.InvariantCulture);
        word = word[length..];
        return number;
    }

    private static (int Hour, int Minute, int Second)? Time(ReadOnlySpan<char> word)
    {
        int hour = Number(ref word, 1, 2);
        int minute = hour >= 0 && Colon(ref word) ? Number(ref word, 1, 2) : -1;
        int second = minute >= 0 && Colon(ref word) ? Number(ref word, 1, 2) : -1;
        return second < 0 ? null : (hour, minute, second);
    }

    private static bool Colon(ref ReadOnlySpan<char> word)
    {
        bool isThere = word.StartsWith(":");
        word = isThere ? word[1..] : word;
        return isThere;
    }

    // From 1; -1 if the word names none.
    private static int Month(ReadOnlySpan<char> word)
    {
        for (int i = 0; i < Months.Length && word.Length >= 3; i += 4)
        {
            if (word[..3].Equals(Months.AsSpan(i, 3), StringComparison.OrdinalIgnoreCase))
            {
                return i / 4 + 1;
            }
        }
        return -1;
    }
}
