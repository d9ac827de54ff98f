using System;
using System.Collections.Generic;
using System.Text;
using Creo.Soap;

namespace Creo.Xml;

// Faults, which keep all their texts (SOAP-13, SOAP-14).
internal sealed partial class XmlReader
{
    private const string ErrorNamespace = "urn:creo:error";

    /// <summary>Reads only the fault in the body: a declared exception, or an error.</summary>
    public Exception ReadFault(IReadOnlyList<TextCase> throws)
    {
        _pending = false;
        var fault = new Fault();
        while (ChildPastText(null))
        {
            StartTag();
            if (IsTag("faultcode"u8))
            {
                fault.Code = Words(fault.Code);
            }
            else if (IsTag("Code"u8))
            {
                ReadCode(fault);
            }
            else if (IsTag("faultstring"u8))
            {
                fault.Text = Words(fault.Text);
            }
            else if (IsTag("Reason"u8))
            {
                fault.Text = WordsWithin("Text"u8, fault.Text);
            }
            else if (IsTag("faultactor"u8) || IsTag("Role"u8))
            {
                fault.Actor = Words(fault.Actor);
            }
            else if (fault.Detail is null && (IsTag("detail"u8) || IsTag("Detail"u8)))
            {
                ReadDetail(fault, throws);
            }
            else
            {
                SkipElement();
            }
        }
        return fault.ToException();
    }

    // Goes to the next tag, adding text before it to the words: true if it opens an element, false if the innermost one ends.
    private bool ChildPastText(StringBuilder? words)
    {
        if (_empty)
        {
            return false;
        }
        int p = _pos;
        while (true)
        {
            int run = _b.AsSpan(p, _end - p).IndexOfAny((byte)'<', (byte)'&');
            int to = run < 0 ? _end : p + run;
            AddText(words, p, to);
            p = to;
            if (_b[p] == '&')
            {
                int code = Reference(p);
                words?.Append(char.ConvertFromUtf32(code));
                p = _referenceEnd;
            }
            else if (IsAt(p, "<![CDATA["u8))
            {
                int end = CdataEnd(p);
                words?.Append(Encoding.UTF8.GetString(_b, p + 9, end - p - 12));
                p = end;
            }
            else if (_b[p] == 0)
            {
                throw Malformed(_end, "");
            }
            else if (_b[p + 1] is (byte)'!' or (byte)'?')
            {
                p = Comment(p);
            }
            else
            {
                _pos = p;
                return _b[p + 1] != '/';
            }
        }
    }

    private void AddText(StringBuilder? words, int from, int to)
    {
        CheckText(from, to - from);
        CheckCharacters(from, to);
        int brackets = _b.AsSpan(from, to - from).IndexOf("]]>"u8);
        if (brackets >= 0)
        {
            throw Malformed(from + brackets, "\"]]>\" in text");
        }
        words?.Append(Encoding.UTF8.GetString(_b, from, to - from));
    }

    // The text of an element, ignoring child elements; `known` if that is not null.
    private string Words(string? known)
    {
        string words = AllWords();
        return known ?? words.Trim();
    }

    // The untrimmed text of an element, ignoring child elements.
    private string AllWords()
    {
        var words = new StringBuilder();
        while (ChildPastText(words))
        {
            StartTag();
            SkipElement();
        }
        EndTag();
        return words.ToString();
    }

