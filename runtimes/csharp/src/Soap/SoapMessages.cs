using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using Creo.Messages;
using Creo.Xml;

namespace Creo.Soap;

/// <summary>SOAP requests and answers as whole messages, for any transport.</summary>
/// <param name="soap">The options of requests.</param>
/// <param name="limits">The limits for received and sent data.</param>
/// <param name="to">The called address; null without addressing (SOAP-40).</param>
internal sealed partial class SoapMessages(SoapOptions soap, Limits limits, string? to)
{
    private readonly bool _hasSecurity = soap.Token is not null || soap.Timestamp;

    // SOAP-81.
    private readonly bool _isPackaged = soap.Mtom && soap.Security is null;

    /// <summary>The version of a method's requests (SOAP-24); SOAP encoding has only one (SOAP-30).</summary>
    public SoapVersion VersionOf<TArguments, TResult>(TextMethod<TArguments, TResult> text) =>
        text.IsEncoded ? SoapVersion.Soap11 : soap.Version ?? text.Version;

    /// <summary>Writes the arguments of a call; if that fails, nothing is sent.</summary>
    public MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        string? id = to is not null && (soap.Addressing ?? text.HasAddressing) ? Addressing.NewId() : null;
        byte[] blocks = id is null && !_hasSecurity ? [] : Blocks(text.Action, id, text.Response is null);
        TextOutput? tables = null;
        RentForTables(ref tables);
        TextOutput writer = tables ?? XmlWriter.Rent(limits);
        try
        {
            List<ReadOnlyMemory<byte>>? parts = null;
            if (writer is XmlWriter xml)
            {
                parts = WriteXml(xml, blocks, text, arguments);
            }
            else
            {
                WriteTable(writer, blocks, method, text, arguments, ref parts);
            }
            SoapVersion version = VersionOf(text);
            string type = SoapNames.MediaType(version);
            string action = version == SoapVersion.Soap12 ? $"; action=\"{text.Action}\"" : "";
            MessageRequest request = parts is null
                ? new MessageRequest(writer, $"{type}; charset=utf-8{action}")
                : MessageRequest.Packaged(
                    writer,
                    parts,
                    $"application/xop+xml; charset=utf-8; type=\"{type}\"",
                    $"type=\"application/xop+xml\"; start=\"<root@creo>\"; start-info=\"{type}\"{action}",
                    limits);
            request.Id = id;
            return soap.Security is null ? request : Secured(soap.Security, request);
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
        byte[]? envelope = Checked(text.Response is null, answer);
        if (answer.Body.Length == 0)
        {
            bool isVoid = text.Response is null || text.Response.Record.Fields.Length == 0;
            return isVoid && answer.IsRight ? default! : throw answer.OfStatus();
        }
        XmlReader reader = XmlReader.RentForSoap(limits, answer.RequestId, _hasSecurity, soap.Lenient, soap.Understood, text.SoapResponse?.Record);
        try
        {
            Package? package = envelope is null && answer.Type.Name == "multipart/related" ? Package.Read(answer.Body.Memory, answer.Type, limits) : null;
            string? charset = (package?.RootType ?? answer.Type)["charset"];
            if (envelope is not null)
            {
                reader.Open(envelope, "utf-8");
            }
            else if (package is null)
            {
                reader.OpenOwn(answer.Body.Bytes, answer.Body.Length, charset);
            }
            else
            {
                reader.Use(package);
                reader.Open(package.Root.Span, charset, charged: answer.Body.Length);
            }
            TakeTables(reader);
            if (text.IsEncoded)
            {
                reader.BringToLiteral(text.Response?.Element, text.Response?.Record, text.Throws);
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
            TResult result = default!;
            bool isTable = false;
            ReadTable(method, text.Response, reader, package, ref isTable, ref result);
            return isTable ? result : reader.ReadBody(text.SoapResponse ?? text.Response);
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

    /// <summary>Whether a media type is that of a SOAP version or a multipart.</summary>
    public static bool IsSoap(MediaType type) => type.Name is "text/xml" or "application/soap+xml" or "multipart/related";

    // A request with what the security makes of its envelope (SOAP-80).
    private MessageRequest Secured(IClientSecurity security, MessageRequest plain)
    {
        byte[] bytes = security.Send(plain.Joined());
        if (bytes.Length > limits.MaxMessageSize)
        {
            throw CreoException.TooLarge("maxMessageSize", limits.MaxMessageSize, $"a secured message of {bytes.Length} bytes");
        }
        plain.IsDone = true;
        plain.Dispose();
        return new MessageRequest(bytes, plain.ContentType) { Id = plain.Id };
    }

    // The envelope of an answer that passed the checks of the security; null if there is none, or nothing to be checked (SOAP-80).
    private byte[]? Checked(bool isOneway, MessageAnswer answer)
    {
        if (soap.Security is null || (answer.Body.Length == 0 && (isOneway || !answer.IsRight)))
        {
            return null;
        }
        if (answer.Type.Name == "multipart/related")
        {
            throw new CreoException(ErrorCode.ProtocolMismatch, "package: an answer in a package, which the security of this client cannot check");
        }
        try
        {
            byte[] envelope = soap.Security.Receive(answer.Body.Memory.ToArray(), answer.Type["charset"]);
            return envelope.Length == 0 ? null : envelope;
        }
        catch (CreoException error) when (error.Code == ErrorCode.Malformed && !(answer.IsRight && IsSoap(answer.Type)))
        {
            throw answer.OfStatus();
        }
    }

    // Whether an error means that the answer is not a message (SOAP-15).
    private static bool IsNoMessage(MessageAnswer answer, XmlReader reader, CreoException error) => answer.IsRight
        ? error.Code is ErrorCode.Malformed or ErrorCode.ProtocolMismatch && !reader.IsEnvelope && !IsSoap(answer.Type)
        : error.Code == ErrorCode.Malformed || !reader.IsFault;

    // The blocks before all others in the header (SOAP-41, SOAP-50).
    private byte[] Blocks(string action, string? id, bool isOneway)
    {
        string security = _hasSecurity
            ? Security.Block(soap.Token?.User, soap.Token?.Password, soap.Token?.Digest ?? false, soap.Timestamp, DateTime.UtcNow, RandomNumberGenerator.GetBytes(Security.NonceSize))
            : "";
        return Encoding.UTF8.GetBytes(id is null ? security : security + Addressing.Blocks(action, id, isOneway, to!));
    }

    private List<ReadOnlyMemory<byte>>? WriteXml<TArguments, TResult>(XmlWriter writer, byte[] blocks, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        List<ReadOnlyMemory<byte>>? parts = _isPackaged ? writer.CollectParts() : null;
        if (text.IsEncoded)
        {
            writer.Encode(text.Request.Element);
        }
        writer.BeginEnvelope(SoapNames.Envelope(VersionOf(text)), blocks, text.Request, arguments);
        text.Request.WriteBody(writer, arguments);
        writer.EndEnvelope();
        return parts;
    }

    // Implemented by the part for tables in bodies, if present (TDX-50).
    partial void RentForTables(ref TextOutput? writer);

    partial void WriteTable<TArguments, TResult>(
        TextOutput writer,
        byte[] blocks,
        Method<TArguments, TResult> method,
        TextMethod<TArguments, TResult> text,
        TArguments arguments,
        ref List<ReadOnlyMemory<byte>>? parts);

    partial void TakeTables(XmlReader reader);

    partial void ReadTable<TArguments, TResult>(
        Method<TArguments, TResult> method, TextResponse<TResult> response, XmlReader reader, Package? package, ref bool isTable, ref TResult result);
}
