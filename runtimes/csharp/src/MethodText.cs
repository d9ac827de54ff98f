using System;

namespace Creo;

// What text wires know of a method.
public partial class Method<TArguments, TResult>
{
    /// <summary>The method's description for text wires.</summary>
    public Func<TextMethod<TArguments, TResult>>? Text { get; init; }

    internal TextMethod<TArguments, TResult> TextOrFail() =>
        Text?.Invoke() ?? throw new ArgumentException($"{this} was generated without what text wires need: generate it again", "method");
}
