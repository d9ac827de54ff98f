using System;
using System.Collections.Generic;
using System.ComponentModel;

namespace Creo;

/// <summary>Writes a part of a message; generated for each method.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate void TextPart<in T>(TextWireWriter writer, T value);

/// <summary>What text wires know of a method's arguments. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class TextRequest<T>
{
    /// <summary>A request.</summary>
    /// <param name="element">The element of the body; null if the body contains the parameter's own, or nothing (SOAP-6).</param>
    /// <param name="record">The parameters, including those of the header.</param>
    /// <param name="write">Writes the parameters that are not in the header.</param>
    /// <param name="xsi">Whether it may need <c>xsi:nil</c> or <c>xsi:type</c>.</param>
    /// <param name="namespaces">All namespaces that it may need, sorted (XML-2).</param>
    public TextRequest(TextField? element, TextRecord record, TextPart<T> write, bool xsi, params string[] namespaces)
    {
        Element = element;
        Record = record;
        Write = write;
        NeedsXsi = xsi;
        Namespaces = Array.ConvertAll(namespaces, TextNamespaces.Shared);
    }

    /// <summary>Writes the elements of the header; null if there are none.</summary>
    public TextPart<T>? WriteHeader { get; init; }

    /// <summary>Writes all parameters, if some are in the SOAP header.</summary>
    public TextPart<T>? WriteAll { get; init; }

    internal TextField? Element { get; }

    internal TextRecord Record { get; }

    internal TextPart<T> Write { get; }

    internal bool NeedsXsi { get; }

    internal string[] Namespaces { get; }

    /// <summary>Writes the body of an envelope.</summary>
    internal void WriteBody(TextWireWriter writer, T value)
    {
        if (Element is null)
        {
            Write(writer, value);
            return;
        }
        writer.BeginRecord(Element, Record);
        Write(writer, value);
        writer.EndRecord(Element, Record);
    }

    /// <summary>Writes all parameters as one record, including headers.</summary>
    internal void WriteRecord(TextWireWriter writer, T value)
    {
        writer.BeginRecord(TextField.Root, Record);
        (WriteAll ?? Write)(writer, value);
        writer.EndRecord(TextField.Root, Record);
    }
}

/// <summary>What text wires know of a method's result. For generated code.</summary>
/// <param name="element">The element of the body; null if the body contains that of the result, or nothing (SOAP-6).</param>
/// <param name="record">The result as the only field of a record, or none.</param>
/// <param name="read">Reads its content.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class TextResponse<T>(TextField? element, TextRecord record, TextRead<T> read)
{
    internal TextField? Element { get; } = element;

    internal TextRecord Record { get; } = record;

    internal TextRead<T> Read { get; } = read;
}

/// <summary>A version of SOAP.</summary>
public enum SoapVersion
{
    /// <summary>SOAP 1.1.</summary>
    Soap11,

    /// <summary>SOAP 1.2.</summary>
    Soap12,
}

/// <summary>What text wires know of a method. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class TextMethod<TArguments, TResult>
{
    /// <summary>The action of SOAP (SOAP-7).</summary>
    public required string Action { get; init; }

    /// <summary>The SOAP version that clients use by default (SOAP-24).</summary>
    public SoapVersion Version { get; init; }

    /// <summary>Whether its messages use SOAP encoding (SOAP-30).</summary>
    public bool IsEncoded { get; init; }

    /// <summary>Whether clients write WS-Addressing blocks by default (SOAP-40).</summary>
    public bool HasAddressing { get; init; }

    /// <summary>The arguments.</summary>
    public required TextRequest<TArguments> Request { get; init; }

    /// <summary>The result; null for a method without an answer.</summary>
    public TextResponse<TResult>? Response { get; init; }

    /// <summary>The response on the soap wire, if its parts are the fields of the result (SOAP-26, SOAP-100).</summary>
    public TextResponse<TResult>? SoapResponse { get; init; }

    /// <summary>The declared exceptions.</summary>
    public IReadOnlyList<TextCase> Throws { get; init; } = [];
}

/// <summary>A declared exception for text wires. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class TextCase
{
    private TextCase(string name, TextField root, TextRead<DeclaredException> read)
    {
        Name = name;
        Root = root;
        Read = read;
    }

    /// <summary>The name with the package.</summary>
    internal string Name { get; }

    internal TextField Root { get; }

    internal TextRead<DeclaredException> Read { get; }

    /// <summary>The exception of a codec.</summary>
    public static TextCase Of<T>(TextCodec<T> codec)
        where T : DeclaredException
    {
        ArgumentNullException.ThrowIfNull(codec);
        return new(codec.Name, codec.Root, reader => codec.Read(reader));
    }
}
