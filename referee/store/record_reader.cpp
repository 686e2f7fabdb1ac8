#include "referee/store/record_reader.h"

#include <sqlite3.h>

#include <cmath>

#include "referee/store/compression.h"

namespace referee::store {

using namespace journal;

namespace {

[[noreturn]] void corrupt(const std::string& what) {
    throw DatabaseError(SQLITE_CORRUPT, 0, what);
}

// A word that must be one of ours.
template <typename Known>
auto known_word(const std::string& word, Known known, std::int64_t seq) {
    const auto value = known(word);
    if (!value)
        corrupt("record " + std::to_string(seq) + " says \"" + word +
                "\", which this program does not know");
    return *value;
}

std::optional<GameStatus> status_named(std::string_view name) {
    for (const auto status : {GameStatus::played, GameStatus::forfeited, GameStatus::annulled,
                              GameStatus::interrupted}) {
        if (name_of(status) == name) return status;
    }
    return std::nullopt;
}

// 2^53: doubles count in ones up to here.
constexpr double halves_max = 9007199254740992.0;

// The four columns from `first` on.
GameKey key_at(const Statement& row, int first) {
    return {row.text(first), static_cast<std::uint64_t>(row.integer(first + 1)),
            static_cast<std::uint32_t>(row.integer(first + 2)),
            static_cast<std::uint32_t>(row.integer(first + 3))};
}

std::uint32_t small(const Statement& row, int column) {
    return static_cast<std::uint32_t>(row.integer(column));
}

std::string unpacked(const Statement& row, std::int64_t seq) {
    auto text = decompress(row.bytes(1), static_cast<std::size_t>(row.integer(0)));
    if (!text) corrupt("the replay of record " + std::to_string(seq) + " can't be unpacked");
    return *std::move(text);
}

}  // namespace

// Columns are named, so that a later version may add some.
RecordReader::RecordReader(Database& database, Replays replays)
    : replays_(replays),
      tables_{
          Table{{database,
                 "SELECT seq, time_ms, tournament, config, version FROM tournaments ORDER BY seq"},
                &RecordReader::read_opening},
          Table{{database,
                 "SELECT seq, time_ms, tournament, bot, rating, team, round, last_round "
                 "FROM entries ORDER BY seq"},
                &RecordReader::read_entry},
          Table{
              {database,
               "SELECT seq, time_ms, tournament, bot, round, reason FROM withdrawals ORDER BY seq"},
              &RecordReader::read_withdrawal},
          Table{{database,
                 "SELECT seq, time_ms, tournament, match, round FROM pairings ORDER BY seq"},
                &RecordReader::read_pairing},
          Table{{database,
                 "SELECT seq, time_ms, tournament, match, number, attempt, seed FROM starts ORDER "
                 "BY seq"},
                &RecordReader::read_start},
          Table{{database,
                 "SELECT seq, time_ms, tournament, match, number, attempt, game, params, seed, "
                 "status, reason, detail, turns, "
                 "clock, measure, faults_total, maps_version, fingerprint FROM games ORDER BY seq"},
                &RecordReader::read_game},
          Table{{database,
                 "SELECT seq, time_ms, tournament, match, number, attempt, reason FROM annulments "
                 "ORDER BY seq"},
                &RecordReader::read_annulment},
          Table{
              {database, "SELECT seq, time_ms, tournament, state, reason FROM states ORDER BY seq"},
              &RecordReader::read_state},
          Table{{database, "SELECT seq, time_ms, bot, hash, origin FROM tokens ORDER BY seq"},
                &RecordReader::read_token},
          Table{
              {database, "SELECT seq, time_ms, tournament, match, reason FROM drops ORDER BY seq"},
              &RecordReader::read_dropped},
      },
      entry_byes_(database, "SELECT round FROM entry_byes WHERE seq = ? ORDER BY ordinal"),
      pairing_seats_(database, "SELECT bot FROM pairing_seats WHERE seq = ? ORDER BY seat"),
      start_seats_(database, "SELECT bot FROM start_seats WHERE seq = ? ORDER BY seat"),
      game_seats_(database,
                  "SELECT bot, score, place, used_us, means, valid_moves FROM game_seats WHERE "
                  "seq = ? ORDER BY seat"),
      faults_(database,
              "SELECT seat, turn, code, consequence, message, rule, rule_text, received, sent_us, "
              "received_us, charged_us, "
              "allowed_us, budget_us, measure, method, exit_status, signal, stderr_tail FROM "
              "faults WHERE seq = ? ORDER BY ordinal"),
      replay_(database, "SELECT bytes, zlib FROM replays WHERE seq = ?"),
      drop_bots_(database, "SELECT bot FROM drop_bots WHERE seq = ? ORDER BY ordinal") {
    for (auto& table : tables_) table.has_row = table.rows.step();
}

std::optional<StoredRecord> RecordReader::next() {
    Table* first = nullptr;
    for (auto& table : tables_) {
        if (table.has_row && (first == nullptr || table.rows.integer(0) < first->rows.integer(0)))
            first = &table;
    }
    if (first == nullptr) return std::nullopt;
    StoredRecord record{static_cast<std::uint64_t>(first->rows.integer(0)), first->rows.integer(1),
                        (this->*first->read)(first->rows)};
    first->has_row = first->rows.step();
    return record;
}

Record RecordReader::read_opening(Statement& row) {
    return OpeningRecord{row.text(2), row.text(3), row.text(4)};
}

Record RecordReader::read_entry(Statement& row) {
    EntryRecord entry{row.text(2), row.text(3), static_cast<std::int32_t>(row.integer(4)),
                      row.text(5), small(row, 6)};
    if (!row.is_null(7)) entry.last_round = small(row, 7);
    entry.half_point_byes = read_byes(row.integer(0));
    return entry;
}

std::vector<std::uint32_t> RecordReader::read_byes(std::int64_t seq) {
    std::vector<std::uint32_t> rounds;
    entry_byes_.bind(seq);
    while (entry_byes_.step()) rounds.push_back(small(entry_byes_, 0));
    entry_byes_.reset();
    return rounds;
}

Record RecordReader::read_withdrawal(Statement& row) {
    return WithdrawalRecord{row.text(2), row.text(3), small(row, 4), row.text(5)};
}

Record RecordReader::read_pairing(Statement& row) {
    return PairingRecord{row.text(2), static_cast<std::uint64_t>(row.integer(3)), small(row, 4),
                         read_bots(pairing_seats_, row.integer(0))};
}

Record RecordReader::read_start(Statement& row) {
    return StartRecord{key_at(row, 2), small(row, 6), read_bots(start_seats_, row.integer(0))};
}

Record RecordReader::read_annulment(Statement& row) {
    return AnnulmentRecord{key_at(row, 2), row.text(6)};
}

Record RecordReader::read_state(Statement& row) {
    return StateRecord{row.text(2), known_word(row.text(3), state_named, row.integer(0)),
                       row.text(4)};
}

Record RecordReader::read_token(Statement& row) {
    return TokenRecord{row.text(2), row.text(3), row.text(4)};
}

Record RecordReader::read_dropped(Statement& row) {
    return DroppedRecord{row.text(2), static_cast<std::uint64_t>(row.integer(3)),
                         read_bots(drop_bots_, row.integer(0)), row.text(4)};
}

Record RecordReader::read_game(Statement& row) {
    const auto seq = row.integer(0);
    GameRecord game;
    auto& result = game.result;
    result.key = key_at(row, 2);
    result.game = row.text(6);
    result.params = row.text(7);
    result.seed = small(row, 8);
    result.status = known_word(row.text(9), status_named, seq);
    result.reason = row.text(10);
    result.outcome.detail = row.text(11);
    result.turns = row.integer(12);
    result.clock_kind = row.text(13);
    result.measure = row.text(14);
    result.faults_total = static_cast<std::uint64_t>(row.integer(15));
    result.maps_version = row.text(16);
    result.fingerprint = row.text(17);
    read_seats(seq, result);
    read_faults(seq, result);
    if (replays_ == Replays::read) {
        replay_.bind(seq);
        if (!replay_.step()) corrupt("the replay of record " + std::to_string(seq) + " is missing");
        game.replay = unpacked(replay_, seq);
        replay_.reset();
    }
    return game;
}

std::vector<std::string> RecordReader::read_bots(Statement& seats, std::int64_t seq) {
    std::vector<std::string> bots;
    seats.bind(seq);
    while (seats.step()) bots.push_back(seats.text(0));
    seats.reset();
    return bots;
}

void RecordReader::read_seats(std::int64_t seq, GameResult& result) {
    game_seats_.bind(seq);
    while (game_seats_.step()) {
        result.bots.push_back(game_seats_.text(0));
        if (!game_seats_.is_null(1)) {
            const auto halves = game_seats_.real(1) * 2;
            if (!(std::abs(halves) <= halves_max))
                corrupt("record " + std::to_string(seq) + " has a score that no game has");
            result.outcome.scores.push_back(engines::Score::halves(std::llround(halves)));
        }
        if (!game_seats_.is_null(2))
            result.outcome.placing.push_back(static_cast<int>(game_seats_.integer(2)));
        if (!game_seats_.is_null(3)) result.used_us.push_back(game_seats_.integer(3));
        if (!game_seats_.is_null(4)) result.means.push_back(game_seats_.text(4));
        if (!game_seats_.is_null(5)) result.valid_moves.push_back(game_seats_.integer(5));
    }
    game_seats_.reset();
}

void RecordReader::read_faults(std::int64_t seq, GameResult& result) {
    faults_.bind(seq);
    while (faults_.step()) {
        const auto& row = faults_;
        Fault fault;
        fault.seat = static_cast<engines::Seat>(row.integer(0));
        fault.turn = row.integer(1);
        fault.code = known_word(row.text(2), protocol::fault_code, seq);
        fault.consequence = known_word(row.text(3), protocol::consequence, seq);
        fault.message = row.text(4);
        fault.rule = row.text(5);
        fault.rule_text = row.text(6);
        auto& evidence = fault.evidence;
        evidence.received = row.optional_text(7);
        evidence.sent_us = row.optional_integer(8);
        evidence.received_us = row.optional_integer(9);
        evidence.charged_us = row.optional_integer(10);
        evidence.allowed_us = row.optional_integer(11);
        evidence.budget_us = row.optional_integer(12);
        if (!row.is_null(13)) evidence.measure = known_word(row.text(13), protocol::measure, seq);
        evidence.method = row.text(14);
        evidence.exit_status = row.optional_integer(15);
        evidence.signal = row.optional_integer(16);
        evidence.stderr_tail = row.optional_text(17);
        result.faults.push_back(std::move(fault));
    }
    faults_.reset();
}

std::optional<std::string> read_replay(Database& database, const GameKey& key) {
    Statement found(database,
                    "SELECT r.bytes, r.zlib, g.seq FROM games g JOIN replays r ON r.seq = g.seq "
                    "WHERE g.tournament = ? AND g.match = ? AND g.number = ? AND g.attempt = ?");
    found.bind(key.tournament, key.match, key.number, key.attempt);
    if (!found.step()) return std::nullopt;
    return unpacked(found, found.integer(2));
}

std::uint64_t last_seq(Database& database) {
    return static_cast<std::uint64_t>(
        database.integer("SELECT max(seq) FROM (SELECT max(seq) AS seq FROM tournaments UNION ALL "
                         "SELECT max(seq) FROM entries UNION ALL "
                         "SELECT max(seq) FROM withdrawals UNION ALL SELECT max(seq) FROM pairings "
                         "UNION ALL SELECT max(seq) FROM starts UNION ALL "
                         "SELECT max(seq) FROM games UNION ALL SELECT max(seq) FROM annulments "
                         "UNION ALL SELECT max(seq) FROM states UNION ALL "
                         "SELECT max(seq) FROM tokens UNION ALL SELECT max(seq) FROM drops)"));
}

}  // namespace referee::store
