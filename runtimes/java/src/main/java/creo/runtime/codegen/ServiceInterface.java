package creo.runtime.codegen;

/**
 * An interface of a description.
 *
 * @param name its full name, such as {@code org.example.data.DataService}
 * @param fingerprint of all its methods (MODEL-5)
 */
public record ServiceInterface(String name, long fingerprint) {
    /** The fingerprint as sixteen hexadecimal digits. */
    public String fingerprintText() {
        return String.format("%016x", fingerprint);
    }
}
