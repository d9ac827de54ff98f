using System;

namespace Creo.Tcp;

/// <summary>What the bodies of requests and answers look like, where they are not of the binary wire (TCP-1).</summary>
internal abstract partial class BodyWire
{
    /// <summary>What the preamble says.</summary>
    public abstract Wire Wire { get; }

    /// <summary>The wire that some options ask for; null is the binary one.</summary>
    public static BodyWire? Of(ClientOptions options)
    {
        BodyWire? found = null;
        AddTables(options, ref found);
        return found is not null || options.Wire == Wire.Binary
            ? found
            : throw new ArgumentException($"the runtime beside this code has no wire {options.Wire} over TCP: generate it with that wire", nameof(options));
    }

    /// <summary>Writes the arguments of a call behind what was written.</summary>
    public abstract void Write<TArguments, TResult>(Writer target, Method<TArguments, TResult> method, TArguments arguments);

    /// <summary>The result of a method, or the exception that an answer holds.</summary>
    public abstract TResult Read<TArguments, TResult>(Answer answer, Method<TArguments, TResult> method, Limits limits);

    // Of the part that has tables over TCP, if it is there.
    static partial void AddTables(ClientOptions options, ref BodyWire? found);
}
