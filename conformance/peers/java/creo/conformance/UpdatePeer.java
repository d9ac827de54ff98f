package creo.conformance;

import creo.runtime.Table;
import creo.runtime.Tdxml;
import creo.runtime.codegen.TextCodec;
import java.io.IOException;
import java.util.HexFormat;

/** Makes and applies updates of tables, a line each. */
final class UpdatePeer {
    private UpdatePeer() {}

    static void run() throws IOException {
        CodecPeer.run(question -> {
            TextCodec<Object> codec = Values.text((String) question.get("type"));
            Object old = Tdxml.read(codec, hex(question.get("bytes")));
            String made = "";
            if (question.get("second") != null) {
                byte[] update = Table.diff(codec, old, Tdxml.read(codec, hex(question.get("second"))));
                made = ",\"update\":\"" + HexFormat.of().formatHex(update) + "\"";
            }
            Object changed = Table.apply(codec, old, hex(question.get("update")));
            return "\"value\":" + Values.json(changed) + made;
        });
    }

    private static byte[] hex(Object text) {
        return HexFormat.of().parseHex((String) text);
    }
}
