package creo.wss;

import creo.runtime.CallContext;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.example.notes.Full;
import org.example.notes.Notes;
import org.example.notes.Reading;

/** A service whose answers name the caller, and which keeps notes. */
final class NotesService implements Notes {
    final LinkedBlockingQueue<String> notes = new LinkedBlockingQueue<>();

    @Override
    public String say(String text) throws Full {
        if (text.equals("full")) {
            throw new Full(3);
        }
        if (text.equals("fail")) {
            throw new IllegalStateException("a secret");
        }
        return text + " " + (CallContext.current().principal() == null ? "nobody" : CallContext.current().principal().getName());
    }

    @Override
    public List<Reading> echo(List<Reading> readings) {
        return readings;
    }

    @Override
    public void clear() {
        notes.clear();
    }

    @Override
    public void note(String text) {
        notes.add(text);
    }
}
