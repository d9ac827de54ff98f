package creo.runtime;

/** Sees each message of calls over HTTP, TCP and JMS (CALL-60): {@link ClientOptions#withRawMessages}, {@code Server.builder().rawMessages}. */
@FunctionalInterface
public interface RawMessages {
    /** The max bytes of a body that are shown, unless it says otherwise. */
    int MAX_BODY = 65_536;

    /**
     * A message is about to be sent, or has come. Called by the thread of the call, which waits; for several calls at a time. What this throws is
     * logged, and changes nothing.
     */
    void message(RawMessage message);

    /** The max bytes of a body that are shown, 0 to 16,777,216. */
    default int maxBody() {
        return MAX_BODY;
    }
}
