using System;
using Creo.Xml;

namespace Creo;

/// <summary>Writes a value as what a field says; generated for each type.</summary>
public delegate void TextWrite<in T>(TextWireWriter writer, TextField field, T value);

/// <summary>Reads the value that the reader has come to; generated for each type.</summary>
public delegate T TextRead<out T>(TextWireReader reader);

/// <summary>How values of one type are written to and read from text wires, and how a value alone stands there (XML-3).</summary>
/// <remarks>Generated code has one for each type.</remarks>
public sealed class TextCodec<T>
{
    /// <summary>A codec.</summary>
    /// <param name="root">The element of a value alone.</param>
    /// <param name="write">Writes a value.</param>
    /// <param name="read">Reads a value.</param>
    /// <param name="xsi">Whether a value may need <c>xsi:nil</c> or <c>xsi:type</c>.</param>
    /// <param name="namespaces">All that a value may need, sorted (XML-2).</param>
    public TextCodec(TextField root, TextWrite<T> write, TextRead<T> read, bool xsi, params string[] namespaces)
    {
        Root = root;
        Write = write;
        Read = read;
        NeedsXsi = xsi;
        Namespaces = Array.ConvertAll(namespaces, XmlName.Shared);
    }

    internal TextField Root { get; }

    internal TextWrite<T> Write { get; }

    internal TextRead<T> Read { get; }

    internal bool NeedsXsi { get; }

    internal string[] Namespaces { get; }

    /// <summary>The value as XML, an element of its own.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its place, or <c>too-large</c>.</exception>
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
    /// <exception cref="CreoException"><c>malformed</c> with place and offset, or <c>too-large</c>.</exception>
    public T FromXml(ReadOnlySpan<byte> xml, Limits? limits = null)
    {
        XmlReader reader = XmlReader.Rent(limits ?? Limits.Default);
        try
        {
            reader.Open(xml, utf16: false);
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
