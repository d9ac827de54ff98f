using System;
using System.Collections.Generic;
using System.Text;
using Creo.Soap;

namespace Creo.Xml;

// Envelopes, and the faults in them (SOAP-1 to SOAP-4, SOAP-13).
internal sealed partial class XmlReader
{
    private const string ErrorNamespace = "urn:creo:error";

    private string _envelope = "";

    /// <summary>The parts of the package whose root is read; null if the text is none.</summary>
    public void Use(IXopParts? parts) => _parts = parts;

    /// <summary>Reads an envelope up to its body, and the start of the body's element. Says whether that is a fault.</summary>
    public bool BeginEnvelope()
    {
        Child();
        StartTag();
        if (!IsTag("Envelope"u8))
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer is the element {ShownTag()}, and no envelope of SOAP");
        }
        if (_tagNamespace is not (SoapNames.Envelope11 or SoapNames.Envelope12))
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer is an envelope of a version of SOAP that is not known here: \"{_tagNamespace}\"");
        }
        _envelope = _tagNamespace;
        CheckEncodingStyle();
        NextOfEnvelope();
        if (IsTag("Header"u8))
        {
            CheckEncodingStyle();
            while (Child())
            {
                StartTag();
                CheckUnderstood();
                SkipElement();
            }
            EndTag();
            NextOfEnvelope();
        }
        if (!IsTag("Body"u8))
        {
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where the body of the envelope must be");
        }
        CheckEncodingStyle();
        if (!Child())
        {
            return false;
        }
        StartTag();
        _pending = true;
        return _tagNamespace == _envelope && IsTag("Fault"u8);
    }

    /// <summary>Reads the result that stands in the body, up to the end of the text.</summary>
    public TResult ReadBody<TResult>(TextResponse<TResult> response)
    {
        TResult result;
        if (response.Element is null)
        {
            // Without an element of its own: the body is it.
            _inBody = true;
            result = response.Read(this);
        }
        else
        {
            if (!_pending || !response.Element.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
            {
                throw Malformed(_pending ? _elements[_open - 1].Name - 1 : _pos, $"{(_pending ? "the element " + ShownTag() : "an empty body")}, where {response.Element.Xml} must be");
            }
            _pending = false;
            _field = response.Element;
            _source = Source.Element;
            result = response.Read(this);
            EndOf("body");
        }
        EndOf("envelope");
        EndDocument();
        return result;
    }

    /// <summary>Reads the fault that stands in the body, up to the end of the text: an exception that the method declares, or an error.</summary>
    public Exception ReadFault(IReadOnlyList<TextCase> throws)
    {
        _pending = false;
        var fault = new Fault();
        while (Child())
        {
            StartTag();
            if (IsTag("faultcode"u8))
            {
                fault.Code = CodeText();
            }
            else if (IsTag("Code"u8))
            {
                ReadCode(fault);
            }
            else if (IsTag("faultstring"u8))
            {
                fault.Text = ElementText();
            }
            else if (IsTag("Reason"u8))
            {
                Within("Text"u8, reader =>
                {
                    string text = reader.ElementText();
                    fault.Text ??= text;
                });
            }
            else if (IsTag("faultactor"u8) || IsTag("Role"u8))
            {
                fault.Actor = ElementText();
            }
            else if (IsTag("detail"u8) || IsTag("Detail"u8))
            {
                ReadDetail(fault, throws);
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
        EndOf("body");
        EndOf("envelope");
        EndDocument();
        return fault.ToException();
    }

    private bool IsTag(ReadOnlySpan<byte> local) => _b.AsSpan(_tagLocal, _tagEnd - _tagLocal).SequenceEqual(local);

    private void NextOfEnvelope()
    {
        if (!Child())
        {
            throw Malformed(_pos, "an envelope without a body");
        }
        StartTag();
        if (_tagNamespace != _envelope)
        {
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where the header or the body of the envelope must be");
        }
    }

    private void EndOf(string what)
    {
        if (_pending || Child())
        {
            throw Malformed(_pending ? _elements[_open - 1].Name - 1 : _pos, $"something more in the {what}");
        }
        EndTag();
    }

    private void CheckEncodingStyle()
    {
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, _envelope, "encodingStyle"u8) && AttributeText(k) is SoapNames.Encoding11 or SoapNames.Encoding12)
            {
                throw Malformed(_attribute[k].Value, "a message in SOAP's own encoding, which is not known here");
            }
        }
    }

    private void CheckUnderstood()
    {
        bool must = false;
        bool ours = true;
        for (int k = 0; k < _attributes; k++)
        {
            if (IsAttribute(k, _envelope, "mustUnderstand"u8))
            {
                must = AttributeText(k).Trim() is "1" or "true";
            }
            else if (IsAttribute(k, _envelope, "actor"u8) || IsAttribute(k, _envelope, "role"u8))
            {
                ours = AttributeText(k).Trim() is "" or SoapNames.Next11 or SoapNames.Next12 or SoapNames.Ultimate12;
            }
        }
        if (must && ours)
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer has the header element {ShownTag()}, which must be understood, and is not known here");
        }
    }

    private string AttributeText(int index)
    {
        Expand(index);
        return Encoding.UTF8.GetString(Taken);
    }

    private string ElementText()
    {
        TakeText();
        string text = Encoding.UTF8.GetString(Taken);
        EndTag();
        return text;
    }

    // The local name of a fault's code, without what stands behind a point.
    private string CodeText()
    {
        string text = ElementText().Trim();
        text = text[(text.IndexOf(':') + 1)..];
        int point = text.IndexOf('.');
        return point < 0 ? text : text[..point];
    }

    // SOAP 1.2: the code, and perhaps one beneath it, of which those of the binding to JMS mean more (JMS-8).
    private void ReadCode(Fault fault)
    {
        while (Child())
        {
            StartTag();
            if (IsTag("Value"u8))
            {
                string code = CodeText();
                fault.Code ??= code;
            }
            else if (IsTag("Subcode"u8))
            {
                Within("Value"u8, reader =>
                {
                    string code = reader.CodeText();
                    fault.Code = SoapNames.IsOfJms(code) ? code : fault.Code;
                });
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
    }

    // Goes through the elements of one, and does something with those of a name.
    private void Within(ReadOnlySpan<byte> local, Action<XmlReader> read)
    {
        while (Child())
        {
            StartTag();
            if (IsTag(local))
            {
                read(this);
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
        while (Child())
        {
            StartTag();
            if (fault.Declared is null && CaseOf(throws) is { } declared)
            {
                _field = declared.Root;
                _source = Source.Element;
                fault.Declared = declared.Read(this);
            }
            else if (fault.Error is null && _tagNamespace == ErrorNamespace && IsTag("error"u8))
            {
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
        while (Child())
        {
            StartTag();
            string? key = null;
            for (int k = 0; k < _attributes; k++)
            {
                key = IsAttribute(k, XmlName.None, "key"u8) ? AttributeText(k) : key;
            }
            if (key is not null && _tagNamespace == ErrorNamespace && IsTag("detail"u8))
            {
                fault.Details[key] = ElementText();
            }
            else
            {
                SkipElement();
            }
        }
        EndTag();
    }

    // What a fault says, as it is read.
    private sealed class Fault
    {
        public string? Code { get; set; }

        public string? Text { get; set; }

        public string? Actor { get; set; }

        public string? Detail { get; set; }

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
            ErrorCode code = Code switch
            {
                "Client" or "Sender" => ErrorCode.Malformed,
                "VersionMismatch" or "MustUnderstand" => ErrorCode.ProtocolMismatch,
                { } own when SoapNames.IsOfJms(own) => ErrorCode.ProtocolMismatch,
                _ => ErrorCode.Internal,
            };
            Add("fault-code", Code);
            Add("fault-actor", Actor);
            Add("fault-detail", Detail);
            return CreoException.OfPeer(code, Text ?? "a fault without a text", Details);
        }

        private void Add(string name, string? text)
        {
            if (text is not null)
            {
                Details[name] = CreoException.Printable(text);
            }
        }
    }
}
