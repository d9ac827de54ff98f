using System;

namespace Creo.Xml;

// Envelopes (SOAP-1).
internal sealed partial class XmlWriter
{
    /// <summary>Begins an envelope, up to its body (SOAP-1).</summary>
    /// <param name="ns">Its namespace.</param>
    /// <param name="blocks">The first blocks of the header, in written form; empty for none.</param>
    /// <param name="request">The message.</param>
    /// <param name="arguments">Its content.</param>
    public void BeginEnvelope<T>(string ns, ReadOnlySpan<byte> blocks, TextRequest<T> request, T arguments)
    {
        Raw("<soap:Envelope xmlns:soap=\""u8);
        Ascii(ns);
        Raw("\""u8);
        Bind(request.Namespaces);
        Declarations(request.NeedsXsi);
        Raw(">"u8);
        if (!blocks.IsEmpty || request.WriteHeader is not null)
        {
            int before = _position;
            Raw("<soap:Header>"u8);
            int start = _position;
            Raw(blocks);
            request.WriteHeader?.Invoke(this, arguments);
            if (_position > start)
            {
                Raw("</soap:Header>"u8);
            }
            else
            {
                _position = before;
            }
        }
        Raw("<soap:Body>"u8);
    }

    /// <summary>Ends the body and the envelope.</summary>
    public void EndEnvelope()
    {
        Raw("</soap:Body></soap:Envelope>"u8);
        CheckSize();
    }
}
