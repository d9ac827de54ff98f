package creo.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutablesTest {
    private static final Executables WANTED = new Executables("creo", "0.2.10");

    @TempDir
    Path folder;

    @Test
    void classifiersAreThoseThatOtherToolsUse() {
        assertEquals("linux-x86_64", Executables.classifier("Linux", "amd64"));
        assertEquals("linux-aarch_64", Executables.classifier("Linux", "aarch64"));
        assertEquals("osx-aarch_64", Executables.classifier("Mac OS X", "aarch64"));
        assertEquals("windows-x86_64", Executables.classifier("Windows 11", "amd64"));
        assertEquals("freebsd-riscv64", Executables.classifier("FreeBSD", "riscv64"));
    }

    @Test
    void aProgramThatWillNotDoIsRefusedWithTheVersionThatIsWanted() throws IOException {
        Path missing = folder.resolve("missing");
        assertTrue(message(missing).contains(missing + ", which does not exist; install creo 0.2.10, or leave creo.executable out"), message(missing));
        Path plain = Files.writeString(folder.resolve("plain"), "x");
        assertTrue(message(plain).contains("which is not executable; install creo 0.2.10"), message(plain));
        Path old = Files.writeString(folder.resolve("old"), "#!/bin/sh\necho creo 0.2.9\n");
        assertTrue(old.toFile().setExecutable(true));
        assertTrue(message(old).contains("creo 0.2.9; this plugin needs creo 0.2.10 or later; install creo 0.2.10"), message(old));
    }

    private static String message(Path file) {
        return assertThrows(MojoExecutionException.class, () -> WANTED.checked(file)).getMessage();
    }
}
