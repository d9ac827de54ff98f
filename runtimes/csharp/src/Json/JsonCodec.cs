using System;
using Creo.Json;

namespace Creo;

// Values as JSON.
public sealed partial class TextCodec<T>
{
    /// <summary>The value as JSON.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its path, or <c>too-large</c>.</exception>
    public byte[] ToJson(T value, Limits? limits = null)
    {
        JsonWriter writer = JsonWriter.Rent(limits ?? Limits.Default);
        try
        {
            Write(writer, Root, value);
            return writer.ToArray();
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw writer.Locate(error);
        }
        finally
        {
            writer.GiveBack();
        }
    }

    /// <summary>The value of JSON.</summary>
    /// <exception cref="CreoException"><c>malformed</c> with path and offset, or <c>too-large</c>.</exception>
    public T FromJson(ReadOnlySpan<byte> json, Limits? limits = null)
    {
        JsonReader reader = JsonReader.Rent(limits ?? Limits.Default);
        try
        {
            reader.Open(json);
            reader.BeginRoot(Root);
            T value = Read(reader);
            reader.EndDocument();
            return value;
        }
        catch (CreoException error) when (error.Place is null)
        {
            throw reader.Locate(error);
        }
        finally
        {
            reader.GiveBack();
        }
    }
}
