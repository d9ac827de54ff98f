package creo.runtime;

/**
 * The security of a client's SOAP messages, such as signatures: it changes requests before they are sent and checks answers before they are read
 * (SOAP-80). The module {@code creo.wss} has one. Called by many threads at once.
 */
public interface ClientSecurity {
    /**
     * Secures a request.
     *
     * @param request an envelope in UTF-8
     * @return the envelope that is sent, in UTF-8
     * @throws CreoException if it cannot be secured
     */
    byte[] send(byte[] request);

    /**
     * Checks an answer. What is read of it is what this method returns, never the answer itself.
     *
     * @param answer bytes as received, perhaps with further bytes after them
     * @param length how many belong to the answer; 0 if it is empty
     * @param charset that HTTP names, or null
     * @return an envelope in UTF-8 without the header blocks that were checked, or as many bytes as the answer if nothing is checked
     * @throws CreoException with {@code MALFORMED} if the answer is not a SOAP envelope, and with another code if it is refused
     */
    byte[] receive(byte[] answer, int length, String charset);
}
