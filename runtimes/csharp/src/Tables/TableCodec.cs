using System;
using Creo.Tables;
using Creo.Xml;

namespace Creo;

// Values as tables.
public sealed partial class TextCodec<T>
{
    private TableSchema? _schema;

    private TableSchema Schema => _schema ??= new TableSchema(Name, Root);

    /// <summary>The value as a table in XML.</summary>
    /// <exception cref="CreoException"><c>invalid-value</c> with its path, or <c>too-large</c>.</exception>
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

    /// <summary>The value of a table in XML, in either scheme.</summary>
    /// <exception cref="CreoException"><c>malformed</c> with path and row, <c>too-large</c>, or <c>protocol-mismatch</c> for another schema.</exception>
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
