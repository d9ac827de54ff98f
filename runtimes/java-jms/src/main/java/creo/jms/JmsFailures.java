package creo.jms;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;

/** Turns failures of a broker into errors for the caller. */
final class JmsFailures {
    private JmsFailures() {}

    /** The error for a failed connection attempt. */
    static CreoException connecting(JmsBroker broker, JMSException e) {
        ErrorCode code = e instanceof JMSSecurityException ? ErrorCode.UNAUTHENTICATED : ErrorCode.UNAVAILABLE;
        return CreoException.ofRuntime(code, "no connection to " + broker + ": " + said(e), e);
    }

    /** The error for any other failure. */
    static CreoException using(JmsBroker broker, String what, Exception e) {
        ErrorCode code = e instanceof JMSSecurityException ? ErrorCode.PERMISSION_DENIED : ErrorCode.UNAVAILABLE;
        return CreoException.ofRuntime(code, what + " by " + broker + " failed: " + said(e), e);
    }

    static CreoException unavailable(String reason) {
        return CreoException.ofRuntime(ErrorCode.UNAVAILABLE, reason, null);
    }

    static CreoException timeIsOver(JmsBroker broker, JmsAddress address) {
        return CreoException.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call to " + address + " by " + broker + " is over", null);
    }

    static String said(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
