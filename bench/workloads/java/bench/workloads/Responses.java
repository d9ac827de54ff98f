package bench.workloads;

import creo.runtime.ResponseForm;

/** Stands in the generated package, whose methods are its own. */
public final class Responses {
    private Responses() {}

    public static Orders readSoap(byte[] bytes) {
        return ResponseForm.readSoap(WorkloadsMethods.ORDERS, bytes);
    }
}