    // The text of the first element with a name within the innermost one; `known` if that is not null.
    private string? WordsWithin(ReadOnlySpan<byte> local, string? known)
    {
        string? words = known;
        while (ChildPastText(null))
        {
            StartTag();
            if (IsTag(local))
            {
                words = Words(words);
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
        return words;
    }

    // SOAP 1.2: the code and an optional subcode.
    private void ReadCode(Fault fault)
    {
        while (ChildPastText(null))
        {
            StartTag();
            if (IsTag("Value"u8))
            {
                fault.Code = Words(fault.Code);
            }
            else if (IsTag("Subcode"u8))
            {
                fault.Subcode = WordsWithin("Value"u8, fault.Subcode);
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
    }

    private void ReadDetail(Fault fault, IReadOnlyList<TextCase> throws)
    {
        int from = _elements[_open - 1].Name - 1;
        bool isKnown = false;
        while (ChildPastText(null))
        {
            StartTag();
            if (!isKnown && CaseOf(throws) is { } declared)
            {
                isKnown = true;
                ReadDeclared(fault, declared);
            }
            else if (!isKnown && _tagNamespace == ErrorNamespace && IsTag("error"u8))
            {
                isKnown = true;
                ReadError(fault);
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
        fault.Detail = Encoding.UTF8.GetString(_b, from, Math.Min(_pos - from, 4000));
    }

    // A declared exception; if the element is invalid, the reason.
    private void ReadDeclared(Fault fault, TextCase declared)
    {
        OpenElement element = _elements[_open - 1];
        int outer = _open - 1;
        _field = declared.Root;
        _source = Source.Element;
        IsException();
        try
        {
            fault.Declared = declared.Read(this);
        }
        catch (CreoException error) when (error.Code == ErrorCode.Malformed)
        {
            fault.Problem = (error.Place is null ? Locate(error) : error).Message;
            Forget();
            _pending = _lacking = _inBody = false;
            Restart(element, outer);
            SkipElement();
        }
    }

    // Returns to an element at a depth, and reads its start tag again.
    private void Restart(OpenElement element, int outer)
    {
        _pos = element.Name - 1;
        _open = outer;
        _prefixes.Reset(_b, element.Scope);
        _likelyNamespace = null;
        _empty = false;
        _attributes = 0;
        StartTag();
    }

    private TextCase? CaseOf(IReadOnlyList<TextCase> throws)
    {
        for (int i = 0; i < throws.Count; i++)
        {
            if (throws[i].Root.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                return throws[i];
            }
        }
        return null;
    }

    private void ReadError(Fault fault)
    {
        fault.Error = "";
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, XmlName.None, "code"u8))
            {
                fault.Error = AttributeText(k);
            }
        }
        while (ChildPastText(null))
        {
            StartTag();
            string? key = null;
            for (int k = 0; k < _attributes; k++)
            {
                key = IsAttribute(k, XmlName.None, "key"u8) ? AttributeText(k) : key;
            }
            if (key is not null && _tagNamespace == ErrorNamespace && IsTag("detail"u8))
            {
                fault.Details[key] = Words(null);
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
    }

    // The content of a fault.
    private sealed class Fault
    {
        public string? Code { get; set; }

        public string? Subcode { get; set; }

        public string? Text { get; set; }

        public string? Actor { get; set; }

        public string? Detail { get; set; }

        // Why a declared exception could not be read.
        public string? Problem { get; set; }

        public string? Error { get; set; }

        public Dictionary<string, string> Details { get; } = [];

        public DeclaredException? Declared { get; set; }

        public Exception ToException()
        {
            if (Declared is not null)
            {
                return Declared;
            }
            if (Error is not null)
            {
                ErrorCode? known = ErrorCodes.OfWord(Error);
                string message = known is null ? $"an error of the unknown code \"{Error}\": {Text}" : Text ?? "";
                return CreoException.OfPeer(known ?? ErrorCode.Internal, message, Details);
            }
            string code = Local(Code);
            ErrorCode meant = code.Split('.')[0] switch
            {
                "Client" or "Sender" => ErrorCode.Malformed,
                "VersionMismatch" or "MustUnderstand" => ErrorCode.ProtocolMismatch,
                _ => ErrorCode.Internal,
            };
            Add("fault-code", Code);
            Add("fault-subcode", Subcode);
            Add("fault-actor", Actor);
            Add("fault-detail", Detail);
            Add("fault-problem", Problem);
            // For SOAP over JMS, the code or subcode (JMS-8).
            foreach (string refusal in (ReadOnlySpan<string>)[code, Local(Subcode)])
            {
                if (SoapNames.IsOfJms(refusal))
                {
                    meant = ErrorCode.ProtocolMismatch;
                    Details["fault-code"] = refusal;
                }
            }
            return CreoException.OfPeer(meant, string.IsNullOrEmpty(Text) ? "a fault without a text" : Text, Details);
        }

        // The part of a name after its prefix, or after the namespace in braces.
        private static string Local(string? name) => name is null ? "" : name[(name.LastIndexOfAny([':', '}']) + 1)..];

        private void Add(string name, string? text)
        {
            if (!string.IsNullOrEmpty(text))
            {
                Details[name] = CreoException.Printable(text);
            }
        }
    }
}
