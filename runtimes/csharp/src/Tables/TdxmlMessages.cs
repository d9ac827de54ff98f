using System;
using System.Collections.Generic;
using Creo.Messages;
using Creo.Xml;

namespace Creo.Tables;

/// <summary>Requests and answers with tables as whole messages, for any transport.</summary>
internal sealed class TdxmlMessages(TdxmlOptions tdxml, Limits limits)
{
    /// <summary>The media type of a table.</summary>
    public const string Type = "application/vnd.creo.tdxml";

    /// <summary>Writes the arguments of a call; if that fails, nothing is sent.</summary>
    public MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        TableWriter writer = TableWriter.Rent(limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = tdxml.Packages ? writer.CollectParts() : null;
            writer.WriteRequest(tdxml.Tables, method.Name, null, text.Request, arguments);
            writer.CheckSize();
            return parts is null
                ? new MessageRequest(writer, Type)
                : MessageRequest.Packaged(writer, parts, Type, $"type=\"{Type}\"; start=\"<root@creo>\"", limits);
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

    /// <summary>The result or exception of an answer.</summary>
    public TResult Read<TArguments, TResult>(Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, MessageAnswer answer)
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
        Package? package = answer.Type.Name == "multipart/related" ? Package.Read(answer.Body.Memory, answer.Type, limits) : null;
        XmlReader reader = XmlReader.Rent(limits);
        try
        {
            string? charset = (package?.RootType ?? answer.Type)["charset"];
            if (package is null)
            {
                reader.OpenOwn(answer.Body.Bytes, answer.Body.Length, charset);
            }
            else
            {
                reader.Open(package.Root.Span, charset, charged: answer.Body.Length);
            }
            TableText table = ReadTable(reader, answer);
            if (!answer.IsRight || table.Of is not null)
            {
                throw TableErrors.Of(table, text.Throws, limits, reader.MemoryLeft, () => answer.OfStatus());
            }
            if (text.Response is null)
            {
                throw answer.OfStatus();
            }
            table.Check(null, text.Response.Schema(method.Name));
            return TableReader.ReadResult(table, text.Response.Read, limits, reader.MemoryLeft, package);
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

    private static TableText ReadTable(XmlReader reader, MessageAnswer answer)
    {
        try
        {
            return reader.ReadTable();
        }
        catch (CreoException error) when (error.Code == ErrorCode.Malformed && !answer.IsRight)
        {
            // It is not a document: only the status is known (HTTP-3).
            throw answer.OfStatus();
        }
    }
}
