namespace Creo;

/// <summary>The parts of a multipart message, which values in its root name (SOAP-20, TDX-53).</summary>
internal interface ITextParts
{
    /// <summary>The bytes of the part that <c>href</c> names; null if there is none, or if it was taken before.</summary>
    byte[]? Take(string href);
}
