using System;
using System.ComponentModel;

namespace Creo;

/// <summary>Writes a value as the given field; generated for each type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate void TextWrite<in T>(TextWireWriter writer, TextField field, T value);

/// <summary>Reads the value at the reader's position; generated for each type.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate T TextRead<out T>(TextWireReader reader);

/// <summary>Writes and reads values of one type on text wires, including standalone values (XML-3).</summary>
/// <remarks>Generated code has one for each type.</remarks>
public sealed partial class TextCodec<T>
{
    /// <summary>A codec.</summary>
    /// <param name="name">The type's name, with the package.</param>
    /// <param name="root">The element of a standalone value.</param>
    /// <param name="write">Writes a value.</param>
    /// <param name="read">Reads a value.</param>
    /// <param name="xsi">Whether a value may need <c>xsi:nil</c> or <c>xsi:type</c>.</param>
    /// <param name="namespaces">All namespaces that a value may need, sorted (XML-2).</param>
    public TextCodec(string name, TextField root, TextWrite<T> write, TextRead<T> read, bool xsi, params string[] namespaces)
    {
        Name = name;
        Root = root;
        Write = write;
        Read = read;
        NeedsXsi = xsi;
        Namespaces = Array.ConvertAll(namespaces, TextNamespaces.Shared);
    }

    internal string Name { get; }

    internal TextField Root { get; }

    internal TextWrite<T> Write { get; }

    internal TextRead<T> Read { get; }

    internal bool NeedsXsi { get; }

    internal string[] Namespaces { get; }
}
