using System;
using Creo.Http;
using Creo.Json;
using Creo.Messages;

namespace Creo;

/// <summary>Plain JSON over HTTP, or HTTPS, to one address, with a path beneath it for each method.</summary>
/// <inheritdoc/>
public sealed partial class JsonBinding : HttpBinding
{
    /// <summary>A binding to an address, such as <c>http://localhost:8080/DataService</c>; it connects with the first call.</summary>
    /// <exception cref="ArgumentException">The address is not an HTTP URL, or the options but not the address require TLS.</exception>
    public JsonBinding(string url, ClientOptions? options = null)
        : base(url, options)
    {
    }

    private protected override MessageRequest Write<TArguments, TResult>(
        Method<TArguments, TResult> method, TextMethod<TArguments, TResult> text, TArguments arguments)
    {
        JsonWriter writer = JsonWriter.Rent(Limits);
        try
        {
            text.Request.WriteRecord(writer, arguments);
            writer.CheckSize();
            return new MessageRequest(writer, "application/json");
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
        bool isProblem = answer.Type.Name == "application/problem+json";
        bool isVoid = text.Response is null || text.Response.Record.Fields.Length == 0;
        if (answer.IsRight && isVoid && answer.Body.Length == 0)
        {
            return default!;
        }
        if (answer.Body.Length == 0 || !(isProblem || (answer.IsRight && !isVoid && answer.Type.Name == "application/json")))
        {
            throw answer.OfStatus();
        }
        JsonReader reader = JsonReader.Rent(Limits);
        try
        {
            if (MessageAnswer.IsUtf16(answer.Type))
            {
                throw new CreoException(ErrorCode.Malformed, "the answer is in UTF-16, which JSON is not");
            }
            reader.OpenOwn(answer.Body.Bytes, answer.Body.Length);
            if (isProblem)
            {
                throw reader.ReadProblem(text.Throws, !answer.IsRight, answer.OfStatus);
            }
            reader.BeginResult();
            TResult result = text.Response!.Read(reader);
            reader.EndDocument();
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
}
