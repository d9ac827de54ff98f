package creo.runtime;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks generated classes. Tools recognize the simple name and leave such classes out of reviews and coverage. The JDK's annotation of this name is
 * in the module {@code java.compiler}, which generated code would otherwise not need.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {
    /** The name of the generator. */
    String value();
}
