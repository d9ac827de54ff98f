package creo.runtime.internal.http.tdxml;

import creo.runtime.CreoException;
import creo.runtime.ErrorCode;
import creo.runtime.TableOptions;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextReader;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextWriter;
import creo.runtime.internal.buffer.Failures;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.tdxml.TableDocument;
import creo.runtime.internal.tdxml.TableWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Exceptions and errors as separate documents (TDX-51). */
public final class TableErrors {
    public static final String MEDIA_TYPE = "application/vnd.creo.tdxml";
    /** The type name in an error document. */
    static final String ERROR = "error";

    private static final TextField CODE = TextField.element("code", "", "code");
    private static final TextField MESSAGE = TextField.element("message", "", "message");
    private static final TextField DETAILS =
        TextField.element("details", "", "details").entries(TextField.element(null, "", "key"), TextField.element(null, "", "value"));
    private static final TextRecord RECORD = TextRecord.of("error", "", "error").fields(CODE, MESSAGE, DETAILS);

    /** The content of an error document. */
    record Told(String code, String message, Map<String, String> details) {}

    private static final TextCodec<Told> CODEC =
        TextCodec.of(ERROR, TextField.element(null, "", "error"), TableErrors::write, TableErrors::read, false).shape(RECORD);

    private TableErrors() {}

    private static void write(TextWriter w, TextField f, Told v) {
        w.beginRecord(f, RECORD);
        w.writeString(CODE, v.code());
        w.writeString(MESSAGE, v.message());
        w.beginEntries(DETAILS, v.details().size());
        int i = 0;
        for (Map.Entry<String, String> each : v.details().entrySet()) {
            w.writeString(w.key(DETAILS, i++), each.getKey());
            w.writeString(w.value(DETAILS), each.getValue());
            w.endEntry(DETAILS);
        }
        w.endEntries(DETAILS);
        w.endRecord(f, RECORD);
    }

    private static Told read(TextReader r) {
        r.begin(RECORD);
        String code = "";
        String message = "";
        Map<String, String> details = new LinkedHashMap<>();
        for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
            switch (i) {
                case 0 -> code = r.readString();
                case 1 -> message = r.readString();
                default -> details(r, details);
            }
        }
        r.end(RECORD);
        return new Told(code, message, details);
    }

    private static void details(TextReader r, Map<String, String> into) {
        r.beginEntries();
        while (r.nextEntry()) {
            String key = "";
            String value = "";
            for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
                if (i == 0) {
                    key = r.readString();
                } else {
                    value = r.readString();
                }
            }
            r.endEntry();
            if (into.size() < Errors.MOST_DETAILS) {
                into.put(key, value);
            }
        }
    }

    /** Writes a declared exception. */
    static <E extends Exception> void exception(TableWriter w, TextCodec<E> codec, Exception e, TableOptions options) {
        @SuppressWarnings("unchecked") // The codec was chosen by the exception's class.
        E declared = (E) e;
        w.value(codec, declared, options, codec.fullName);
    }

    /** Writes an error. */
    static void error(TableWriter w, CreoException e, TableOptions options) {
        Map<String, String> details = new LinkedHashMap<>();
        ServiceErrors.details(e).forEach((key, value) -> details.put(ServiceErrors.sound(key), ServiceErrors.sound(value)));
        w.value(CODEC, new Told(e.code().word(), ServiceErrors.sound(e.reason()), details), new TableOptions(options.scheme(), false), ERROR);
    }

    /** The declared exception or error of a document. */
    public static Exception read(TableDocument document, TextMethod<?, ?> method) {
        if (ERROR.equals(document.of())) {
            Told told = document.value(CODEC, null);
            return Errors.ofPeer(told.code(), told.message(), told.details());
        }
        for (TextCodec<? extends Exception> codec : method.exceptions) {
            if (codec.fullName.equals(document.of())) {
                return document.value(codec, null);
            }
        }
        document.close();
        return Failures.ofPeer(ErrorCode.INTERNAL, "the exception \"" + document.of() + "\", which the method does not declare", Map.of());
    }
}
