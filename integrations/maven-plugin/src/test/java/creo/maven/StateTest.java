package creo.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateTest {
    @TempDir
    Path folder;

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Test
    void aChangeOfAnythingIsSeen() throws IOException {
        Path input = write("a.creo", "struct A {}");
        Path output = write("out/A.java", "class A {}").getParent();
        Path memory = folder.resolve("work/default.state");
        assertFalse(State.of(List.of("x"), Set.of(input), output).isStored(memory));
        State.of(List.of("x"), Set.of(input), output).store(memory);
        assertTrue(State.of(List.of("x"), Set.of(input), output).isStored(memory));
        assertFalse(State.of(List.of("y"), Set.of(input), output).isStored(memory));
        write("a.creo", "struct B {}");
        assertFalse(State.of(List.of("x"), Set.of(input), output).isStored(memory));
        write("a.creo", "struct A {}");
        assertTrue(State.of(List.of("x"), Set.of(input), output).isStored(memory));
        Files.delete(output.resolve("A.java"));
        assertFalse(State.of(List.of("x"), Set.of(input), output).isStored(memory));
    }

    @Test
    void importsAreFollowedAndSchemasTakenAlong() throws IOException {
        Path a = write("a.creo", "import \"sub/b.creo\"; import \"missing.creo\";");
        Path b = write("sub/b.creo", "import\n  \"../a.creo\";\nimport \"c.creo\";");
        Path c = write("sub/c.creo", "");
        write("sub/d.creo", "");
        Path wsdl = write("wsdl/w.wsdl", "");
        Path xsd = write("wsdl/types/t.xsd", "");
        Path other = write("other/o.xsd", "");
        assertEquals(Set.of(a, b, c, wsdl, xsd, other), Inputs.of(List.of(a), List.of(wsdl), List.of(other)));
    }

    @Test
    void whatOtherSetsOfDescriptionsLeftIsRemovedUnlessSomebodyHasChangedIt() throws IOException {
        assertEquals(".creo-manifest-a+b", Manifests.name(List.of(Path.of("/x/b.creo"), Path.of("/y/a.creo"))));
        assertNull(Manifests.name(List.of(Path.of("x".repeat(101) + ".creo"))));
        Path out = folder.resolve("out");
        Path mine = write("out/Mine.java", "mine");
        Path stale = write("out/Stale.java", "stale");
        Path changed = write("out/Changed.java", "changed");
        Path outside = write("outside", "outside");
        write("out/.creo-manifest-a", State.hash(mine) + "  Mine.java\n");
        Path old = write("out/.creo-manifest-a+b", "# old\n" + State.hash(mine) + "  Mine.java\n" + State.hash(stale) + "  Stale.java\n" + "0".repeat(64) + "  Changed.java\n"
            + State.hash(outside) + "  ../outside\n");
        Manifests.removeOthers(out, List.of(Path.of("a.creo")));
        assertTrue(Files.exists(mine) && Files.exists(changed) && Files.exists(outside));
        assertFalse(Files.exists(stale) || Files.exists(old));
    }
}
