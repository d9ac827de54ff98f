package creo.gradle;

import java.io.File;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.file.FileTree;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.util.PatternSet;

/** Gives each source set the folders {@code creo} and {@code wsdl}, and a task that generates Java of what they hold. */
public class CreoPlugin implements Plugin<Project> {
    @Override
    public void apply(Project project) {
        CreoExtension extension = project.getExtensions().create("creo", CreoExtension.class, project.getObjects());
        project.getPluginManager().withPlugin("java", java -> {
            // By its name, since the type that has it differs among versions of Gradle.
            SourceSetContainer sets = (SourceSetContainer) project.property("sourceSets");
            sets.all(set -> addTask(project, set, extension));
        });
    }

    private static void addTask(Project project, SourceSet set, CreoExtension extension) {
        CreoGenerate task = project.getTasks().create(set.getTaskName("generate", "Creo"), CreoGenerate.class);
        File output = new File(project.getBuildDir(), "generated/sources/creo/" + set.getName());
        String folder = "src/" + set.getName() + "/";
        task.setDescription("Generates Java of the descriptions and WSDLs of " + set.getName() + ".");
        task.setGroup("build");
        task.setOutputDirectory(output);
        task.setDirectory(project.getProjectDir());
        task.setSource(tree(project, folder + "creo", "**/*.creo").plus(tree(project, folder + "wsdl", "**/*.wsdl", "**/*.xsd")));
        task.use(extension);
        set.getJava().srcDir(project.files(new File(output, "java")).builtBy(task));
        project.getTasks().getByName(set.getCompileJavaTaskName()).dependsOn(task);
    }

    private static FileTree tree(Project project, String folder, String... patterns) {
        return project.fileTree(folder).matching(new PatternSet().include(patterns));
    }
}
