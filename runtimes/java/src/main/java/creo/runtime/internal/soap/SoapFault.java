package creo.runtime.internal.soap;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.Errors;
import java.util.LinkedHashMap;
import java.util.Map;

/** The content of a fault (SOAP-13). */
final class SoapFault {
    String code;
    String subcode;
    String text;
    String actor;
    String detail;
    /** Why a declared exception could not be read. */
    String problem;
    Exception declared;
    String error;
    Map<String, String> details = new LinkedHashMap<>();

    /** The exception for the fault. */
    Exception exception() {
        if (declared != null) {
            return declared;
        }
        if (error != null) {
            return Errors.ofPeer(error, text == null ? "" : text, details);
        }
        put("fault-code", code);
        put("fault-subcode", subcode);
        put("fault-actor", actor);
        put("fault-detail", detail);
        put("fault-problem", problem);
        String local = code == null ? "" : code.substring(Math.max(code.lastIndexOf(':'), code.lastIndexOf('}')) + 1);
        ErrorCode known = switch (local.indexOf('.') < 0 ? local : local.substring(0, local.indexOf('.'))) {
            case "Client", "Sender" -> ErrorCode.MALFORMED;
            case "VersionMismatch", "MustUnderstand" -> ErrorCode.PROTOCOL_MISMATCH;
            default -> ErrorCode.INTERNAL;
        };
        return Failures.ofPeer(known, text == null || text.isEmpty() ? "a fault without a text" : text, details);
    }

    private void put(String key, String said) {
        if (said != null && !said.isEmpty()) {
            details.put(key, CreoException.shown(said));
        }
    }
}
