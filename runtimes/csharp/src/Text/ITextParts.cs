namespace Creo;

/// <summary>The parts of a multipart message, to which values in its root refer (SOAP-20, TDX-53).</summary>
internal interface ITextParts
{
    /// <summary>The bytes of the part with the <c>href</c>; null if there is none, or it was already taken.</summary>
    byte[]? Take(string href);
}
