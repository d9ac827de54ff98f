using System;
using System.Text;
using Creo.Soap;

namespace Creo.Xml;

// Envelopes (SOAP-1 to SOAP-6).
internal sealed partial class XmlReader
{
    // Empty until the root was read and is an envelope.
    private string _envelope = "";
    private bool _isFault;

    // Where the tags of the header and of the body begin, and how many prefixes are bound before them; -1 for no header.
    private int _headerAt;
    private int _bodyAt;
    private int _boundByEnvelope;

    // The response whose parts are the fields of the result, in the header and the body; null for others (SOAP-26, SOAP-100).
    private TextRecord? _headers;
    private TextField? _bodyElement;

    /// <summary>Whether the root is an envelope.</summary>
    public bool IsEnvelope => _envelope.Length > 0;

    /// <summary>Whether the body holds a fault.</summary>
    public bool IsFault => _isFault;

    /// <summary>The thread's reader, or a new one, for a SOAP answer.</summary>
    /// <param name="limits">The limits for received data.</param>
    /// <param name="requestId">The <c>MessageID</c> of the request; null if it had none.</param>
    /// <param name="takesSecurity">Whether the client sends security blocks and thus understands those of answers (SOAP-52).</param>
    /// <param name="isLenient">Whether it is read leniently (XML-50).</param>
    /// <param name="understood">The names of header elements that need not be understood (SOAP-25).</param>
    /// <param name="headers">A response whose parts are the fields of the result (SOAP-26, SOAP-100); null for others.</param>
    public static XmlReader RentForSoap(
        Limits limits, string? requestId, bool takesSecurity, bool isLenient, ValueArray<string> understood, TextRecord? headers)
    {
        XmlReader reader = Rent(limits);
        reader._isLenient = isLenient;
        reader._envelope = "";
        reader._isFault = false;
        reader._headers = headers;
        reader.ExpectBlocks(requestId, takesSecurity, understood);
        return reader;
    }

    /// <summary>Reads an envelope up to its body, and the start of the body's element. Returns whether that is a fault.</summary>
    public bool BeginEnvelope()
    {
        Child();
        StartTag();
        if (!IsTag("Envelope"u8))
        {
            throw Malformed(_elements[0].Name - 1, $"the element {ShownTag()}, where an envelope of SOAP must be");
        }
        if (_tagNamespace is not (SoapNames.Envelope11 or SoapNames.Envelope12))
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, $"the answer is an envelope of a version of SOAP that is not known here: \"{_tagNamespace}\"");
        }
        _envelope = _tagNamespace;
        CheckEncodingStyle();
        string? unknown = null;
        _headerAt = -1;
        _boundByEnvelope = _prefixes.Count;
        NextOfEnvelope();
        if (IsTag("Header"u8))
        {
            _headerAt = _elements[_open - 1].Name - 1;
            CheckEncodingStyle();
            while (Child())
            {
                StartTag();
                string? other = ReadBlock();
                unknown ??= other;
            }
            EndTag();
            NextOfEnvelope();
        }
        if (!IsTag("Body"u8))
        {
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where the body of the envelope must be");
        }
        _bodyAt = _elements[_open - 1].Name - 1;
        CheckEncodingStyle();
        if (Child())
        {
            StartTag();
            _pending = true;
            _isFault = _tagNamespace == _envelope && IsTag("Fault"u8);
        }
        if (!_isFault)
        {
            CheckBlocks(unknown);
        }
        return _isFault;
    }

    /// <summary>Reads the result in the body, up to the end of the text.</summary>
    public TResult ReadBody<TResult>(TextResponse<TResult> response)
    {
        TResult result;
        IsResult();
        if (_headers is not null)
        {
            // A fault would have been in the place of the result: what the header says is read only now.
            Rewind(_headerAt < 0 ? _bodyAt : _headerAt);
            _bodyElement = response.Element;
            _inEnvelope = true;
            result = response.Read(this);
            if (response.Element is not null)
            {
                EndOf("body");
            }
        }
        else if (response.Element is null)
        {
            // Without a separate element, the body is it.
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

    // Begins a response with parts in the header: at those, or in the body of a message without a header.
    partial void BeginParts(TextFrame frame)
    {
        _inEnvelope = false;
        frame.HasHeaders = true;
        Child();
        StartTag();
        if (_headerAt < 0)
        {
            BeginBody(frame);
            return;
        }
        frame.IsInHeader = frame.IsTagRead = true;
        _nextAttribute = _attributes;
    }

    // Goes from the end of the header to the body.
    partial void LeaveHeader(TextFrame frame)
    {
        EndTag();
        frame.IsInHeader = false;
        Child();
        StartTag();
        BeginBody(frame);
    }

    // Goes to the parts in the body, whose start tag was read.
    private void BeginBody(TextFrame frame)
    {
        frame.IsTagRead = true;
        _nextAttribute = _attributes;
        if (_bodyElement is null)
        {
            return;
        }
        if (!Child())
        {
            throw Malformed(_pos, $"an empty body, where {_bodyElement.Xml} must be");
        }
        StartTag();
        if (!_bodyElement.Xml.Is(_tagNamespace, _b, _tagLocal, _tagEnd))
        {
            throw Malformed(_elements[_open - 1].Name - 1, $"the element {ShownTag()}, where {_bodyElement.Xml} must be");
        }
        frame.IsTagRead = false;
        BeginTag(frame, frame.Record!);
    }

    // Returns to a child of the envelope.
    private void Rewind(int at)
    {
        _pos = at;
        _open = 1;
        _prefixes.Reset(_b, _boundByEnvelope);
        _likelyNamespace = null;
        _empty = _pending = false;
        _attributes = 0;
    }

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
        for (int k = _isEncoded ? _attributes : 0; k < _attributes; k++)
        {
            if (IsAttribute(k, _envelope, "encodingStyle"u8) && AttributeText(k) is SoapNames.Encoding11 or SoapNames.Encoding12)
            {
                throw Malformed(_attribute[k].Value, "a message in SOAP's own encoding, which is not known here");
            }
        }
    }
}
