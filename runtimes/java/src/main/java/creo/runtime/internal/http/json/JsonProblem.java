package creo.runtime.internal.http.json;

import creo.runtime.CreoException;
import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextRecord;
import creo.runtime.internal.call.Errors;
import creo.runtime.internal.http.AnswerForm;
import creo.runtime.internal.http.ServiceErrors;
import creo.runtime.internal.json.JsonReader;
import creo.runtime.internal.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Problem documents (JSON-22 to JSON-24). */
public final class JsonProblem {
    public static final String JSON = "application/json";
    static final String MEDIA_TYPE = "application/problem+json";
    static final String EXCEPTION = "urn:creo:exception:";
    static final String ERROR = "urn:creo:error:";

    private static final TextField TYPE = member("type");
    private static final TextField TITLE = member("title");
    private static final TextField STATUS = member("status");
    private static final TextField DETAIL = member("detail");
    private static final TextField DETAILS = member("details").entries(TextField.element(null, "", "key"), TextField.element(null, "", "value"));
    private static final TextField VALUE = member("value");
    private static final TextField ROOT = TextField.element(null, "", "problem");
    private static final TextRecord RECORD = TextRecord.of("problem", "", "problem").fields(TYPE, TITLE, STATUS, DETAIL, DETAILS, VALUE).extensible();

    private JsonProblem() {}

    private static TextField member(String name) {
        return TextField.element(name, "", name).optional();
    }

    static <E extends Exception> void exception(JsonWriter w, TextCodec<E> codec, Exception e) {
        w.beginRecord(ROOT, RECORD);
        w.writeString(TYPE, EXCEPTION + codec.fullName);
        w.writeString(TITLE, codec.name);
        w.writeInt(STATUS, AnswerForm.DECLARED);
        @SuppressWarnings("unchecked") // The codec was chosen by the exception's class.
        E declared = (E) e;
        codec.encoder.write(w, VALUE, declared);
        w.endRecord(ROOT, RECORD);
        w.end();
    }

    static void error(JsonWriter w, CreoException e, int status) {
        w.beginRecord(ROOT, RECORD);
        w.writeString(TYPE, ERROR + e.code().word());
        w.writeString(TITLE, e.code().word());
        w.writeInt(STATUS, status);
        w.writeString(DETAIL, ServiceErrors.sound(e.reason()));
        Map<String, String> details = ServiceErrors.details(e);
        if (!details.isEmpty()) {
            w.beginEntries(DETAILS, details.size());
            int i = 0;
            for (Map.Entry<String, String> each : details.entrySet()) {
                w.writeString(w.key(DETAILS, i++), ServiceErrors.sound(each.getKey()));
                w.writeString(w.value(DETAILS), ServiceErrors.sound(each.getValue()));
            }
            w.endEntries(DETAILS);
        }
        w.endRecord(ROOT, RECORD);
        w.end();
    }

    /** The content of a problem document; with too little content it counts as an answer without a fault. */
    record Read(String type, String title, String detail, Map<String, String> details) {}

    /** Reads a problem document; members other than those of RFC 9457 and Creo are skipped. */
    static Read read(JsonReader r) {
        r.beginRoot(ROOT);
        r.begin(RECORD);
        String type = null;
        String title = null;
        String detail = null;
        Map<String, String> details = new LinkedHashMap<>();
        for (int i = r.next(0); i >= 0; i = r.next(i + 1)) {
            switch (i) {
                case 0 -> type = text(r);
                case 1 -> title = text(r);
                case 3 -> detail = text(r);
                case 4 -> details(r, details);
                default -> r.skip();
            }
        }
        r.end(RECORD);
        r.endDocument();
        return new Read(type, title, detail, details);
    }

    private static String text(JsonReader r) {
        if (r.b[r.start()] == '"') {
            return r.readString();
        }
        r.skip();
        return null;
    }

    private static void details(JsonReader r, Map<String, String> into) {
        if (r.b[r.start()] != '{') {
            r.skip();
            return;
        }
        r.beginEntries();
        while (r.nextEntry()) {
            r.next(0);
            String key = r.readString();
            r.next(1);
            String value = text(r);
            r.next(2);
            r.endEntry();
            if (value != null && into.size() < Errors.MOST_DETAILS) {
                into.put(key, value);
            }
        }
    }

    /** The declared exception of a document whose type was already read. */
    static <E extends Exception> E value(JsonReader r, TextCodec<E> codec) {
        r.beginRoot(ROOT);
        r.begin(RECORD);
        E value = null;
        for (int i = r.next(5); i >= 0; i = r.next(i + 1)) {
            if (i == 5) {
                // Paths begin with the exception itself.
                r.unplaced();
                value = codec.decoder.read(r);
            } else {
                r.skip();
            }
        }
        if (value == null) {
            throw r.malformed(r.pos - 1, "without the member \"value\", which must be there");
        }
        r.end(RECORD);
        r.endDocument();
        return value;
    }
}
