// The steps by which the store's schema came to be what it is.

#include <array>

#include "referee/memory/store/first_schema.h"
#include "referee/memory/store/schema.h"

namespace referee::store {
namespace {

// Games that were recorded before have no fingerprint: nothing tells whether they repeat others.
constexpr const char* version_2 = R"sql(
ALTER TABLE games ADD COLUMN fingerprint TEXT;

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

-- Whether a bot is still alive shows in the moves that it gave.
ALTER TABLE game_seats ADD COLUMN valid_moves INTEGER;
)sql";

// What bounded the allowance for a bot's way. Nobody kept that of games before.
constexpr const char* version_3 = R"sql(
ALTER TABLE game_seats ADD COLUMN round_trip_us INTEGER;
ALTER TABLE game_seats ADD COLUMN allowance_us INTEGER;
ALTER TABLE game_seats ADD COLUMN allowed_by TEXT;
)sql";

// Which program played, and what kept it from everything else. Nobody knows that of games before.
constexpr const char* version_4 = R"sql(
ALTER TABLE game_seats ADD COLUMN program TEXT;
ALTER TABLE game_seats ADD COLUMN sandbox TEXT;
)sql";

// A digest of each record, and how the chain of them began. The links are made by seal().
constexpr const char* version_5 = R"sql(
CREATE TABLE chain (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record BLOB NOT NULL,
    replay BLOB,
    link BLOB NOT NULL);

CREATE TABLE chain_origin (
    origin TEXT NOT NULL);
INSERT INTO chain_origin (origin) VALUES ('unsealed');
)sql";

// The Hall of Fame: what was entered, what was taken out, and what stands in it.
constexpr const char* version_6 = R"sql(
CREATE TABLE fame (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    game TEXT NOT NULL,
    semester TEXT NOT NULL,
    bot TEXT NOT NULL,
    thousandths INTEGER NOT NULL,
    games INTEGER NOT NULL,
    seeds TEXT NOT NULL,
    rubric_hash TEXT NOT NULL,
    program TEXT NOT NULL,
    version TEXT NOT NULL);

CREATE TABLE fame_removals (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    game TEXT NOT NULL,
    semester TEXT NOT NULL,
    bot TEXT NOT NULL);

CREATE VIEW hall_of_fame AS
SELECT f.game, rank() OVER (PARTITION BY f.game ORDER BY f.thousandths DESC) AS rank,
       f.thousandths / 1000.0 AS average, f.bot, f.semester,
       date(f.time_ms / 1000, 'unixepoch') AS entered, f.games, f.seeds, f.rubric_hash, f.program,
       f.seq
FROM fame f
WHERE NOT EXISTS (SELECT 1 FROM fame later WHERE later.seq > f.seq AND
                      (later.game, later.semester, later.bot) = (f.game, f.semester, f.bot))
  AND NOT EXISTS (SELECT 1 FROM fame_removals later WHERE later.seq > f.seq AND
                      (later.game, later.semester, later.bot) = (f.game, f.semester, f.bot));
)sql";

// What an arbiter ordered: results, pairs that don't meet, rounds that are sat out.
constexpr const char* version_7 = R"sql(
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
)sql";

// Matches that an arbiter set before their round was drawn.
constexpr const char* version_8 = R"sql(
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
)sql";

// Plays that were annulled by order and count again.
constexpr const char* version_9 = R"sql(
CREATE TABLE restorations (
    seq INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    tournament TEXT NOT NULL,
    match INTEGER NOT NULL,
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    reason TEXT NOT NULL);

DROP VIEW plays; DROP VIEW results;
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
)sql";

// Which machine played a game. Nobody noted that of games before.
constexpr const char* version_10 = R"sql(
ALTER TABLE games ADD COLUMN host TEXT;
ALTER TABLE games ADD COLUMN host_processor TEXT;
ALTER TABLE games ADD COLUMN host_kernel TEXT;
ALTER TABLE games ADD COLUMN host_cores INTEGER;
ALTER TABLE games ADD COLUMN host_sandbox TEXT;
ALTER TABLE games ADD COLUMN host_calibration_us INTEGER;
)sql";

constexpr std::array all{Migration{1, first_schema}, Migration{2, version_2},
                         Migration{3, version_3},    Migration{4, version_4},
                         Migration{5, version_5},    Migration{6, version_6},
                         Migration{7, version_7},    Migration{8, version_8},
                         Migration{9, version_9},    Migration{10, version_10}};

}  // namespace

std::span<const Migration> migrations() {
    return all;
}

}  // namespace referee::store
