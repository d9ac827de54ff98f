package creo.conformance;

import creo.runtime.CreoException;
import creo.runtime.Limits;
import creo.runtime.TableOptions;
import creo.runtime.Tdxml;
import creo.runtime.Xml;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Decodes what it is asked for, a line each, and encodes it again: on the wire of its mode. */
final class CodecPeer {
    private CodecPeer() {}

    interface Decoder {
        Object decode(String type, byte[] bytes, Limits limits) throws Throwable;
    }

    interface Encoder {
        byte[] encode(String type, Object value) throws Throwable;
    }

    /** A wire: from the bytes of a value alone, and back. */
    record Wire(Decoder decoder, Encoder encoder) {}

    /** The wire of a mode, or null if the mode is none. */
    static Wire wire(String mode) {
        return switch (mode) {
            case "codec" -> new Wire(Values::decode, Values::encode);
            case "soap" -> new Wire((type, bytes, limits) -> Xml.read(Values.text(type), bytes, limits), (type, value) -> Xml.write(Values.text(type), value));
            case "json" -> new Wire((type, bytes, limits) -> creo.runtime.Json.read(Values.text(type), bytes, limits), (type, value) -> creo.runtime.Json.write(Values.text(type), value));
            case "tdxml" -> tables(TableOptions.RECORD);
            case "tdxml-aggregated" -> tables(TableOptions.AGGREGATED);
            case "tdxml-schema" -> tables(TableOptions.RECORD.withSchema());
            default -> null;
        };
    }

    private static Wire tables(TableOptions options) {
        return new Wire((type, bytes, limits) -> Tdxml.read(Values.text(type), bytes, limits), (type, value) -> Tdxml.write(Values.text(type), value, options));
    }

    /** The answer to a question. */
    interface Answer {
        /** The members of the answer, but its id. */
        String to(Map<String, Object> question) throws Throwable;
    }

    static void run(Wire wire) throws IOException {
        run(question -> {
            String type = (String) question.get("type");
            Object value = wire.decoder().decode(type, HexFormat.of().parseHex((String) question.get("bytes")), limits(question.get("maxMemory")));
            String json = Values.json(value);
            return "\"value\":" + json + ",\"bytes\":\"" + HexFormat.of().formatHex(wire.encoder().encode(type, value)) + "\"";
        });
    }

    private static Limits limits(Object maxMemory) {
        return maxMemory == null ? Limits.DEFAULT : Limits.DEFAULT.withMaxMemory(Long.parseLong(maxMemory.toString()));
    }

    static void run(Answer answer) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(Json.object(line), answer));
            out.flush();
        }
    }

    private static String member(String name, String text) {
        return text == null ? "" : Json.quote(name) + ":" + Json.quote(text) + ",";
    }

    private static String answer(Map<String, Object> question, Answer answer) {
        String start = "{\"id\":" + Json.quote((String) question.get("id")) + ",";
        try {
            return start + answer.to(question) + "}";
        } catch (CreoException e) {
            String place = e.place() == null ? "" : "\"place\":" + Json.quote(e.place()) + ",";
            String offset = e.offset() < 0 ? "" : "\"offset\":" + e.offset() + ",";
            String limit = member("limit", e.details().get("limit")) + member("allowed", e.details().get("allowed"));
            return start + "\"error\":\"" + e.code() + "\"," + place + offset + limit + "\"message\":" + Json.quote(e.getMessage()) + "}";
        } catch (Throwable e) {
            return start + "\"error\":\"crash\",\"message\":" + Json.quote(e.toString()) + "}";
        }
    }
}
