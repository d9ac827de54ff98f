using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Text;
using Creo.Http;
using Creo.Soap;
using Creo.Tables;
using Creo.Xml;

namespace Creo;

/// <summary>SOAP over HTTP, or HTTPS, to one address.</summary>
/// <inheritdoc/>
public sealed class SoapBinding : HttpBinding
{
    private readonly SoapOptions _soap;

    /// <summary>A binding to an address, such as <c>http://localhost:8080/DataService</c>; it is tried with the first call.</summary>
    /// <exception cref="ArgumentException">The address is not one of HTTP, or TLS was asked for by the options and not by the address.</exception>
    public SoapBinding(string url, ClientOptions? options = null, SoapOptions? soap = null)
        : base(url, options) => _soap = soap ?? SoapOptions.Default;

    private protected override string PathOf(string method) => "";

    private protected override void Prepare<TArguments, TResult>(HttpRequestMessage message, TextMethod<TArguments, TResult> text)
    {
        if (_soap.Version == SoapVersion.Soap11)
        {
            message.Headers.TryAddWithoutValidation("SOAPAction", $"\"{text.Action}\"");
        }
    }

    private protected override HttpRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        TextOutput writer = _soap.Tables is null ? XmlWriter.Rent(Limits) : TableWriter.Rent(Limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = writer is TableWriter tables ? WriteTable(tables, method, text, arguments) : WriteXml((XmlWriter)writer, text, arguments);
            string type = SoapNames.MediaType(_soap.Version);
            string action = _soap.Version == SoapVersion.Soap12 ? $"; action=\"{text.Action}\"" : "";
            return parts is null
                ? new HttpRequest(writer, $"{type}; charset=utf-8{action}")
                : HttpRequest.Packaged(
                    writer,
                    parts,
                    $"application/xop+xml; charset=utf-8; type=\"{type}\"",
                    $"type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"{type}\"{action}",
                    Limits);
        }
        catch (Exception e)
        {
            CreoException? located = e is CreoException { Place: null } error ? writer.Locate(error) : null;
            writer.GiveBack();
            if (located is not null)
            {
                throw located;
            }
            throw;
        }
    }

    private protected override TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, HttpAnswer answer)
    {
        if (text.Response is null && answer.IsRight && answer.Body.Length == 0)
        {
            return default!;
        }
        if (answer.Type.Name is not ("text/xml" or "application/soap+xml" or "multipart/related" or "application/xop+xml") || answer.Body.Length == 0)
        {
            throw answer.OfStatus();
        }
        Package? package = answer.Type.Name == "multipart/related" ? Package.Read(answer.Body.Memory, answer.Type, "application/xop+xml", Limits) : null;
        XmlReader reader = XmlReader.Rent(Limits);
        try
        {
            bool utf16 = HttpAnswer.IsUtf16(package?.RootType ?? answer.Type);
            if (package is null)
            {
                reader.OpenOwn(answer.Body.Bytes, answer.Body.Length, utf16);
            }
            else
            {
                reader.Use(package);
                reader.Open(package.Root.Span, utf16);
            }
            if (_soap.Tables is not null)
            {
                reader.TakeTables();
            }
            if (reader.BeginEnvelope())
            {
                throw reader.ReadFault(text.Throws);
            }
            if (!answer.IsRight || text.Response is null)
            {
                throw answer.OfStatus();
            }
            TResult result = reader.IsTableNext ? ReadTable(method, text.Response, reader, package) : reader.ReadBody(text.Response);
            package?.CheckUsed();
            return result;
        }
        catch (CreoException error) when (error is { Place: null, Code: ErrorCode.Malformed or ErrorCode.TooLarge, FromPeer: false })
        {
            throw reader.Locate(error);
        }
        finally
        {
            reader.GiveBack();
        }
    }

    private List<ReadOnlyMemory<byte>>? WriteXml<TArguments, TResult>(XmlWriter writer, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        List<ReadOnlyMemory<byte>>? parts = _soap.Mtom ? writer.CollectParts() : null;
        writer.BeginEnvelope(SoapNames.Envelope(_soap.Version), text.Request, arguments);
        text.Request.WriteBody(writer, arguments);
        writer.EndEnvelope();
        return parts;
    }

    // TDX-50: a table in the place of the method's element. It holds the headers, too.
    private List<ReadOnlyMemory<byte>>? WriteTable<TArguments, TResult>(
        TableWriter writer, Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        List<ReadOnlyMemory<byte>>? parts = _soap.Mtom ? writer.CollectParts() : null;
        writer.Raw(Encoding.ASCII.GetBytes($"<soap:Envelope xmlns:soap=\"{SoapNames.Envelope(_soap.Version)}\"><soap:Body>"));
        writer.WriteRequest(_soap.Tables!, method.Name, method.Name, text.Request, arguments);
        writer.Raw("</soap:Body></soap:Envelope>"u8);
        writer.CheckSize();
        return parts;
    }

    private TResult ReadTable<TArguments, TResult>(Method<TArguments, TResult> method, TextResponse<TResult> response, XmlReader reader, Package? package)
    {
        TableText table = reader.ReadTableInBody();
        table.Check(null, response.Schema(method.Name));
        return TableReader.ReadResult(table, response.Read, Limits, package);
    }
}
