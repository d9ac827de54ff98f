using System.Collections.Generic;
using System.ComponentModel;

namespace Creo;

/// <summary>No value: the arguments of a method without parameters, the result of one that has none.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly record struct Unit;

/// <summary>An exception that a method declares.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class DeclaredCase
{
    public DeclaredCase(Layout layout, Decoder<DeclaredException> decode)
    {
        Layout = layout;
        Decode = decode;
    }

    public Layout Layout { get; }

    public Decoder<DeclaredException> Decode { get; }
}

/// <summary>An interface of the description, as its methods know it.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Fingerprint">What tells descriptions apart (MODEL-5).</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record ServiceInfo(string Name, ulong Fingerprint);

/// <summary>A method of the description: what a binding needs to know to call it. It knows no wire's address and no transport.</summary>
/// <typeparam name="TArguments">The arguments: one value, or a tuple of several.</typeparam>
/// <typeparam name="TResult">The result, or <see cref="Unit"/>.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed partial class Method<TArguments, TResult>
{
    /// <summary>The interface that declares it.</summary>
    public required ServiceInfo Service { get; init; }

    /// <summary>Its name in the description.</summary>
    public required string Name { get; init; }

    /// <summary>Its id on the wire (MODEL-4).</summary>
    public required ulong Id { get; init; }

    /// <summary>Whether it is never answered (TCP-10).</summary>
    public bool IsOneway { get; init; }

    /// <summary>The parameters, as the fields of a struct.</summary>
    public required Layout Parameters { get; init; }

    /// <summary>The result's type; null for none.</summary>
    public Layout? Result { get; init; }

    /// <summary>The exceptions that it declares, in declared order.</summary>
    public IReadOnlyList<DeclaredCase> Throws { get; init; } = [];

    /// <summary>Writes the arguments on the binary wire.</summary>
    public required Encoder<TArguments> EncodeArguments { get; init; }

    /// <summary>Reads the result from the binary wire; reads nothing where there is none.</summary>
    public required Decoder<TResult> DecodeResult { get; init; }

    public override string ToString() => $"{Service.Name}.{Name}";
}
