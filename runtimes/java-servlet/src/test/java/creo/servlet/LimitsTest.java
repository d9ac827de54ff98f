package creo.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import creo.runtime.Limits;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits hold in a container as they do in a server of Creo's own. */
class LimitsTest {
    private static CreoServlet.Builder with(Limits limits) {
        return CreoServlet.builder().limits(limits);
    }

    private static HttpRequest.BodyPublisher chunked(String text) {
        return HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @EnumSource
    void aBodyBeyondTheLimitIsTooLarge(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, with(Limits.DEFAULT.withMaxMessageSize(1_000)), "/creo/*")) {
            String fits = "{\"text\":\"" + "x".repeat(980) + "\"}";
            assertEquals(200, rig.send(rig.json("say", fits)).statusCode());
            for (HttpRequest.BodyPublisher body : List.of(HttpRequest.BodyPublishers.ofString(fits + " ".repeat(2_000)), chunked(fits + " ".repeat(20_000)))) {
                HttpResponse<String> answer = rig.send(rig.request("/creo/Notes/say").header("Content-Type", "application/json").POST(body));
                assertEquals(413, answer.statusCode());
                assertTrue(answer.body().contains("too-large"), answer.body());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theBudgetHoldsForBodies(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, with(Limits.DEFAULT.withMemoryBudget(200_000)), "/creo/*")) {
            HttpRequest.BodyPublisher large = chunked("{\"text\":\"" + "x".repeat(1_000_000) + "\"}");
            HttpResponse<String> answer = rig.send(rig.request("/creo/Notes/say").header("Content-Type", "application/json").POST(large));
            assertEquals(503, answer.statusCode());
            assertTrue(answer.body().contains("memoryBudget"), answer.body());
            // What was refused holds nothing.
            for (int i = 0; i < 20; i++) {
                assertEquals(200, rig.send(rig.json("say", "{\"text\":\"" + "x".repeat(20_000) + "\"}")).statusCode());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsBeyondTheQueueAreRefusedAndThoseThatWaitKeepTheirThread(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, with(Limits.DEFAULT.withMaxConcurrency(1).withMaxQueue(1)), "/creo/*")) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            answers.add(rig.client.sendAsync(rig.json("say", "{\"text\":\"wait\"}").header("X-User", "u0").build(), HttpResponse.BodyHandlers.ofString()));
            assertTrue(rig.service.began.tryAcquire(30, TimeUnit.SECONDS));
            // One of these waits, the other is refused, whichever comes first.
            for (int i = 1; i < 3; i++) {
                answers.add(rig.client.sendAsync(rig.json("say", "{\"text\":\"hello\"}").header("X-User", "u" + i).build(), HttpResponse.BodyHandlers.ofString()));
            }
            HttpResponse<String> refused = answers.get(1).applyToEither(answers.get(2), first -> first).get(30, TimeUnit.SECONDS);
            assertEquals(503, refused.statusCode());
            assertTrue(refused.body().contains("overloaded"), refused.body());
            rig.service.go.countDown();
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = answers.get(i).get(30, TimeUnit.SECONDS);
                if (answer != refused) {
                    assertEquals("\"" + (i == 0 ? "wait" : "hello") + " u" + i + " u" + i + " null\"", answer.body());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDeadlineOfTheCallerEndsACall(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind)) {
            HttpResponse<String> answer = rig.send(rig.json("sleep", "{\"milliseconds\":60000}").header("Creo-Timeout", "200"));
            assertEquals(504, answer.statusCode());
            assertTrue(answer.body().contains("deadline-exceeded"), answer.body());
            assertEquals("yes", rig.service.seen.get("interrupted"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallWhoseDeadlineEndsWhileItWaitsNeverRuns(Container.Kind kind) throws Exception {
        try (Rig rig = new Rig(kind, with(Limits.DEFAULT.withMaxConcurrency(1)), "/creo/*")) {
            CompletableFuture<HttpResponse<String>> first = rig.client.sendAsync(rig.json("say", "{\"text\":\"wait\"}").build(), HttpResponse.BodyHandlers.ofString());
            assertTrue(rig.service.began.tryAcquire(30, TimeUnit.SECONDS));
            assertEquals(504, rig.send(rig.json("say", "{\"text\":\"wait\"}").header("Creo-Timeout", "100")).statusCode());
            rig.service.go.countDown();
            assertEquals(200, first.get(30, TimeUnit.SECONDS).statusCode());
            assertEquals(200, rig.send(rig.json("say", "{\"text\":\"hello\"}")).statusCode());
            assertEquals(0, rig.service.began.availablePermits());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aContainerThatEndsAnswersWhatIsUnderWay(Container.Kind kind) throws Exception {
        Rig rig = new Rig(kind, with(Limits.DEFAULT.withDrainTime(Duration.ofMillis(300))), "/creo/*");
        assertEquals("{\"status\":\"UP\"}", rig.send(rig.request("/creo/health")).body());
        CompletableFuture<HttpResponse<String>> under = rig.client.sendAsync(rig.json("say", "{\"text\":\"wait\"}").build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(rig.service.began.tryAcquire(30, TimeUnit.SECONDS));
        rig.servlet.destroy();
        HttpResponse<String> given = under.get(30, TimeUnit.SECONDS);
        assertEquals(503, given.statusCode());
        assertTrue(given.body().contains("unavailable"), given.body());
        assertEquals("yes", rig.service.seen.get("interrupted"));
        assertEquals(503, rig.send(rig.json("say", "{\"text\":\"hello\"}")).statusCode());
        assertEquals("{\"status\":\"DOWN\"}", rig.send(rig.request("/creo/health")).body());
        rig.close();
    }
}
