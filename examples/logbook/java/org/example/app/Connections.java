package org.example.app;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/** Connections to one database, which are kept for further use. One that has failed is replaced: the database's server may have been restarted. */
final class Connections implements AutoCloseable {
    /** What is done with a connection, as one transaction. */
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    private static final int MAX = 8;

    private final String url;
    private final ConcurrentLinkedDeque<Connection> free = new ConcurrentLinkedDeque<>();
    private final Semaphore turns = new Semaphore(MAX);

    Connections(String url) {
        this.url = url;
    }

    boolean isSqlite() {
        return url.startsWith("jdbc:sqlite:");
    }

    /** Runs a transaction: all of it is on disk when this returns, or nothing of it ever is. */
    <T> T run(Work<T> work) throws SQLException {
        turns.acquireUninterruptibly();
        try {
            Connection kept = free.poll();
            Connection connection = kept == null ? open() : kept;
            try {
                T result = work.with(connection);
                connection.commit();
                free.push(connection);
                return result;
            } catch (SQLException | RuntimeException e) {
                abandon(connection, e);
                throw e;
            }
        } finally {
            turns.release();
        }
    }

    private static void abandon(Connection connection, Exception problem) {
        try {
            connection.close();
        } catch (SQLException e) {
            problem.addSuppressed(e);
        }
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        if (isSqlite()) {
            try (Statement statement = connection.createStatement()) {
                // Readers do not wait for the writer, and what is committed survives a loss of power.
                statement.execute("PRAGMA journal_mode = WAL");
                statement.execute("PRAGMA synchronous = FULL");
                statement.execute("PRAGMA busy_timeout = 20000");
            }
        }
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection = free.poll(); connection != null; connection = free.poll()) {
            connection.close();
        }
    }
}
