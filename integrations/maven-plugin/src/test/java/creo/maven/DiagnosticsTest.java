package creo.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.junit.jupiter.api.Test;

class DiagnosticsTest {
    private final List<String> shown = new ArrayList<>();
    private final Diagnostics diagnostics = new Diagnostics(new SystemStreamLog() {
        @Override
        public void info(CharSequence content) {
            shown.add("INFO " + content);
        }

        @Override
        public void warn(CharSequence content) {
            shown.add("WARNING " + content);
        }

        @Override
        public void error(CharSequence content) {
            shown.add("ERROR " + content);
        }
    });

    @Test
    void aPlaceIsInTheFormOfTheCompiler() {
        diagnostics.line("{\"severity\":\"error\",\"code\":\"unknown-type\",\"message\":\"there is no type `Strin` here\",\"file\":\"/a b/wrong.creo\",\"line\":2,\"column\":5,\"help\":\"did you mean `String`?\"}");
        diagnostics.line("{\"severity\":\"warning\",\"code\":\"unused-import\",\"message\":\"nothing of it is used\",\"file\":\"/x.creo\",\"line\":1,\"column\":1}");
        assertEquals(List.of("ERROR /a b/wrong.creo:[2,5] there is no type `Strin` here (unknown-type); did you mean `String`?",
            "WARNING /x.creo:[1,1] nothing of it is used (unused-import)"), shown);
        assertEquals("1 error and 1 warning", diagnostics.counted());
    }

    @Test
    void whatIsNoDiagnosticIsShownAsItIs() {
        diagnostics.line("java: 2 files written, 1 unchanged");
        diagnostics.line("");
        diagnostics.line("{ not JSON");
        diagnostics.line("{\"other\":1}");
        diagnostics.line("{\"severity\":\"error\",\"message\":\"cannot read x\",\"file\":{}}");
        assertEquals(List.of("INFO creo: java: 2 files written, 1 unchanged", "INFO creo: { not JSON", "INFO creo: {\"other\":1}", "ERROR cannot read x"), shown);
        assertEquals("cannot read x", diagnostics.lastError());
    }
}
