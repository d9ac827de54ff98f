package creo.runtime;

import creo.runtime.codegen.TextCodec;
import creo.runtime.codegen.TextField;
import creo.runtime.codegen.TextMessage;
import creo.runtime.codegen.TextMethod;
import creo.runtime.codegen.TextReader;
import creo.runtime.codegen.TextRecord;
import creo.runtime.codegen.TextType;
import creo.runtime.codegen.TextWriter;

/** What text wires know of the methods of {@link Calls}, as generated code would say it, by hand. */
final class TextCalls {
    static final String NS = "urn:calls";

    private static final TextCodec<Calls.Refused> REFUSED = refused();

    static final TextMethod<String, String> SAY = TextMethod.of("urn:calls:say", message("say", "text", TextWriter::writeString, TextReader::readString),
        message("sayResponse", "result", TextWriter::writeString, TextReader::readString), REFUSED);
    static final TextMethod<byte[], byte[]> ECHO = TextMethod.of("urn:calls:echo", message("echo", "bytes", TextWriter::writeBytes, TextReader::readBytes),
        message("echoResponse", "result", TextWriter::writeBytes, TextReader::readBytes));
    static final TextMethod<Integer, Integer> SLEEP = TextMethod.of("urn:calls:sleep", message("sleep", "milliseconds", TextWriter::writeInt, TextReader::readInt),
        message("sleepResponse", "result", TextWriter::writeInt, TextReader::readInt));
    static final TextMethod<String, Void> NOTE = TextMethod.of("urn:calls:note", message("note", "text", TextWriter::writeString, TextReader::readString), null);
    static final TextMethod<String, String> LOST = TextMethod.of("urn:calls:lost", message("lost", "text", TextWriter::writeString, TextReader::readString),
        message("lostResponse", "result", TextWriter::writeString, TextReader::readString));

    private TextCalls() {}

    private static <T> TextMessage<T> message(String name, String part, TextCodec.Encoder<T> encoder, TextCodec.Decoder<T> decoder) {
        TextField field = TextField.element(part.equals("result") ? null : part, NS, part);
        TextField element = TextField.element(null, NS, name);
        TextRecord record = TextRecord.of(name, NS, name).fields(field);
        return TextMessage.of(element, record, null, (w, v) -> encoder.write(w, field, v), r -> {
            r.begin(record);
            T v = null;
            while (r.next(0) == 0) {
                v = decoder.read(r);
            }
            r.end(record);
            return v;
        }, false, NS);
    }

    private static TextCodec<Calls.Refused> refused() {
        TextField wait = TextField.element("wait", NS, "wait").is(TextType.INTEGER);
        TextRecord record = TextRecord.of("Refused", NS, "Refused").fields(wait);
        return TextCodec.of("calls.Refused", TextField.element(null, NS, "Refused"), (w, f, v) -> {
            w.beginRecord(f, record);
            w.writeInt(wait, v.wait);
            w.endRecord(f, record);
        }, r -> {
            r.begin(record);
            int v = 0;
            while (r.next(0) == 0) {
                v = r.readInt();
            }
            r.end(record);
            return new Calls.Refused(v);
        }, false, NS).shape(record);
    }
}
