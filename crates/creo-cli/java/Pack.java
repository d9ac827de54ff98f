import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.DocumentationTool;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles sources that come by standard input, and writes what comes of them to standard output; creo makes JARs of it. Sources and classes are in memory
 * alone. Documentation goes through a folder that is removed again, since the JDK's doclet writes to folders only.
 *
 * <p>In: whether to document (a byte), the number of sources, and for each its path, its text, and what it is (a byte of flags). Out: whether all went well
 * (a byte), what the compiler said, the number of files, and for each whether it is documentation (a byte), its path, its bytes. Numbers are of four bytes;
 * a text is UTF-8, and it and bytes follow their count.
 */
final class Pack {
    /** The source becomes a part of what is packed; what is compiled of others is dropped. */
    private static final int SHIPPED = 1;

    /** The source is documented. */
    private static final int DOCUMENTED = 2;

    private final List<Source> sources = new ArrayList<>();
    private final Map<String, ClassFile> classes = new TreeMap<>();
    private final Map<String, byte[]> documentation = new TreeMap<>();
    private final StringBuilder said = new StringBuilder();

    public static void main(String[] args) throws IOException {
        Pack pack = new Pack();
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        boolean documents = in.readByte() != 0;
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            pack.sources.add(new Source(text(in), text(in), in.readByte()));
        }
        boolean fine = pack.compile() && (!documents || pack.document());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        out.writeByte(fine ? 1 : 0);
        write(out, pack.said.toString().getBytes(StandardCharsets.UTF_8));
        Map<String, byte[]> shipped = pack.shipped();
        out.writeInt(fine ? shipped.size() + pack.documentation.size() : 0);
        if (fine) {
            writeAll(out, 0, shipped);
            writeAll(out, 1, pack.documentation);
        }
        out.flush();
    }

    private boolean compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        StringWriter more = new StringWriter();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            List<String> options = List.of("--release", "17", "-proc:none", "-g:source,lines", "-Xlint:-options");
            boolean fine = compiler.getTask(more, new MemoryFiles(standard), diagnostics, options, null, sources).call();
            tell(diagnostics, more);
            return fine;
        }
    }

    private boolean document() throws IOException {
        DocumentationTool tool = ToolProvider.getSystemDocumentationTool();
        List<Source> documented = sources.stream().filter(source -> (source.flags & DOCUMENTED) != 0).toList();
        if (documented.isEmpty()) {
            return true;
        }
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        StringWriter more = new StringWriter();
        Path folder = Files.createTempDirectory("creo-pack");
        try (StandardJavaFileManager standard = tool.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8)) {
            standard.setLocationFromPaths(DocumentationTool.Location.DOCUMENTATION_OUTPUT, List.of(folder));
            List<String> options = List.of(
                    "--release", "17", "-quiet", "-notimestamp", "-noindex", "-nohelp", "-Xdoclint:none", "-encoding", "UTF-8", "-charset", "UTF-8", "-docencoding", "UTF-8", "-locale", "en");
            boolean fine = tool.getTask(more, new MemoryFiles(standard), diagnostics, null, options, documented).call();
            tell(diagnostics, more);
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    documentation.put(folder.relativize(file).toString().replace(File.separatorChar, '/'), Files.readAllBytes(file));
                }
            }
            return fine;
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(Pack::remove);
            }
        }
    }

    private static void remove(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tell(DiagnosticCollector<JavaFileObject> diagnostics, StringWriter more) {
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.NOTE) {
                continue;
            }
            JavaFileObject source = diagnostic.getSource();
            String place = source == null ? "" : source.getName() + ":" + diagnostic.getLineNumber() + ": ";
            said.append(place).append(diagnostic.getKind().toString().toLowerCase(Locale.ROOT)).append(": ").append(diagnostic.getMessage(Locale.ROOT)).append('\n');
        }
        said.append(more);
    }

    /** The classes of sources that are shipped. */
    private Map<String, byte[]> shipped() {
        Map<String, byte[]> shipped = new TreeMap<>();
        classes.forEach((name, file) -> {
            if (file.source == null || (file.source.flags & SHIPPED) != 0) {
                shipped.put(name.replace('.', '/') + ".class", file.bytes.toByteArray());
            }
        });
        return shipped;
    }

    private static String text(DataInputStream in) throws IOException {
        int count = in.readInt();
        byte[] bytes = in.readNBytes(count);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void writeAll(DataOutputStream out, int kind, Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            out.writeByte(kind);
            write(out, file.getKey().getBytes(StandardCharsets.UTF_8));
            write(out, file.getValue());
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String path;
        private final String text;
        private final int flags;

        Source(String path, String text, int flags) {
            super(URI.create("memory:///" + path), Kind.SOURCE);
            this.path = path;
            this.text = text;
            this.flags = flags;
        }

        @Override
        public String getName() {
            return path;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class ClassFile extends SimpleJavaFileObject {
        private final String name;
        private final Source source;
        private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        ClassFile(String name, Source source) {
            super(URI.create("memory:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
            this.name = name;
            this.source = source;
        }

        @Override
        public OutputStream openOutputStream() {
            bytes = new ByteArrayOutputStream();
            return bytes;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(bytes.toByteArray());
        }
    }

    /** The JDK's own classes from where they are, the class path from memory, and nothing else: no file of the folder in which creo was called counts. */
    private final class MemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> implements StandardJavaFileManager {
        MemoryFiles(StandardJavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ClassFile file = new ClassFile(name, sibling instanceof Source source ? source : null);
            classes.put(name, file);
            return file;
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
            if (location == StandardLocation.CLASS_PATH) {
                return classPath(packageName, kinds, recurse);
            }
            if (location == StandardLocation.SOURCE_PATH || location == StandardLocation.CLASS_OUTPUT) {
                return List.of();
            }
            return super.list(location, packageName, kinds, recurse);
        }

        private List<JavaFileObject> classPath(String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) {
            List<JavaFileObject> found = new ArrayList<>();
            if (!kinds.contains(JavaFileObject.Kind.CLASS)) {
                return found;
            }
            for (ClassFile file : classes.values()) {
                int dot = file.name.lastIndexOf('.');
                String of = dot < 0 ? "" : file.name.substring(0, dot);
                if (dot > 0 && (of.equals(packageName) || recurse && (packageName.isEmpty() || of.startsWith(packageName + ".")))) {
                    found.add(file);
                }
            }
            return found;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof ClassFile own ? own.name : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject a, FileObject b) {
            return a instanceof SimpleJavaFileObject || b instanceof SimpleJavaFileObject ? a == b : super.isSameFile(a, b);
        }

        @Override
        public boolean contains(Location location, FileObject file) throws IOException {
            return file instanceof SimpleJavaFileObject ? false : super.contains(location, file);
        }

        @Override
        public Iterable<? extends JavaFileObject> getJavaFileObjectsFromFiles(Iterable<? extends File> files) {
            return fileManager.getJavaFileObjectsFromFiles(files);
        }

        @Override
        public Iterable<? extends JavaFileObject> getJavaFileObjectsFromPaths(Collection<? extends Path> paths) {
            return fileManager.getJavaFileObjectsFromPaths(paths);
        }

        @Override
        public Iterable<? extends JavaFileObject> getJavaFileObjects(File... files) {
            return fileManager.getJavaFileObjects(files);
        }

        @Override
        public Iterable<? extends JavaFileObject> getJavaFileObjectsFromStrings(Iterable<String> names) {
            return fileManager.getJavaFileObjectsFromStrings(names);
        }

        @Override
        public Iterable<? extends JavaFileObject> getJavaFileObjects(String... names) {
            return fileManager.getJavaFileObjects(names);
        }

        @Override
        public void setLocation(Location location, Iterable<? extends File> files) throws IOException {
            fileManager.setLocation(location, files);
        }

        @Override
        public void setLocationFromPaths(Location location, Collection<? extends Path> paths) throws IOException {
            fileManager.setLocationFromPaths(location, paths);
        }

        @Override
        public Iterable<? extends File> getLocation(Location location) {
            return fileManager.getLocation(location);
        }

        @Override
        public Iterable<? extends Path> getLocationAsPaths(Location location) {
            return fileManager.getLocationAsPaths(location);
        }

        @Override
        public Path asPath(FileObject file) {
            return fileManager.asPath(file);
        }
    }
}
