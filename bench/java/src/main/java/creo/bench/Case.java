package creo.bench;

/**
 * One peer with one workload of one size: objects in, a fresh byte array out, and back. A case keeps its objects. Other resources of a peer (buffers,
 * serializers) are reused between calls if its documentation says so; otherwise they are part of the timing.
 */
public interface Case {
    byte[] serialize() throws Exception;

    /** Makes objects of the bytes that {@link #serialize()} made when the case was created. */
    Object deserialize() throws Exception;

    /**
     * What {@link #deserialize()} made, as the workload holds it: {@code List<Workload.Block>}, {@code List<String>}, {@code byte[]} or
     * {@code double[]}. Only for the check before the timing.
     */
    Object plain(Object decoded);
}
