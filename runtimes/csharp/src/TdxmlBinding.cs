using System;
using System.Collections.Generic;
using Creo.Http;
using Creo.Tables;
using Creo.Xml;

namespace Creo;

/// <summary>Tables over HTTP, or HTTPS, without SOAP, to one address: a place beneath it for each method.</summary>
/// <inheritdoc/>
public sealed class TdxmlBinding : HttpBinding
{
    private const string Type = "application/vnd.creo.tdxml";

    private readonly TdxmlOptions _tdxml;

    /// <summary>A binding to an address, such as <c>http://localhost:8080/DataService</c>; it is tried with the first call.</summary>
    /// <exception cref="ArgumentException">The address is not one of HTTP, or TLS was asked for by the options and not by the address.</exception>
    public TdxmlBinding(string url, ClientOptions? options = null, TdxmlOptions? tdxml = null)
        : base(url, options) => _tdxml = tdxml ?? TdxmlOptions.Default;

    private protected override HttpRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        TableWriter writer = TableWriter.Rent(Limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = _tdxml.Packages ? writer.CollectParts() : null;
            writer.WriteRequest(_tdxml.Tables, method.Name, null, text.Request, arguments);
            writer.CheckSize();
            return parts is null
                ? new HttpRequest(writer, Type)
                : HttpRequest.Packaged(writer, parts, Type, $"type=\"{Type}\"; start=\"<root@creo>\"", Limits);
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
        bool isVoid = text.Response is null || text.Response.Record.Fields.Length == 0;
        if (answer.IsRight && isVoid && answer.Body.Length == 0)
        {
            return default!;
        }
        if (answer.Type.Name is not (Type or "multipart/related") || answer.Body.Length == 0)
        {
            throw answer.OfStatus();
        }
        Package? package = answer.Type.Name == "multipart/related" ? Package.Read(answer.Body.Memory, answer.Type, Type, Limits) : null;
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
                reader.Open(package.Root.Span, utf16);
            }
            TableText table = ReadTable(reader, answer);
            if (!answer.IsRight || table.Of is not null)
            {
                throw TableErrors.Of(table, text.Throws, Limits, answer.OfStatus);
            }
            if (text.Response is null)
            {
                throw answer.OfStatus();
            }
            table.Check(null, text.Response.Schema(method.Name));
            TResult result = TableReader.ReadResult(table, text.Response.Read, Limits, package);
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

    private static TableText ReadTable(XmlReader reader, HttpAnswer answer)
    {
        try
        {
            return reader.ReadTable();
        }
        catch (CreoException error) when (error.Code == ErrorCode.Malformed && !answer.IsRight)
        {
            // No document: then the status says all that is known (HTTP-3).
            throw answer.OfStatus();
        }
    }
}
