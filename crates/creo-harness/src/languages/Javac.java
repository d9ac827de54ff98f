import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The compiler as a process that compiles many times: started anew for each time, it would spend most of its time on getting warm.
 *
 * <p>Each line of standard input is the path of a file with the arguments of {@code javac}. The answer is what the compiler says, and then a line of a NUL and the exit code.
 */
public final class Javac {
    private Javac() {
    }

    public static void main(String[] args) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        for (String path; (path = in.readLine()) != null;) {
            int code = compiler.run(null, out, out, "@" + path);
            out.println("\0" + code);
        }
    }
}
