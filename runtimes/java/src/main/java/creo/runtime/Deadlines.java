package creo.runtime;

/** What is left of the time for a call. */
final class Deadlines {
    private Deadlines() {}

    /** The error of a call whose time is over. */
    static CreoException exceeded(String address) {
        return CreoException.ofRuntime(ErrorCode.DEADLINE_EXCEEDED, "the time for the call to " + address + " is over");
    }

    /** Milliseconds until the deadline, rounded up, as a request carries them; 0 if it is past. */
    static int millisecondsLeft(long deadline) {
        long nanos = deadline - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(0xffff_ffffL, (nanos + 999_999) / 1_000_000);
    }
}
