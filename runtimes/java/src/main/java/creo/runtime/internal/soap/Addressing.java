package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.FaultCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.http.TextRequest;
import creo.runtime.internal.text.TextName;
import java.util.ArrayList;
import java.util.List;

/** The WS-Addressing blocks in a message header (SOAP-41 to SOAP-45). */
final class Addressing {
    static final String NAMESPACE = TextName.ADDRESSING;
    private static final String ANONYMOUS = NAMESPACE + "/anonymous";
    private static final String NONE = NAMESPACE + "/none";
    private static final String REPLY = NAMESPACE + "/reply";
    private static final String REQUIRED = "MessageAddressingHeaderRequired";
    private static final String INVALID = "InvalidAddressingHeader";
    private static final String NOT_SUPPORTED = "ActionNotSupported";
    /** The max number of related message ids kept for one answer. */
    private static final int MAX_RELATED = 16;
    /** The max characters of a text. */
    private static final int MAX_TEXT = 4_096;

    /** A message that violates a rule of addressing (SOAP-44). */
    static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient FaultCode code;
        private final transient CreoException error;

        Fault(String name, String reason) {
            super(reason, null, false, false);
            code = new FaultCode(NAMESPACE, name);
            error = Failures.malformed(reason);
        }

        TextRequest.Refusal refusal(SoapAnswers form) {
            return new TextRequest.Refusal(form.withFaultCode(code), error, false);
        }
    }

    private String action;
    private String messageId;
    private String replyTo;
    private String faultTo;
    private boolean addressed;
    private final List<String> replies = new ArrayList<>(1);
    /** The first duplicate block. */
    private String twice;
    /** The first block whose text is too long. */
    private String tooLong;

    /**
     * The form of the answer to a request with these blocks.
     *
     * @param messageId of the request, or null
     * @param reply whether a response is wanted
     * @param fault whether a fault is wanted
     */
    record Answers(String messageId, boolean reply, boolean fault) {
        /** The header blocks of an answer with the action. */
        String blocks(String action) {
            return block("Action", action) + (messageId == null ? "" : block("RelatesTo", messageId));
        }
    }

    /** Reads the opened block to its end. */
    void take(SoapReader r, String local, String relationship) {
        switch (local) {
            case "Action" -> action = once(local, action, r.words(null));
            case "MessageID" -> messageId = once(local, messageId, r.words(null));
            case "ReplyTo" -> replyTo = once(local, replyTo, r.wordsWithin("Address", null));
            case "FaultTo" -> faultTo = once(local, faultTo, r.wordsWithin("Address", null));
            case "To" -> {
                twice = addressed && twice == null ? local : twice;
                addressed = true;
                r.skipElement();
            }
            case "RelatesTo" -> {
                String id = r.words(null);
                if ((relationship == null || relationship.strip().equals(REPLY)) && replies.size() < MAX_RELATED) {
                    replies.add(id.length() > MAX_TEXT ? id.substring(0, MAX_TEXT) : id);
                }
            }
            default -> r.skipElement();
        }
    }

    private String once(String name, String before, String now) {
        if (before != null) {
            twice = twice == null ? name : twice;
            return before;
        }
        if (now != null && now.length() > MAX_TEXT) {
            tooLong = tooLong == null ? name : tooLong;
            return "";
        }
        return now == null ? "" : now;
    }

    /** Fails if the answer is to a request with another id (SOAP-42). */
    void checkReplyTo(String id) {
        if (!replies.isEmpty() && !replies.contains(id)) {
            throw Failures.ofRuntime(ErrorCode.PROTOCOL_MISMATCH, "an answer to another message, \"" + CreoException.shown(replies.get(0)) + "\"");
        }
    }

    /** The request's action, or that of the addresses if HTTP has none. */
    String actionOr(String asked) {
        return asked == null || asked.isEmpty() ? action : asked;
    }

    /** Checks the blocks of a request to a method with the action; returns the form of the answer (SOAP-43). */
    Answers check(String methodsAction) {
        if (twice != null) {
            throw new Fault(INVALID, "the header element " + twice + " of WS-Addressing comes twice");
        }
        if (tooLong != null) {
            throw new Fault(INVALID, "the header element " + tooLong + " of WS-Addressing has more than " + MAX_TEXT + " characters");
        }
        if (action == null) {
            if (messageId != null || replyTo != null || faultTo != null || addressed) {
                throw new Fault(REQUIRED, "the header element Action of WS-Addressing is missing");
            }
            return null;
        }
        if (!action.equals(methodsAction)) {
            throw new Fault(NOT_SUPPORTED, "the action \"" + CreoException.shown(action) + "\" of WS-Addressing with a request of the action \"" + methodsAction + "\"");
        }
        boolean reply = isWanted("ReplyTo", replyTo);
        return new Answers(messageId, reply, faultTo == null ? reply : isWanted("FaultTo", faultTo));
    }

    private static boolean isWanted(String name, String address) {
        if (address == null || address.equals(ANONYMOUS)) {
            return true;
        }
        if (address.equals(NONE)) {
            return false;
        }
        throw new Fault(INVALID, name + " has the address \"" + CreoException.shown(address) + "\": answers go back on the connection alone");
    }

    /** The form of the answer to an addressing fault. */
    Answers ofFault() {
        return action == null ? null : new Answers(messageId, true, true);
    }

    /** The action of an answer with an error. */
    static String faultAction(FaultCode code) {
        return NAMESPACE + (code != null && NAMESPACE.equals(code.namespace()) ? "/fault" : "/soap/fault");
    }

    /** The blocks for a request. */
    static String request(String action, String id, boolean oneway, String url) {
        return block("Action", action) + block("MessageID", id) + "<wsa:ReplyTo xmlns:wsa=\"" + NAMESPACE + "\"><wsa:Address>" + (oneway ? NONE : ANONYMOUS)
            + "</wsa:Address></wsa:ReplyTo>" + block("To", url);
    }

    private static String block(String name, String text) {
        return "<wsa:" + name + " xmlns:wsa=\"" + NAMESPACE + "\">" + SoapHeaders.escaped(text) + "</wsa:" + name + ">";
    }
}
