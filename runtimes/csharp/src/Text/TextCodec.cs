using System;
using Creo.Json;
using Creo.Tables;
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
    /// <param name="name">The type's name, with the package.</param>
    /// <param name="root">The element of a value alone.</param>
    /// <param name="write">Writes a value.</param>
    /// <param name="read">Reads a value.</param>
    /// <param name="xsi">Whether a value may need <c>xsi:nil</c> or <c>xsi:type</c>.</param>
    /// <param name="namespaces">All that a value may need, sorted (XML-2).</param>
    public TextCodec(string name, TextField root, TextWrite<T> write, TextRead<T> read, bool xsi, params string[] namespaces)
    {
        Name = name;
        Root = root;
        Write = write;
        Read = read;
        NeedsXsi = xsi;
        Namespaces = Array.ConvertAll(namespaces, XmlName.Shared);
        Schema = new TableSchema(name, root);
    }

    internal string Name { get; }

    internal TextField Root { get; }

    internal TextWrite<T> Write { get; }

    internal TextRead<T> Read { get; }

    internal bool NeedsXsi { get; }

    internal string[] Namespaces { get; }

    internal TableSchema Schema { get; }

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

    /// <summary>The value as JSON.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its place, or <c>too-large</c>.</exception>
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
    /// <exception cref="CreoException"><c>malformed</c> with place and offset, or <c>too-large</c>.</exception>
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

    /// <summary>The value as a table in XML.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its place, or <c>too-large</c>.</exception>
    public byte[] ToTdxml(T value, TableOptions? options = null, Limits? limits = null)
    {
        TableWriter writer = TableWriter.Rent(limits ?? Limits.Default);
        try
        {
            writer.BeginDocument(options ?? TableOptions.Default, Name, Schema, isMessage: false);
            Write(writer, Root, value);
            writer.EndDocument();
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

    /// <summary>The value of a table in XML, of either scheme.</summary>
    /// <exception cref="CreoException"><c>malformed</c> with place and row, <c>too-large</c>, or <c>protocol-mismatch</c> for another schema.</exception>
    public T FromTdxml(ReadOnlySpan<byte> tdxml, Limits? limits = null)
    {
        limits ??= Limits.Default;
        XmlReader reader = XmlReader.Rent(limits);
        try
        {
            reader.Open(tdxml, null);
            TableText table = reader.ReadTable(Name);
            table.Check(Name, Schema);
            return TableReader.Read(table, Root, Read, limits, reader.MemoryLeft);
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
