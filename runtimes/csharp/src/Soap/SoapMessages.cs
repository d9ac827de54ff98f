using System;
using System.Collections.Generic;
using System.Text;
using Creo.Messages;
using Creo.Tables;
using Creo.Xml;

namespace Creo.Soap;

/// <summary>Requests and answers of SOAP as whole messages, whatever carries them.</summary>
internal sealed class SoapMessages(SoapOptions soap, Limits limits)
{
    /// <summary>The version of a method's requests (SOAP-24).</summary>
    public SoapVersion VersionOf<TArguments, TResult>(TextMethod<TArguments, TResult> text) => soap.Version ?? text.Version;

    /// <summary>Writes the arguments of a call; nothing is sent if that fails.</summary>
    public MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        TextOutput writer = soap.Tables is null ? XmlWriter.Rent(limits) : TableWriter.Rent(limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = writer is TableWriter tables ? WriteTable(tables, method, text, arguments) : WriteXml((XmlWriter)writer, text, arguments);
            SoapVersion version = VersionOf(text);
            string type = SoapNames.MediaType(version);
            string action = version == SoapVersion.Soap12 ? $"; action=\"{text.Action}\"" : "";
            return parts is null
                ? new MessageRequest(writer, $"{type}; charset=utf-8{action}")
                : MessageRequest.Packaged(
                    writer,
                    parts,
                    $"application/xop+xml; charset=utf-8; type=\"{type}\"",
                    $"type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"{type}\"{action}",
                    limits);
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

    /// <summary>The result, or the exception that an answer holds.</summary>
    public TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, MessageAnswer answer)
    {
        if (answer.Body.Length == 0)
        {
            return text.Response is null && answer.IsRight ? default! : throw answer.OfStatus();
        }
        XmlReader reader = XmlReader.Rent(limits);
        try
        {
            Package? package = answer.Type.Name == "multipart/related" ? Package.Read(answer.Body.Memory, answer.Type, "application/xop+xml", limits) : null;
            string? charset = (package?.RootType ?? answer.Type)["charset"];
            if (package is null)
            {
                reader.OpenOwn(answer.Body.Bytes, answer.Body.Length, charset);
            }
            else
            {
                reader.Use(package);
                reader.Open(package.Root.Span, charset, charged: answer.Body.Length);
            }
            if (soap.Tables is not null)
            {
                reader.TakeTables();
            }
            if (reader.BeginEnvelope())
            {
                throw reader.ReadFault(text.Throws);
            }
            if (!answer.IsRight)
            {
                throw answer.OfStatus();
            }
            if (text.Response is null)
            {
                return default!;
            }
            TResult result = reader.IsTableNext ? ReadTable(method, text.Response, reader, package) : reader.ReadBody(text.Response);
            package?.CheckUsed();
            return result;
        }
        catch (CreoException error) when (!error.FromPeer && IsNoMessage(answer, reader, error))
        {
            throw answer.OfStatus();
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

    /// <summary>Whether a media type is that of a version of SOAP, or of a package.</summary>
    public static bool IsSoap(MediaType type) => type.Name is "text/xml" or "application/soap+xml" or "multipart/related";

    // Whether an error means that the answer is no message (SOAP-15).
    private static bool IsNoMessage(MessageAnswer answer, XmlReader reader, CreoException error) => answer.IsRight
        ? error.Code is ErrorCode.Malformed or ErrorCode.ProtocolMismatch && !reader.IsEnvelope && !IsSoap(answer.Type)
        : error.Code == ErrorCode.Malformed || !reader.IsFault;

    private List<ReadOnlyMemory<byte>>? WriteXml<TArguments, TResult>(XmlWriter writer, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        List<ReadOnlyMemory<byte>>? parts = soap.Mtom ? writer.CollectParts() : null;
        writer.BeginEnvelope(SoapNames.Envelope(VersionOf(text)), text.Request, arguments);
        text.Request.WriteBody(writer, arguments);
        writer.EndEnvelope();
        return parts;
    }

    // TDX-50: a table in the place of the method's element. It holds the headers, too.
    private List<ReadOnlyMemory<byte>>? WriteTable<TArguments, TResult>(
        TableWriter writer, Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        List<ReadOnlyMemory<byte>>? parts = soap.Mtom ? writer.CollectParts() : null;
        writer.Raw(Encoding.ASCII.GetBytes($"<soap:Envelope xmlns:soap=\"{SoapNames.Envelope(VersionOf(text))}\"><soap:Body>"));
        writer.WriteRequest(soap.Tables!, method.Name, method.Name, text.Request, arguments);
        writer.Raw("</soap:Body></soap:Envelope>"u8);
        writer.CheckSize();
        return parts;
    }

    private TResult ReadTable<TArguments, TResult>(Method<TArguments, TResult> method, TextResponse<TResult> response, XmlReader reader, Package? package)
    {
        TableText table = reader.ReadTableInBody();
        table.Check(null, response.Schema(method.Name));
        return TableReader.ReadResult(table, response.Read, limits, reader.MemoryLeft, package);
    }
}
