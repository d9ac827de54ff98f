package creo.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class that a generator wrote. Tools know it by its simple name: they leave such classes out of reviews and of coverage. The
 * annotation of this name in the JDK belongs to the module {@code java.compiler}, which generated code would need for it alone.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {
    /** The name of the generator. */
    String value();
}
