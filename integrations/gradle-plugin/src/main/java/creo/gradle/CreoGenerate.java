package creo.gradle;

import creo.build.Options;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.FileTree;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.SkipWhenEmpty;
import org.gradle.api.tasks.TaskAction;

/** Generates Java of descriptions and WSDLs, which become one model. If there are mistakes, earlier output stays as it was. */
@CacheableTask
public class CreoGenerate extends DefaultTask {
    private FileTree source;
    private File outputDirectory;
    private File directory;
    private CreoExtension settings;

    /** Descriptions, WSDLs, and what they import. */
    @InputFiles
    @SkipWhenEmpty
    @PathSensitive(PathSensitivity.RELATIVE)
    public FileTree getSource() {
        return source;
    }

    public void setSource(FileTree source) {
        this.source = source;
    }

    @OutputDirectory
    public File getOutputDirectory() {
        return outputDirectory;
    }

    public void setOutputDirectory(File outputDirectory) {
        this.outputDirectory = outputDirectory;
    }

    /** In which the program runs, and on which relative names build. */
    @Internal
    public File getDirectory() {
        return directory;
    }

    public void setDirectory(File directory) {
        this.directory = directory;
    }

    /** Takes the options from the build's block. */
    public void use(CreoExtension extension) {
        settings = extension;
    }

    /** The options of {@code creo generate}. */
    @Input
    public List<String> getOptions() {
        return new Options()
            .add("--runtime", settings.getRuntime().getOrNull())
            .add("--wires", settings.getWires().getOrNull())
            .add("--sides", settings.getSides().getOrNull())
            .add("--runtime-package", settings.getRuntimePackage().getOrNull())
            .add("--with", settings.getWith().getOrNull())
            .words();
    }

    /** What WSDLs import by URL. */
    @Input
    public List<String> getWsdlIncludes() {
        return settings.getWsdlIncludes().isPresent() ? settings.getWsdlIncludes().get() : Collections.<String>emptyList();
    }

    /** The files and folders among them. */
    @InputFiles
    @PathSensitive(PathSensitivity.RELATIVE)
    public List<File> getIncluded() {
        return getWsdlIncludes().stream().map(each -> directory.toPath().resolve(each.substring(each.lastIndexOf('=') + 1)).toFile()).collect(Collectors.toList());
    }

    /** What the program says of its version; where it is does not count. */
    @Input
    public String getVersion() {
        return program().version();
    }

    private Runs program() {
        return new Runs(settings.getExecutable().getOrNull(), directory, getLogger());
    }

    @TaskAction
    public void generate() throws IOException {
        Runs program = program();
        program.check(getClass().getPackage().getImplementationVersion());
        Path work = getTemporaryDir().toPath();
        delete(work);
        List<String> arguments = new ArrayList<>();
        arguments.add("generate");
        arguments.addAll(getOptions());
        Collections.addAll(arguments, "--target", "java", "--out", work.resolve("generated").toString(), "--");
        arguments.addAll(files(".creo"));
        arguments.addAll(imported(program, work.resolve("imported")));
        program.run(arguments);
        Path output = outputDirectory.toPath();
        delete(output);
        Files.createDirectories(output.getParent());
        Files.move(work.resolve("generated"), output, StandardCopyOption.REPLACE_EXISTING);
    }

    private List<String> files(String end) {
        return source.getFiles().stream().map(File::getPath).filter(path -> path.endsWith(end)).sorted().collect(Collectors.toList());
    }

    /** The descriptions that WSDLs become. */
    private List<String> imported(Runs program, Path folder) {
        List<String> made = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (String wsdl : files(".wsdl")) {
            String name = new File(wsdl).getName().replaceFirst("\\.wsdl$", ".creo");
            if (!names.add(name)) {
                throw new GradleException("two WSDLs would both become " + name + ", among them " + wsdl + ": rename one of them");
            }
            List<String> arguments = new ArrayList<>();
            Collections.addAll(arguments, "import", "--out", folder.toString(), "--force");
            getWsdlIncludes().forEach(each -> Collections.addAll(arguments, "--include", each));
            Collections.addAll(arguments, "--", wsdl);
            program.run(arguments);
            made.add(folder.resolve(name).toString());
        }
        return made;
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> files = Files.walk(folder)) {
            found = files.sorted(Collections.reverseOrder()).collect(Collectors.toList());
        }
        for (Path file : found) {
            Files.delete(file);
        }
    }
}
