using System;

namespace Creo;

/// <summary>The base of all exceptions that a description declares.</summary>
public abstract class DeclaredException : Exception
{
    /// <summary>The exception's name in the description and its fields, on one line.</summary>
    public sealed override string Message => CreoException.Printable(Describe());

    /// <summary>The text of <see cref="Message"/>.</summary>
    protected abstract string Describe();
}
