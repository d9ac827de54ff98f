package org.example.app;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.example.logbook.Entry;
import org.example.logbook.Kept;
import org.example.logbook.Level;
import org.example.logbook.Query;
import org.example.logbook.Setting;

/** The tables of the logbook, in SQLite or PostgreSQL. */
final class Store implements AutoCloseable {
    private static final String POSITION_SQLITE = "INTEGER PRIMARY KEY AUTOINCREMENT";
    private static final String POSITION_POSTGRESQL = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    private static final Level[] LEVELS = Level.values();

    private final Connections connections;

    Store(String url) throws SQLException {
        connections = new Connections(url);
        String position = connections.isSqlite() ? POSITION_SQLITE : POSITION_POSTGRESQL;
        connections.run(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE IF NOT EXISTS entries (position " + position + ", writer VARCHAR(200) NOT NULL, number BIGINT NOT NULL, program VARCHAR(100) NOT NULL, "
                    + "seconds BIGINT NOT NULL, nanos INTEGER NOT NULL, level INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (writer, number))");
                statement.execute("CREATE INDEX IF NOT EXISTS entries_by_program ON entries (program, position)");
                statement.execute("CREATE TABLE IF NOT EXISTS settings (program VARCHAR(100) PRIMARY KEY, level INTEGER NOT NULL, interval_millis INTEGER NOT NULL, version BIGINT NOT NULL)");
            }
            return null;
        });
    }

    /** Keeps entries, in this order; those that are there already stay as they are. */
    void insert(List<Entry> entries) throws SQLException {
        connections.run(connection -> {
            lockEntries(connection);
            String sql = "INSERT INTO entries (writer, number, program, seconds, nanos, level, text) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (writer, number) DO NOTHING";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (Entry entry : entries) {
                    statement.setString(1, entry.writer());
                    statement.setLong(2, entry.number());
                    statement.setString(3, entry.program());
                    statement.setLong(4, entry.at().getEpochSecond());
                    statement.setInt(5, entry.at().getNano());
                    statement.setInt(6, entry.level().ordinal());
                    statement.setString(7, entry.text());
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            return null;
        });
    }

    /**
     * Positions must become visible in their order, since readers ask for what comes after the last one that they have seen. SQLite has one writer at a time anyway; in
     * PostgreSQL, another service of the same database waits here.
     */
    private void lockEntries(Connection connection) throws SQLException {
        if (!connections.isSqlite()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("LOCK TABLE entries IN EXCLUSIVE MODE");
            }
        }
    }

    /** The entries of a query, oldest first. */
    List<Kept> read(Query query, int count) throws SQLException {
        String sql = "SELECT position, writer, number, program, seconds, nanos, level, text FROM entries WHERE position > ? AND level >= ?" + (query.program() == null ? "" : " AND program = ?")
            + " ORDER BY position" + (query.last() ? " DESC" : "") + " LIMIT ?";
        return connections.run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                int next = 1;
                statement.setLong(next++, query.after());
                statement.setInt(next++, query.atLeast().ordinal());
                if (query.program() != null) {
                    statement.setString(next++, query.program());
                }
                statement.setInt(next, count);
                List<Kept> found = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        Instant at = Instant.ofEpochSecond(rows.getLong(5), rows.getInt(6));
                        found.add(new Kept(rows.getLong(1), new Entry(rows.getString(2), rows.getLong(3), rows.getString(4), at, LEVELS[rows.getInt(7)], rows.getString(8))));
                    }
                }
                if (query.last()) {
                    Collections.reverse(found);
                }
                return found;
            }
        });
    }

    long count() throws SQLException {
        return connections.run(connection -> number(connection, "SELECT COUNT(*) FROM entries"));
    }

    /** All settings, by the names of the programs. */
    List<Setting> settings() throws SQLException {
        return connections.run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("SELECT program, level, interval_millis, version FROM settings ORDER BY program")) {
                return settings(statement);
            }
        });
    }

    /** The setting of a program, or null. */
    Setting setting(String program) throws SQLException {
        return connections.run(connection -> find(connection, program));
    }

    /** Adds the setting of a program that has none; false if there are as many as there may be. */
    boolean add(Setting setting, int max) throws SQLException {
        return connections.run(connection -> {
            if (number(connection, "SELECT COUNT(*) FROM settings") >= max) {
                return false;
            }
            try (PreparedStatement statement = connection.prepareStatement("INSERT INTO settings (program, level, interval_millis, version) VALUES (?, ?, ?, ?) ON CONFLICT (program) DO NOTHING")) {
                statement.setString(1, setting.program());
                statement.setInt(2, setting.level().ordinal());
                statement.setInt(3, setting.intervalMillis());
                statement.setLong(4, setting.version());
                statement.executeUpdate();
            }
            return true;
        });
    }

    /** Changes a setting if it still has the version; false if not. */
    boolean change(Setting setting) throws SQLException {
        return connections.run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement("UPDATE settings SET level = ?, interval_millis = ?, version = version + 1 WHERE program = ? AND version = ?")) {
                statement.setInt(1, setting.level().ordinal());
                statement.setInt(2, setting.intervalMillis());
                statement.setString(3, setting.program());
                statement.setLong(4, setting.version());
                return statement.executeUpdate() == 1;
            }
        });
    }

    private static Setting find(Connection connection, String program) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT program, level, interval_millis, version FROM settings WHERE program = ?")) {
            statement.setString(1, program);
            List<Setting> found = settings(statement);
            return found.isEmpty() ? null : found.get(0);
        }
    }

    private static List<Setting> settings(PreparedStatement statement) throws SQLException {
        List<Setting> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(new Setting(rows.getString(1), LEVELS[rows.getInt(2)], rows.getInt(3), rows.getLong(4)));
            }
        }
        return found;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connections.close();
    }
}
