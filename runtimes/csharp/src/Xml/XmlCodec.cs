using System;
using Creo.Xml;

namespace Creo;

// Values as XML.
public sealed partial class TextCodec<T>
{
    /// <summary>The value as XML, as one element.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its path, or <c>too-large</c>.</exception>
    public byte[] ToXml(T value, Limits? limits = null)
    {
        XmlWriter writer = XmlWriter.Rent(limits ?? Limits.Default);
        try
        {
            writer.DeclareOnNext(Namespaces, NeedsXsi);
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

    /// <summary>The value of XML.</summary>
    /// <exception cref="CreoException"><c>malformed</c> with path and offset, or <c>too-large</c>.</exception>
    public T FromXml(ReadOnlySpan<byte> xml, Limits? limits = null)
    {
        XmlReader reader = XmlReader.Rent(limits ?? Limits.Default);
        try
        {
            reader.Open(xml, null);
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
