using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Creo.Http;

/// <summary>Copies the bytes of a message with <c>***</c> for secrets, by the names of elements, attributes and members (CALL-65).</summary>
internal sealed class RawBody
{
    private const string NoText = "the media type is neither JSON nor XML";
    private const string Wrong = "it is not well-formed";
    private const string Nameless = "its secrets have no names of their own";
    private const int MaxDepth = 256;

    private static readonly string[] Always = ["Password", "Nonce", "BinarySecurityToken", "Assertion"];
    private static readonly string[] Tables = ["CT", "RT", "UT", "ContentTable", "RecordTable", "UpdateTable"];

    private readonly ReadOnlyMemory<byte> _body;
    private readonly IReadOnlyList<string> _secrets;
    private readonly MemoryStream _shown = new();
    private int _at;

    // The first byte that was not copied.
    private int _rest;
    private bool _isHiding;

    private RawBody(ReadOnlyMemory<byte> body, IReadOnlyList<string> secrets)
    {
        (_body, _secrets) = (body, secrets);
        _at = body.Span.StartsWith("\ufeff"u8) ? 3 : 0;
    }

    private bool IsAtEnd => _at == _body.Length;

    /// <summary>The bytes without secrets; none, and the reason, if secrets may be anywhere.</summary>
    public static byte[] Shown(ReadOnlyMemory<byte> body, string? mediaType, IReadOnlyList<string> secrets, out string? hidden)
    {
        hidden = null;
        try
        {
            return body.Length == 0 ? [] : Masked(body, mediaType, secrets);
        }
        catch (InvalidDataException reason)
        {
            if (secrets.Count == 0 && body.Span.IndexOf("wssecurity-secext"u8) < 0 && !body.Span.Contains((byte)0))
            {
                return body.ToArray();
            }
            hidden = reason.Message;
            return [];
        }
    }

    private static byte[] Masked(ReadOnlyMemory<byte> bytes, string? mediaType, IReadOnlyList<string> secrets)
    {
        string type = (mediaType ?? "").Split(';')[0].Trim().ToLowerInvariant();
        bool isJson = type == "application/json" || type.EndsWith("+json", StringComparison.Ordinal);
        if (!isJson && type is not ("text/xml" or "application/xml") && !type.EndsWith("+xml", StringComparison.Ordinal))
        {
            throw new InvalidDataException(NoText);
        }
        if (secrets.Contains("*"))
        {
            throw new InvalidDataException(Nameless);
        }
        var body = new RawBody(bytes, secrets);
        if (isJson)
        {
            body.Json();
        }
        else
        {
            body.Xml();
        }
        body._shown.Write(bytes.Span[body._rest..]);
        return body._shown.ToArray();
    }

    private void Hide(int from, int to, ReadOnlySpan<byte> by)
    {
        _shown.Write(_body.Span[_rest..from]);
        _shown.Write(by);
        _rest = to;
    }

    private string Text(int from, int to) => Encoding.UTF8.GetString(_body.Span[from..to]);

    private bool IsAt(char c) => _at < _body.Length && _body.Span[_at] == c;

    private bool Takes(char c)
    {
        bool taken = IsAt(c);
        _at += taken ? 1 : 0;
        return taken;
    }

    private void Expect(char c)
    {
        if (!Takes(c))
        {
            throw new InvalidDataException(Wrong);
        }
    }

    private void Space()
    {
        while (IsAt(' ') || IsAt('\t') || IsAt('\r') || IsAt('\n'))
        {
            _at++;
        }
    }

    private void Json()
    {
        Space();
        Value(0);
        Space();
        if (!IsAtEnd)
        {
            throw new InvalidDataException(Wrong);
        }
    }

    private void Value(int depth)
    {
        if (depth == MaxDepth)
        {
            throw new InvalidDataException(Wrong);
        }
        if (IsAt('{'))
        {
            Items('}', depth);
        }
        else if (IsAt('['))
        {
            Items(']', depth);
        }
        else if (IsAt('"'))
        {
            QuotedText();
        }
        else
        {
            int from = _at;
            while (!IsAtEnd && (char.IsAsciiLetterOrDigit((char)_body.Span[_at]) || IsAt('+') || IsAt('-') || IsAt('.')))
            {
                _at++;
            }
            if (_at == from)
            {
                throw new InvalidDataException(Wrong);
            }
        }
    }

    private void Items(char end, int depth)
    {
        _at++;
        Space();
        if (Takes(end))
        {
            return;
        }
        do
        {
            Space();
            bool isSecret = end == '}' && Member();
            int from = _at;
            _isHiding |= isSecret;
            Value(depth + 1);
            if (isSecret)
            {
                _isHiding = false;
                Hide(from, _at, "\"***\""u8);
            }
            Space();
        }
        while (Takes(','));
        Expect(end);
    }

