package creo.conformance;

import creo.runtime.CreoException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Decodes what it is asked for, a line each, and encodes it again: on the binary wire, or as XML. */
final class CodecPeer {
    private CodecPeer() {}

    static void run(boolean xml) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(answer(Json.object(line), xml));
            out.flush();
        }
    }

    private static String answer(Map<String, Object> question, boolean xml) {
        String start = "{\"id\":" + Json.quote((String) question.get("id")) + ",";
        try {
            String type = (String) question.get("type");
            byte[] bytes = HexFormat.of().parseHex((String) question.get("bytes"));
            Object value = xml ? Values.fromXml(type, bytes) : Values.decode(type, bytes);
            String json = Values.json(value);
            return start + "\"value\":" + json + ",\"bytes\":\"" + HexFormat.of().formatHex(xml ? Values.toXml(type, value) : Values.encode(type, value)) + "\"}";
        } catch (CreoException e) {
            String place = e.place() == null ? "" : "\"place\":" + Json.quote(e.place()) + ",";
            String offset = e.offset() < 0 ? "" : "\"offset\":" + e.offset() + ",";
            return start + "\"error\":\"" + e.code() + "\"," + place + offset + "\"message\":" + Json.quote(e.getMessage()) + "}";
        } catch (Throwable e) {
            return start + "\"error\":\"crash\",\"message\":" + Json.quote(e.toString()) + "}";
        }
    }
}
