#include "referee/store/record_writer.h"

#include "referee/store/compression.h"

namespace referee::store {

using namespace journal;

RecordWriter::RecordWriter(Database& database)
    : database_(database),
      opening_(database, "INSERT OR IGNORE INTO tournaments VALUES (?, ?, ?, ?, ?)"),
      entry_(database, "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      entry_bye_(database, "INSERT INTO entry_byes VALUES (?, ?, ?)"),
      withdrawal_(database, "INSERT INTO withdrawals VALUES (?, ?, ?, ?, ?, ?)"),
      pairing_(database, "INSERT OR IGNORE INTO pairings VALUES (?, ?, ?, ?, ?, ?)"),
      pairing_seat_(database, "INSERT INTO pairing_seats VALUES (?, ?, ?)"),
      start_(database, "INSERT OR IGNORE INTO starts VALUES (?, ?, ?, ?, ?, ?, ?)"),
      start_seat_(database, "INSERT INTO start_seats VALUES (?, ?, ?)"),
      game_(database,
            "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
            "?, ?)"),
      game_seat_(database, "INSERT INTO game_seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
      fault_(
          database,
          "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      replay_(database, "INSERT INTO replays VALUES (?, ?, ?)"),
      annulment_(database, "INSERT INTO annulments VALUES (?, ?, ?, ?, ?, ?, ?)"),
      state_(database, "INSERT INTO states VALUES (?, ?, ?, ?, ?)"),
      token_(database, "INSERT INTO tokens VALUES (?, ?, ?, ?, ?)"),
      drop_(database, "INSERT OR IGNORE INTO drops VALUES (?, ?, ?, ?, ?)"),
      drop_bot_(database, "INSERT INTO drop_bots VALUES (?, ?, ?)") {}

bool RecordWriter::insert(std::uint64_t seq, std::int64_t time_ms, const Record& record) {
    return std::visit([&](const auto& one) { return write(seq, time_ms, one); }, record);
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const OpeningRecord& opening) {
    opening_.run(seq, time_ms, opening.tournament, opening.config, opening.version);
    return database_.changes() > 0;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const EntryRecord& entry) {
    std::optional<std::uint32_t> last_round;
    if (entry.last_round != UINT32_MAX) last_round = entry.last_round;
    entry_.run(seq, time_ms, entry.tournament, entry.bot, entry.rating, entry.team, entry.round,
               last_round);
    for (std::size_t i = 0; i < entry.half_point_byes.size(); ++i)
        entry_bye_.run(seq, i, entry.half_point_byes[i]);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms,
                         const WithdrawalRecord& withdrawal) {
    withdrawal_.run(seq, time_ms, withdrawal.tournament, withdrawal.bot, withdrawal.round,
                    withdrawal.reason);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const PairingRecord& pairing) {
    std::optional<std::string_view> bye;
    if (pairing.match == 0 && !pairing.bots.empty()) bye = pairing.bots.front();
    pairing_.run(seq, time_ms, pairing.tournament, pairing.match, pairing.round, bye);
    if (database_.changes() == 0) return false;
    for (std::size_t seat = 0; seat < pairing.bots.size(); ++seat)
        pairing_seat_.run(seq, seat, pairing.bots[seat]);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const StartRecord& start) {
    const auto& key = start.key;
    start_.run(seq, time_ms, key.tournament, key.match, key.number, key.attempt, start.seed);
    if (database_.changes() == 0) return false;
    for (std::size_t seat = 0; seat < start.bots.size(); ++seat)
        start_seat_.run(seq, seat, start.bots[seat]);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const GameRecord& game) {
    const auto& result = game.result;
    const auto& key = result.key;
    std::optional<std::string_view> detail;
    if (counts(result.status)) detail = result.outcome.detail;
    std::optional<std::string_view> fingerprint;
    if (!result.fingerprint.empty()) fingerprint = result.fingerprint;
    game_.run(seq, time_ms, key.tournament, key.match, key.number, key.attempt, result.game,
              result.params, result.seed, name_of(result.status), result.reason, detail,
              result.turns, result.clock_kind, result.measure, result.faults_total,
              result.maps_version, fingerprint);
    if (database_.changes() == 0) return false;
    write_seats(seq, result);
    for (std::size_t i = 0; i < result.faults.size(); ++i) write_fault(seq, i, result.faults[i]);
    replay_.run(seq, game.replay.size(), Blob{compress(game.replay)});
    return true;
}

void RecordWriter::write_seats(std::uint64_t seq, const GameResult& result) {
    const auto& outcome = result.outcome;
    for (std::size_t seat = 0; seat < result.bots.size(); ++seat) {
        std::optional<double> score;
        std::optional<int> place;
        std::optional<std::int64_t> used_us;
        std::optional<std::string_view> means;
        if (seat < outcome.scores.size())
            score = static_cast<double>(outcome.scores[seat].in_halves()) / 2;
        if (seat < outcome.placing.size()) place = outcome.placing[seat];
        if (seat < result.used_us.size()) used_us = result.used_us[seat];
        if (seat < result.means.size()) means = result.means[seat];
        std::optional<std::int64_t> valid_moves;
        if (seat < result.valid_moves.size()) valid_moves = result.valid_moves[seat];
        game_seat_.run(seq, seat, result.bots[seat], score, place, used_us, means, valid_moves);
    }
}

void RecordWriter::write_fault(std::uint64_t seq, std::size_t ordinal, const Fault& fault) {
    const auto& evidence = fault.evidence;
    std::optional<std::string_view> measure;
    if (evidence.measure) measure = protocol::name_of(*evidence.measure);
    fault_.run(seq, ordinal, fault.seat, fault.turn, protocol::name_of(fault.code),
               protocol::name_of(fault.consequence), fault.message, fault.rule, fault.rule_text,
               evidence.received, evidence.sent_us, evidence.received_us, evidence.charged_us,
               evidence.allowed_us, evidence.budget_us, measure, evidence.method,
               evidence.exit_status, evidence.signal, evidence.stderr_tail);
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms,
                         const AnnulmentRecord& annulment) {
    const auto& key = annulment.key;
    annulment_.run(seq, time_ms, key.tournament, key.match, key.number, key.attempt,
                   annulment.reason);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const StateRecord& state) {
    state_.run(seq, time_ms, state.tournament, name_of(state.state), state.reason);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const TokenRecord& token) {
    token_.run(seq, time_ms, token.bot, token.hash, token.origin);
    return true;
}

bool RecordWriter::write(std::uint64_t seq, std::int64_t time_ms, const DroppedRecord& dropped) {
    drop_.run(seq, time_ms, dropped.tournament, dropped.match, dropped.reason);
    if (database_.changes() == 0) return false;
    for (std::size_t i = 0; i < dropped.left.size(); ++i) drop_bot_.run(seq, i, dropped.left[i]);
    return true;
}

}  // namespace referee::store
