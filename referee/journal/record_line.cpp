#include "referee/journal/record_line.h"

#include "referee/journal/overloaded.h"
#include "referee/play/replay_writer.h"

namespace referee::journal {
namespace {

void write_names(json::Writer& writer, const std::vector<std::string>& names,
                 std::string_view member = "bots") {
    writer.key(member).begin_array();
    for (const auto& name : names) writer.string(name);
    writer.end_array();
}

void write_key(json::Writer& writer, const GameKey& key) {
    writer.member("tournament", key.tournament)
        .member("match", key.match)
        .member("number", key.number)
        .member("attempt", key.attempt);
}

void write(json::Writer& writer, const OpeningRecord& opening) {
    writer.member("record", "opening")
        .member("tournament", opening.tournament)
        .member("config", opening.config)
        .member("version", opening.version);
}

void write(json::Writer& writer, const EntryRecord& entry) {
    writer.member("record", "entry")
        .member("tournament", entry.tournament)
        .member("bot", entry.bot)
        .member("rating", static_cast<std::int64_t>(entry.rating))
        .member("team", entry.team)
        .member("round", entry.round);
    if (entry.last_round != UINT32_MAX) writer.member("last_round", entry.last_round);
    if (entry.half_point_byes.empty()) return;
    writer.key("half_point_byes").begin_array();
    for (const auto round : entry.half_point_byes) writer.integer(std::int64_t{round});
    writer.end_array();
}

void write(json::Writer& writer, const WithdrawalRecord& withdrawal) {
    writer.member("record", "withdrawal")
        .member("tournament", withdrawal.tournament)
        .member("bot", withdrawal.bot)
        .member("round", withdrawal.round)
        .member("reason", withdrawal.reason);
}

void write(json::Writer& writer, const PairingRecord& pairing) {
    writer.member("record", pairing.match == 0 ? "bye" : "pairing")
        .member("tournament", pairing.tournament)
        .member("match", pairing.match)
        .member("round", pairing.round);
    write_names(writer, pairing.bots);
}

void write(json::Writer& writer, const DroppedRecord& dropped) {
    writer.member("record", "dropped")
        .member("tournament", dropped.tournament)
        .member("match", dropped.match);
    write_names(writer, dropped.left, "left");
    writer.member("reason", dropped.reason);
}

void write(json::Writer& writer, const StartRecord& start) {
    writer.member("record", "start");
    write_key(writer, start.key);
    writer.member("seed", start.seed);
    write_names(writer, start.bots);
}

void write(json::Writer& writer, const GameRecord& game) {
    const auto& result = game.result;
    writer.member("record", "game");
    write_key(writer, result.key);
    writer.member("game", result.game).member("seed", result.seed);
    writer.key("params").raw(result.params);
    write_names(writer, result.bots);
    writer.key("result");
    play::write_result(writer, result);
    if (!result.fingerprint.empty()) writer.member("fingerprint", result.fingerprint);
    writer.member("replay", game.replay);
}

void write(json::Writer& writer, const AnnulmentRecord& annulment) {
    writer.member("record", "annulment");
    write_key(writer, annulment.key);
    writer.member("reason", annulment.reason);
}

void write(json::Writer& writer, const StateRecord& state) {
    writer.member("record", "state")
        .member("tournament", state.tournament)
        .member("state", name_of(state.state))
        .member("reason", state.reason);
}

void write(json::Writer& writer, const TokenRecord& token) {
    writer.member("record", "token")
        .member("bot", token.bot)
        .member("hash", token.hash)
        .member("origin", token.origin);
}

std::string pairing_identity(const PairingRecord& pairing) {
    auto id = "pairing " + match_id(pairing.tournament, pairing.match);
    if (pairing.match == 0) {
        id += '/' + std::to_string(pairing.round);
        if (!pairing.bots.empty()) id += '/' + pairing.bots.front();
    }
    return id;
}

}  // namespace

void write_members(json::Writer& writer, const Record& record) {
    std::visit([&writer](const auto& one) { write(writer, one); }, record);
}

void write_record(std::string& out, const Record& record) {
    json::Writer writer(out);
    writer.begin_object();
    write_members(writer, record);
    writer.end_object();
    out += '\n';
}

std::string identity(const Record& record) {
    return std::visit(
        Overloaded{
            [](const OpeningRecord& opening) { return "opening " + opening.tournament; },
            [](const PairingRecord& pairing) { return pairing_identity(pairing); },
            [](const DroppedRecord& dropped) {
                return "dropped " + match_id(dropped.tournament, dropped.match);
            },
            [](const StartRecord& start) { return "start " + game_id(start.key); },
            [](const GameRecord& game) { return "game " + game_id(game.result.key); },
            [](const auto& /*without a key*/) { return std::string(); },
        },
        record);
}

}  // namespace referee::journal
