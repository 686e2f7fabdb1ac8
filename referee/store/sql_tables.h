#pragma once

namespace referee::store {

// Goes up whenever a table, an index or a view changes. A store of another version is refused.
inline constexpr int schema_version = 12;

// All tables, indexes and views of a store. TABLES.md tells what each column means. The chain comes
// first, so that a file whose end is cut off has it still.
inline constexpr const char* all_tables = R"sql(
CREATE TABLE chain (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record BLOB NOT NULL,
    replay BLOB,
    link BLOB NOT NULL);

CREATE TABLE chain_origin (
    origin TEXT NOT NULL);

CREATE TABLE tournaments (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL UNIQUE,
    config TEXT NOT NULL,
    version TEXT NOT NULL);

CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    bot TEXT NOT NULL,
    rating INTEGER NOT NULL,
    team TEXT NOT NULL,
    round INTEGER NOT NULL,
    last_round INTEGER);

CREATE TABLE entry_byes (
    seq INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    round INTEGER NOT NULL,
    PRIMARY KEY (seq, ordinal)) WITHOUT ROWID;

CREATE TABLE withdrawals (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    bot TEXT NOT NULL,
    round INTEGER NOT NULL,
    reason TEXT NOT NULL);

CREATE TABLE pairings (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    round INTEGER NOT NULL,
    bye TEXT);
CREATE UNIQUE INDEX pairing_of_match ON pairings (tournament, match) WHERE match > 0;
CREATE UNIQUE INDEX bye_of_bot ON pairings (tournament, round, bye) WHERE match = 0;

CREATE TABLE pairing_seats (
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (seq, seat)) WITHOUT ROWID;

CREATE TABLE drops (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    reason TEXT NOT NULL,
    UNIQUE (tournament, match));

CREATE TABLE drop_bots (
    seq INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (seq, ordinal)) WITHOUT ROWID;

CREATE TABLE starts (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    UNIQUE (tournament, match, number, attempt));

CREATE TABLE start_seats (
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (seq, seat)) WITHOUT ROWID;

CREATE TABLE games (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    game TEXT NOT NULL,
    params TEXT NOT NULL,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT,
    turns INTEGER NOT NULL,
    clock TEXT NOT NULL,
    measure TEXT NOT NULL,
    faults_total INTEGER NOT NULL,
    maps_version TEXT NOT NULL,
    fingerprint TEXT,
    host TEXT,
    host_processor TEXT,
    host_kernel TEXT,
    host_cores INTEGER,
    host_sandbox TEXT,
    host_calibration_us INTEGER,
    UNIQUE (tournament, match, number, attempt));

CREATE TABLE game_seats (
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL,
    score REAL,
    place INTEGER,
    used_us INTEGER,
    means TEXT,
    valid_moves INTEGER,
    round_trip_us INTEGER,
    allowance_us INTEGER,
    allowed_by TEXT,
    program TEXT,
    sandbox TEXT,
    PRIMARY KEY (seq, seat)) WITHOUT ROWID;

CREATE TABLE faults (
    seq INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    code TEXT NOT NULL,
    consequence TEXT NOT NULL,
    message TEXT NOT NULL,
    rule TEXT NOT NULL,
    rule_text TEXT NOT NULL,
    received TEXT,
    sent_us INTEGER,
    received_us INTEGER,
    charged_us INTEGER,
    allowed_us INTEGER,
    budget_us INTEGER,
    measure TEXT,
    method TEXT NOT NULL,
    exit_status INTEGER,
    signal INTEGER,
    stderr_tail TEXT,
    PRIMARY KEY (seq, ordinal)) WITHOUT ROWID;

CREATE TABLE replays (
    seq INTEGER PRIMARY KEY,
    bytes INTEGER NOT NULL,
    zlib BLOB NOT NULL,
    sha256 BLOB NOT NULL);

CREATE TABLE annulments (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL);

CREATE TABLE restorations (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL);

