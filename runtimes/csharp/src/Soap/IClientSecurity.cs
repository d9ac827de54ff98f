namespace Creo;

/// <summary>
/// The security of a client's SOAP messages, such as signatures: it changes requests before they are sent, and checks answers before they are read
/// (SOAP-80). The module <c>wss</c> has one, <c>WsSecurity</c>. Called by many threads at once.
/// </summary>
public interface IClientSecurity
{
    /// <summary>Secures a request.</summary>
    /// <param name="request">An envelope in UTF-8.</param>
    /// <returns>The envelope that is sent, in UTF-8.</returns>
    /// <exception cref="CreoException">The request cannot be secured.</exception>
    byte[] Send(byte[] request);

    /// <summary>Checks an answer. What is read of it is what this method returns, never the answer itself.</summary>
    /// <param name="answer">The bytes as received; none if the answer is empty.</param>
    /// <param name="charset">The one that the transport names; null for none.</param>
    /// <returns>An envelope in UTF-8 without the header blocks that were checked; the answer itself if nothing is checked.</returns>
    /// <exception cref="CreoException"><c>malformed</c>: the answer is no SOAP envelope; with another code it is refused.</exception>
    byte[] Receive(byte[] answer, string? charset);
}
