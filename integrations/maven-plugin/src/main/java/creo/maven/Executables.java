package creo.maven;

import creo.build.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/** Finds the program {@code creo}, of a version that is new enough. */
final class Executables {
    private static final String ARTIFACT = "creo-cli";

    private final String groupId;
    private final String wanted;

    /** @param wanted the oldest version that will do */
    Executables(String groupId, String wanted) {
        this.groupId = groupId;
        this.wanted = wanted;
    }

    /** The name of a machine's kind, as the artifacts have it for classifier. */
    static String classifier(String system, String processor) {
        String os = system.toLowerCase(Locale.ROOT);
        String cpu = processor.toLowerCase(Locale.ROOT);
        String kind = os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "osx" : os.replaceAll("[^a-z0-9]", "");
        String bits = switch (cpu) {
            case "amd64", "x86_64", "x64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch_64";
            default -> cpu.replaceAll("[^a-z0-9]", "");
        };
        return kind + "-" + bits;
    }

    /** A program that somebody has named, if it is one and new enough. */
    Path checked(Path named) throws IOException, MojoExecutionException {
        Path file = named.toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            throw new MojoExecutionException("creo.executable is " + file + ", which does not exist; " + remedy());
        }
        if (!Files.isExecutable(file)) {
            throw new MojoExecutionException("creo.executable is " + file + ", which is not executable; " + remedy());
        }
        String said;
        try {
            said = new Program(file.toString(), file.getParent().toFile()).version();
        } catch (IOException e) {
            throw new MojoExecutionException("creo.executable is " + file + ", which does not run: " + e.getMessage() + "; " + remedy(), e);
        }
        if (!Program.isNewEnough(said, wanted)) {
            throw new MojoExecutionException("creo.executable is " + file + ", which says of its version: " + shown(said) + "; this plugin needs creo " + wanted + " or later; "
                + remedy());
        }
        return file;
    }

    private static String shown(String said) {
        String line = said.lines().findFirst().orElse("nothing");
        return line.length() > 100 ? line.substring(0, 100) + "..." : line;
    }

    private String remedy() {
        return "install creo " + wanted + ", or leave creo.executable out: then the plugin takes " + groupId + ":" + ARTIFACT + ":" + wanted + " from the repository";
    }

    /** The program of the wanted version, from the repository; it is copied to a folder, since a repository keeps no permissions. */
    Path resolved(RepositorySystem system, RepositorySystemSession session, List<RemoteRepository> from, Path folder) throws IOException, MojoExecutionException {
        String classifier = classifier(System.getProperty("os.name"), System.getProperty("os.arch"));
        Artifact artifact = new DefaultArtifact(groupId, ARTIFACT, classifier, "exe", wanted);
        Path file;
        try {
            file = system.resolveArtifact(session, new ArtifactRequest(artifact, from, null)).getArtifact().getFile().toPath();
        } catch (ArtifactResolutionException e) {
            throw new MojoExecutionException("there is no creo " + wanted + " for " + classifier + " in the repositories (" + artifact + "); install creo " + wanted
                + " otherwise and say where it is by -Dcreo.executable=/path/to/creo, or in the plugin's configuration", e);
        }
        Path copy = folder.resolve("bin").resolve(ARTIFACT + "-" + wanted + "-" + classifier + ".exe");
        if (!Files.isExecutable(copy) || Files.size(copy) != Files.size(file) || !Files.getLastModifiedTime(copy).equals(Files.getLastModifiedTime(file))) {
            Files.createDirectories(copy.getParent());
            Path part = Files.createTempFile(copy.getParent(), "creo", ".part");
            Files.copy(file, part, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            if (!part.toFile().setExecutable(true)) {
                throw new IOException("cannot make " + part + " executable");
            }
            Files.move(part, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }
}