CREATE TABLE rulings (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    reason TEXT NOT NULL,
    ordered_by TEXT NOT NULL);

CREATE TABLE ruling_seats (
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (seq, seat)) WITHOUT ROWID;

CREATE TABLE forbidden_pairs (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    first_round INTEGER NOT NULL,
    last_round INTEGER,
    ordered TEXT NOT NULL,
    reason TEXT NOT NULL,
    ordered_by TEXT NOT NULL);

CREATE TABLE forbidden_bots (
    seq INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (seq, ordinal)) WITHOUT ROWID;

CREATE TABLE requested_byes (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    bot TEXT NOT NULL,
    round INTEGER NOT NULL,
    ordered TEXT NOT NULL,
    reason TEXT NOT NULL,
    ordered_by TEXT NOT NULL);

CREATE TABLE hand_pairings (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    round INTEGER NOT NULL,
    ordered TEXT NOT NULL,
    reason TEXT NOT NULL,
    ordered_by TEXT NOT NULL);

CREATE TABLE hand_paired_bots (
    seq INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (seq, seat)) WITHOUT ROWID;

CREATE TABLE states (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL);

CREATE TABLE tokens (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    bot TEXT NOT NULL,
    hash TEXT NOT NULL,
    origin TEXT NOT NULL);

CREATE VIEW annulments_in_force AS
SELECT * FROM annulments a
WHERE NOT EXISTS (SELECT 1 FROM restorations r
                  WHERE r.seq > a.seq AND (r.tournament, r.match, r.number, r.attempt) =
                                          (a.tournament, a.match, a.number, a.attempt));

CREATE VIEW plays AS
SELECT s.tournament || '/' || s.match || '.' || s.number ||
           CASE WHEN s.attempt > 1 THEN '~' || s.attempt ELSE '' END AS game_id,
       s.tournament, s.match, s.number, s.attempt, p.round,
       (SELECT group_concat(bot, ' - ') FROM
           (SELECT bot FROM start_seats WHERE seq = s.seq ORDER BY seat)) AS bots,
       datetime(s.time_ms / 1000, 'unixepoch') AS started,
       datetime(g.time_ms / 1000, 'unixepoch') AS ended,
       g.status, g.reason, g.turns,
       (SELECT group_concat(score, ' - ') FROM
           (SELECT score FROM game_seats WHERE seq = g.seq ORDER BY seat)) AS scores,
       g.faults_total,
       EXISTS (SELECT 1 FROM annulments_in_force a
               WHERE (a.tournament, a.match, a.number, a.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)) AS taken_back,
       g.seq AS game_seq
FROM starts s
LEFT JOIN games g ON (g.tournament, g.match, g.number, g.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)
LEFT JOIN pairings p ON p.tournament = s.tournament AND p.match = s.match;

CREATE VIEW results AS
SELECT g.tournament, g.match, g.number, g.attempt, g.game, b.seat, b.bot, b.score, b.place,
       b.used_us, g.turns, datetime(g.time_ms / 1000, 'unixepoch') AS ended, g.seq
FROM games g JOIN game_seats b ON b.seq = g.seq
WHERE g.status IN ('played', 'forfeited')
  AND NOT EXISTS (SELECT 1 FROM annulments_in_force a
                  WHERE (a.tournament, a.match, a.number, a.attempt) =
                        (g.tournament, g.match, g.number, g.attempt));

CREATE VIEW bot_faults AS
SELECT b.bot, g.tournament || '/' || g.match || '.' || g.number ||
           CASE WHEN g.attempt > 1 THEN '~' || g.attempt ELSE '' END AS game_id,
       f.turn, f.code, f.consequence, f.message, f.rule, f.rule_text, f.received, f.charged_us,
       f.allowed_us, f.budget_us, f.measure, f.exit_status, f.signal, f.stderr_tail, f.seq
FROM faults f
JOIN games g ON g.seq = f.seq
JOIN game_seats b ON b.seq = f.seq AND b.seat = f.seat;
)sql";

}  // namespace referee::store
