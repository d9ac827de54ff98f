package creo.maven;

import creo.build.Options;
import creo.build.Program;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;

/**
 * Generates Java from service descriptions and WSDLs, and compiles it with the project. All descriptions become one model, so they may share
 * types. Nothing runs unless a description, a WSDL or an option has changed; files that would stay the same are not rewritten. A mistake in a
 * description fails the build, and what was generated before stays as it is.
 */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo {
    /** The folder whose descriptions ({@code .creo}) are generated, with all folders beneath it. */
    @Parameter(property = "creo.sourceDirectory", defaultValue = "${project.basedir}/src/main/creo")
    private File sourceDirectory;

    /** Descriptions to generate instead of all in {@code sourceDirectory}. What they import is found from them. */
    @Parameter
    private List<File> descriptions;

    /** The folder whose WSDLs ({@code .wsdl}) are imported and generated. Files that they import by a relative path are found beneath it. */
    @Parameter(property = "creo.wsdlDirectory", defaultValue = "${project.basedir}/src/main/wsdl")
    private File wsdlDirectory;

    /** WSDLs or XML Schemas to import instead of all in {@code wsdlDirectory}. */
    @Parameter
    private List<File> wsdls;

    /** For files that WSDLs import by a URL: {@code LOCATION=FILE}, or a folder, as for {@code creo import --include}. */
    @Parameter
    private List<String> wsdlIncludes;

    /** Where to. The sources are in its folder {@code java}, which is compiled with the project. */
    @Parameter(property = "creo.outputDirectory", defaultValue = "${project.build.directory}/generated-sources/creo")
    private File outputDirectory;

    /** The wires that the code speaks: {@code binary}, {@code soap}, {@code tdxml}, {@code json}, separated by commas, or {@code all}. */
    @Parameter(property = "creo.wires")
    private String wires;

    /** The sides of calls that the code takes: {@code client}, {@code service} or {@code both}. */
    @Parameter(property = "creo.sides")
    private String sides;

    /** Where the code finds its runtime: {@code package}, the artifact {@code creo-runtime} among the project's dependencies; or {@code copy}, beside the code. */
    @Parameter(property = "creo.runtime", defaultValue = "package")
    private String runtime;

    /** The package to which a copied runtime moves. */
    @Parameter(property = "creo.runtimePackage")
    private String runtimePackage;

    /** Modules to copy beside a copied runtime, such as {@code jms}, separated by commas. */
    @Parameter(property = "creo.with")
    private String with;

    /** The program {@code creo}. Without this, the artifact {@code creo-cli} of the plugin's own version is taken from the repository. */
    @Parameter(property = "creo.executable")
    private File executable;

    /** Generates nothing. */
    @Parameter(property = "creo.skip", defaultValue = "false")
    private boolean skip;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${plugin}", readonly = true, required = true)
    private PluginDescriptor plugin;

    @Parameter(defaultValue = "${mojoExecution}", readonly = true, required = true)
    private MojoExecution execution;

    @Parameter(defaultValue = "${repositorySystemSession}", readonly = true, required = true)
    private RepositorySystemSession session;

    @Inject
    private RepositorySystem repositories;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("creo: skipped");
            return;
        }
        try {
            generate();
        } catch (IOException e) {
            throw new MojoExecutionException("creo could not be run: " + e.getMessage(), e);
        }
    }

    private void generate() throws IOException, MojoExecutionException, MojoFailureException {
        List<Path> own = given(descriptions, sourceDirectory, ".creo");
        List<Path> foreign = given(wsdls, wsdlDirectory, ".wsdl");
        if (own.isEmpty() && foreign.isEmpty()) {
            getLog().warn("creo: there are no descriptions in " + sourceDirectory + ", and no WSDLs in " + wsdlDirectory);
            return;
        }
        Path sources = outputDirectory.toPath().resolve("java");
        List<String> options = options();
        Path work = Path.of(project.getBuild().getDirectory(), "creo");
        State before = State.of(options(own, foreign, options), Inputs.of(own, foreign, includedPaths()), sources);
        Path memory = work.resolve(execution.getExecutionId().replaceAll("[^A-Za-z0-9._-]", "_") + ".state");
        if (before.isStored(memory)) {
            getLog().info("creo: nothing has changed since " + sources + " was generated");
        } else {
            Program program = program(work);
            List<Path> all = new ArrayList<>(own);
            all.addAll(imported(program, foreign, work.resolve("imported")));
            List<String> arguments = new ArrayList<>(List.of("generate"));
            all.forEach(each -> arguments.add(each.toString()));
            arguments.addAll(List.of("--target", "java", "--out", outputDirectory.toString(), "--prune"));
            arguments.addAll(options);
            run(program, arguments);
            Manifests.removeOthers(sources, all);
            getLog().info("creo: generated " + sources + " of " + all.size() + (all.size() == 1 ? " description" : " descriptions"));
            State.of(options(own, foreign, options), Inputs.of(own, foreign, includedPaths()), sources).store(memory);
        }
        project.addCompileSourceRoot(sources.toString());
    }

    /** The files that are named, or else all of the kind in a folder, in an order that does not depend on the disk. */
    private List<Path> given(List<File> named, File folder, String kind) throws IOException, MojoExecutionException {
        if (named != null && !named.isEmpty()) {
            List<Path> paths = named.stream().map(file -> file.toPath().toAbsolutePath().normalize()).toList();
            for (Path path : paths) {
                if (!Files.isRegularFile(path)) {
                    throw new MojoExecutionException(path + " does not exist");
                }
            }
            return paths;
        }
        if (folder == null || !folder.isDirectory()) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder.toPath().toAbsolutePath().normalize())) {
            return files.filter(file -> file.getFileName().toString().endsWith(kind) && Files.isRegularFile(file)).sorted().toList();
        }
    }

    private List<String> options() {
        return new Options()
            .add("--runtime", runtime)
            .add("--wires", wires)
            .add("--sides", sides)
            .add("--runtime-package", runtimePackage)
            .add("--with", with)
            .words();
    }

    /** All that decides what is generated, besides what files hold. */
    private List<String> options(List<Path> own, List<Path> foreign, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("creo " + plugin.getVersion());
        if (executable != null && executable.isFile()) {
            all.add(executable + " " + executable.length() + " " + Files.getLastModifiedTime(executable.toPath()));
        }
        own.forEach(each -> all.add("description " + each));
        foreign.forEach(each -> all.add("wsdl " + each));
        includes().forEach(each -> all.add("include " + each));
        return all;
    }

    private List<String> includes() {
        return wsdlIncludes == null ? List.of() : wsdlIncludes;
    }

    /** The files and folders among what WSDLs may import. */
    private List<Path> includedPaths() {
        Path base = project.getBasedir().toPath();
        return includes().stream().map(each -> base.resolve(each.substring(each.lastIndexOf('=') + 1))).toList();
    }

    private Program program(Path work) throws IOException, MojoExecutionException {
        Executables executables = new Executables(plugin.getGroupId(), plugin.getVersion());
        Path found = executable != null ? executables.checked(executable.toPath())
            : executables.resolved(repositories, session, project.getRemotePluginRepositories(), work);
        return new Program(found.toString(), project.getBasedir());
    }

    /** The descriptions that WSDLs become. */
    private List<Path> imported(Program program, List<Path> foreign, Path folder) throws IOException, MojoExecutionException, MojoFailureException {
        List<Path> made = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (Path wsdl : foreign) {
            String name = wsdl.getFileName().toString().replaceFirst("\\.[^.]*$", "") + ".creo";
            if (!names.add(name)) {
                throw new MojoExecutionException("two WSDLs would both become " + name + ", among them " + wsdl + ": rename one of them");
            }
            List<String> arguments = new ArrayList<>(List.of("import", wsdl.toString(), "--out", folder.toString(), "--force"));
            includes().forEach(each -> arguments.addAll(List.of("--include", each)));
            run(program, arguments);
            made.add(folder.resolve(name));
        }
        return made;
    }

    private void run(Program program, List<String> arguments) throws IOException, MojoExecutionException, MojoFailureException {
        getLog().debug("creo " + String.join(" ", arguments));
        Diagnostics diagnostics = new Diagnostics(getLog());
        int code = program.run(arguments, diagnostics::line);
        if (code == Program.FINDINGS) {
            throw new MojoFailureException("creo found " + diagnostics.counted() + "; what was generated before has stayed as it was");
        }
        if (code != 0) {
            throw new MojoExecutionException(diagnostics.lastError() == null ? "creo ended with " + code : "creo: " + diagnostics.lastError());
        }
    }

    /** The text of a small file. */
    static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