    // The name of a member, up to its value; whether that is to be hidden.
    private bool Member()
    {
        int from = _at + 1;
        QuotedText();
        string name = Text(from, _at - 1);
        if (_secrets.Count > 0 && name.Contains('\\'))
        {
            throw new InvalidDataException(Nameless);
        }
        Space();
        Expect(':');
        Space();
        return !_isHiding && _secrets.Contains(name);
    }

    private void QuotedText()
    {
        Expect('"');
        while (!IsAtEnd && !IsAt('"'))
        {
            _at += IsAt('\\') && _at + 1 < _body.Length ? 2 : 1;
        }
        Expect('"');
    }

    private void Xml()
    {
        var open = new Stack<string>();
        bool isSeen = false;
        int hidden = 0;
        int from = 0;
        while (true)
        {
            Space();
            if (IsAtEnd)
            {
                break;
            }
            if (!IsAt('<'))
            {
                if (open.Count == 0)
                {
                    throw new InvalidDataException(Wrong);
                }
                while (!IsAtEnd && !IsAt('<'))
                {
                    _at++;
                }
            }
            else if (Skips("<!--"u8, "-->"u8) || Skips("<?"u8, "?>"u8) || (open.Count > 0 && Skips("<![CDATA["u8, "]]>"u8)))
            {
                continue;
            }
            else if (_body.Span[_at..].StartsWith("</"u8))
            {
                int end = _at;
                _at += 2;
                string name = Name();
                Space();
                Expect('>');
                if (open.Count == 0 || open.Pop() != name)
                {
                    throw new InvalidDataException(Wrong);
                }
                if (_isHiding && open.Count == hidden)
                {
                    _isHiding = false;
                    Hide(from, end, "***"u8);
                }
            }
            else
            {
                if ((open.Count == 0 && isSeen) || open.Count == MaxDepth)
                {
                    throw new InvalidDataException(Wrong);
                }
                isSeen = true;
                _at++;
                string name = Name();
                bool isSecret = !_isHiding && IsSecret(Local(name));
                if (Attributes(isSecret, isSecret && _secrets.Contains(Local(name))))
                {
                    if (isSecret)
                    {
                        (_isHiding, hidden, from) = (true, open.Count, _at);
                    }
                    open.Push(name);
                }
            }
        }
        if (!isSeen || open.Count > 0)
        {
            throw new InvalidDataException(Wrong);
        }
    }

    private bool Skips(ReadOnlySpan<byte> begin, ReadOnlySpan<byte> end)
    {
        ReadOnlySpan<byte> rest = _body.Span[_at..];
        if (!rest.StartsWith(begin))
        {
            return false;
        }
        int found = rest[begin.Length..].IndexOf(end);
        if (found < 0)
        {
            throw new InvalidDataException(Wrong);
        }
        _at += begin.Length + found + end.Length;
        return true;
    }

    private string Name()
    {
        ReadOnlySpan<byte> rest = _body.Span[_at..];
        int length = rest.IndexOfAny(" \t\r\n/>=<\"'!"u8);
        if (length <= 0)
        {
            throw new InvalidDataException(Wrong);
        }
        _at += length;
        return Text(_at - length, _at);
    }

    private static string Local(string name) => name[(name.IndexOf(':') + 1)..];

    private bool IsSecret(string local)
    {
        if (_secrets.Count > 0 && Tables.Contains(local))
        {
            throw new InvalidDataException(Nameless);
        }
        return Always.Contains(local) || _secrets.Contains(local);
    }

    // The attributes of an element and the end of its tag; whether it has content.
    private bool Attributes(bool ofSecret, bool isDeclared)
    {
        while (true)
        {
            int before = _at;
            Space();
            if (Takes('>'))
            {
                return true;
            }
            if (Takes('/'))
            {
                Expect('>');
                return false;
            }
            if (_at == before)
            {
                throw new InvalidDataException(Wrong);
            }
            string name = Name();
            Space();
            Expect('=');
            Space();
            char quote = IsAt('\'') ? '\'' : '"';
            Expect(quote);
            int from = _at;
            while (!IsAtEnd && !IsAt(quote) && !IsAt('<'))
            {
                _at++;
            }
            int to = _at;
            Expect(quote);
            if (isDeclared && Local(name) == "href")
            {
                throw new InvalidDataException(Nameless);
            }
            bool isNamespace = name == "xmlns" || name.StartsWith("xmlns:", StringComparison.Ordinal);
            if (!_isHiding && !isNamespace && (ofSecret || _secrets.Contains(Local(name))))
            {
                Hide(from, to, "***"u8);
            }
        }
    }
}
