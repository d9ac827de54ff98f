using System;
using System.Text;
using Creo.Soap;

namespace Creo.Xml;

// Header blocks of answers: those with mustUnderstand (SOAP-4), of addressing (SOAP-42) and of user tokens (SOAP-52).
internal sealed partial class XmlReader
{
    // The max length of a text in a block.
    private const int MaxBlock = 4096;

    private static readonly TimeSpan Skew = TimeSpan.FromMinutes(5);

    private string? _requestId;
    private bool _takesSecurity;
    private ValueArray<string> _understood;
    private bool _isReply;
    private bool _isReplyToRequest;

    // What is wrong with the time of the answer.
    private CreoException? _untimely;

    private void ExpectBlocks(string? requestId, bool takesSecurity, ValueArray<string> understood)
    {
        _requestId = requestId;
        _understood = understood;
        _takesSecurity = takesSecurity;
        _isReply = _isReplyToRequest = false;
        _untimely = null;
    }

    // Reads a block whose start tag was read. Returns the block, for messages, if it must be understood and is not.
    private string? ReadBlock()
    {
        (bool must, bool isOurs) = Duty();
        string? unknown = must && isOurs ? TagName() : null;
        if (unknown is not null && (IsPart() || _understood.Span.Contains(unknown)))
        {
            unknown = null;
        }
        if (isOurs && _tagNamespace == Addressing.Namespace)
        {
            if (_requestId is not null && IsTag("RelatesTo"u8))
            {
                ReadRelation(_requestId);
            }
            else
            {
                SkipElement();
            }
            return null;
        }
        if (isOurs && _takesSecurity && _tagNamespace == Security.Namespace && IsTag("Security"u8))
        {
            return IsSecurityUnderstood() ? null : unknown;
        }
        SkipElement();
        return unknown;
    }

    // Whether a block is a part of the response (SOAP-26).
    private bool IsPart()
    {
        foreach (TextField field in _headers?.Fields ?? [])
        {
            if (field.IsHeader && field.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                return true;
            }
        }
        return false;
    }

    // The element whose start tag was read, as {namespace}name.
    private string TagName()
    {
        string local = Encoding.UTF8.GetString(_b, _tagLocal, _tagEnd - _tagLocal);
        return _tagNamespace.Length == 0 ? local : $"{{{_tagNamespace}}}{local}";
    }

    // Fails if the header of an answer other than a fault is invalid.
    private void CheckBlocks(string? unknown)
    {
        if (unknown is not null)
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer has the header element {CreoException.Printable(unknown)}, which must be understood, and is not: name it as understood if it may be skipped");
        }
        if (_isReply && !_isReplyToRequest)
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, "the answer is for another request: no RelatesTo in its header has the id of this one");
        }
        if (_untimely is not null)
        {
            throw _untimely;
        }
    }

    // SOAP-4
    private (bool Must, bool IsOurs) Duty()
    {
        bool must = false;
        bool isOurs = true;
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, _envelope, "mustUnderstand"u8))
            {
                must = AttributeText(k).Trim() is "1" or "true";
            }
            else if (IsAttribute(k, _envelope, "actor"u8) || IsAttribute(k, _envelope, "role"u8))
            {
                isOurs = AttributeText(k).Trim() is "" or SoapNames.Next11 or SoapNames.Next12 or SoapNames.Ultimate12;
            }
        }
        return (must, isOurs);
    }

    private void ReadRelation(string requestId)
    {
        bool isReply = true;
        for (int k = 0; k < _attributes; k++)
        {
            isReply &= !IsAttribute(k, XmlName.None, "RelationshipType"u8) || Trimmed(k) == Addressing.Reply;
        }
        bool isThis = BlockText() == requestId;
        _isReply |= isReply;
        _isReplyToRequest |= isReply && isThis;
    }

    // Whether a block has only known content. Its time counts only then.
    private bool IsSecurityUnderstood()
    {
        bool isKnown = true;
        CreoException? untimely = null;
        while (ChildPastText(null))
        {
            StartTag();
            if (_tagNamespace == Security.Utility && IsTag("Timestamp"u8))
            {
                CreoException? wrong = ReadTimestamp();
                untimely ??= wrong;
                continue;
            }
            isKnown &= (_tagNamespace == Security.Namespace && IsTag("UsernameToken"u8)) || IsEmptyConfirmation();
            SkipElement();
        }
        EndTag();
        _untimely ??= isKnown ? untimely : null;
        return isKnown;
    }

    private bool IsEmptyConfirmation()
    {
        bool isEmpty = _tagNamespace == Security.Namespace11 && IsTag("SignatureConfirmation"u8);
        for (int k = 0; k < _attributes; k++)
        {
            isEmpty &= !IsAttribute(k, XmlName.None, "Value"u8);
        }
        return isEmpty;
    }

    // What is wrong with it; null if nothing is.
    private CreoException? ReadTimestamp()
    {
        CreoException? wrong = null;
        DateTime now = DateTime.UtcNow;
        while (ChildPastText(null))
        {
            StartTag();
            bool isCreated = _tagNamespace == Security.Utility && IsTag("Created"u8);
            if (!isCreated && !(_tagNamespace == Security.Utility && IsTag("Expires"u8)))
            {
                SkipElement();
                continue;
            }
            int at = _pos;
            CreoException? problem = !TryTime(BlockText(), out DateTime time)
                ? Malformed(at, $"the {(isCreated ? "Created" : "Expires")} of the answer's Timestamp is no time")
                : isCreated && time - now > Skew
                ? new CreoException(ErrorCode.ProtocolMismatch, "the answer's Timestamp was created more than five minutes in the future")
                : !isCreated && now - time > Skew
                ? new CreoException(ErrorCode.ProtocolMismatch, "the answer's Timestamp expired more than five minutes ago")
                : null;
            wrong ??= problem;
        }
        EndTag();
        return wrong;
    }

    private static bool TryTime(string? text, out DateTime time)
    {
        time = default;
        if (text is null || !TextTimes.TryParse(Encoding.UTF8.GetBytes(text), out Instant instant))
        {
            return false;
        }
        time = instant.ToDateTime();
        return true;
    }

    // The trimmed text of an element whose start tag was read; null if it is too long.
    private string? BlockText()
    {
        OpenElement element = _elements[_open - 1];
        int outer = _open - 1;
        int from = _pos;
        SkipElement();
        if (_pos - from > MaxBlock)
        {
            return null;
        }
        Restart(element, outer);
        return AllWords().Trim(' ', '\t', '\r', '\n');
    }
}
