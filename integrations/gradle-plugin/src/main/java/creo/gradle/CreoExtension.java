package creo.gradle;

import javax.inject.Inject;
import org.gradle.api.model.ObjectFactory;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;

/** The block {@code creo} of a build: options of {@code creo generate}. What is not set, or blank, is left to the program. */
public class CreoExtension {
    private final Property<String> executable;
    private final Property<String> wires;
    private final Property<String> sides;
    private final Property<String> runtime;
    private final Property<String> runtimePackage;
    private final Property<String> with;
    private final ListProperty<String> wsdlIncludes;

    @Inject
    public CreoExtension(ObjectFactory objects) {
        executable = objects.property(String.class);
        wires = objects.property(String.class);
        sides = objects.property(String.class);
        runtime = objects.property(String.class);
        runtimePackage = objects.property(String.class);
        with = objects.property(String.class);
        wsdlIncludes = objects.listProperty(String.class);
        executable.set("creo");
        runtime.set("package");
    }

    /** The program, by its path or by its name on the PATH. */
    public Property<String> getExecutable() {
        return executable;
    }

    public Property<String> getWires() {
        return wires;
    }

    public Property<String> getSides() {
        return sides;
    }

    public Property<String> getRuntime() {
        return runtime;
    }

    public Property<String> getRuntimePackage() {
        return runtimePackage;
    }

    public Property<String> getWith() {
        return with;
    }

    /** Files that WSDLs import by URL, as {@code LOCATION=FILE}, or a folder. */
    public ListProperty<String> getWsdlIncludes() {
        return wsdlIncludes;
    }
}
