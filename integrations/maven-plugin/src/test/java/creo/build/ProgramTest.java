package creo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    @TempDir
    Path folder;

    private Program program(String script) throws IOException {
        Path file = Files.writeString(folder.resolve("creo"), "#!/bin/sh\n" + script + "\n");
        assertTrue(file.toFile().setExecutable(true));
        return new Program(file.toString(), folder.toFile());
    }

    @Test
    void versionsAreComparedAsNumbers() {
        for (String enough : new String[] {"creo 0.2.10", "creo 0.2.11", "creo 0.10.0", "creo 1.0.0-beta", "creo 0.2.10 (abc)", "creo 99999999999.0.0"}) {
            assertTrue(Program.isNewEnough(enough, "0.2.10"), enough);
        }
        for (String tooOld : new String[] {"creo 0.2.9", "creo 0.1.99", "creo 0.2", "0.2.10", "clang 15.0.0", "", "creo", "creo creo 0.2.10"}) {
            assertFalse(Program.isNewEnough(tooOld, "0.2.10"), tooOld);
        }
        assertFalse(Program.isNewEnough("creo 0.2.10", "unknown"));
    }

    @Test
    void bothOutputsAreHandedOverByLineAndNothingIsRead() throws IOException {
        List<String> lines = new ArrayList<>();
        assertEquals(100, program("echo \"$@\"; echo wrong >&2; cat; pwd; exit 100").run(List.of("check", "a b.creo"), lines::add));
        assertEquals(List.of("--error-format json check a b.creo", "wrong", folder.toRealPath().toString()), lines);
        assertEquals("creo 1.2.3\nmore", program("echo creo 1.2.3; echo more").version());
        assertThrows(IOException.class, () -> new Program(folder.resolve("nowhere").toString(), folder.toFile()).version());
    }

    @Test
    void optionsThatAreNotSetAreLeftOut() {
        Options options = new Options().add("--runtime", null).add("--with", " ").add("--wires", "binary,\n  json").add("--sides", "client");
        assertEquals(List.of("--wires", "binary,json", "--sides", "client"), options.words());
    }
}
