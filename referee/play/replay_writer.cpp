#include "referee/play/replay_writer.h"

#include <algorithm>

#include "protocol/codec.h"
#include "referee/play/play.h"

namespace referee::play {
namespace {

constexpr int replay_version = 1;

void write_clock(json::Writer& writer, const clock::ClockConfig& clock) {
    writer.begin_object()
        .member("kind", clock::name_of(clock.kind))
        .member("measure", clock::name_of(clock.measure))
        .member("budget_us", in_us(clock.budget))
        .member("hard_limit_us", in_us(clock.hard_limit));
    if (clock.increment > Duration::zero()) writer.member("increment_us", in_us(clock.increment));
    if (clock.waits_for_late) writer.member("hung_after_us", in_us(clock.hung_after));
    writer.end_object();
}

template <typename Texts>
void write_strings(json::Writer& writer, std::string_view name, const Texts& texts) {
    writer.key(name).begin_array();
    for (const auto& text : texts) writer.string(text);
    writer.end_array();
}

}  // namespace

void ReplayWriter::begin(const PlaySetup& setup, std::string_view full_params) {
    json::Writer writer(header_);
    writer.begin_object()
        .member("replay", replay_version)
        .member("game_id", game_id(setup.key))
        .member("tournament", setup.key.tournament)
        .member("match", setup.key.match)
        .member("number", setup.key.number)
        .member("attempt", setup.key.attempt)
        .member("game", setup.game->info().id)
        .member("seed", setup.seed);
    writer.key("params").raw(full_params);
    write_strings(writer, "bots", setup.bots);
    writer.key("clock");
    write_clock(writer, setup.clock);
    writer.end_object();
    header_ += '\n';
}

void ReplayWriter::begin_turn() {
    turns_ += "{\"moves\":[";
    first_move_ = true;
}

void ReplayWriter::move(std::string_view json_text) {
    if (!first_move_) turns_ += ',';
    first_move_ = false;
    turns_ += json_text;
}

void ReplayWriter::end_turn(std::span<const std::int64_t> used_us) {
    turns_ += ']';
    if (std::any_of(used_us.begin(), used_us.end(), [](auto us) { return us != 0; })) {
        turns_ += ",\"used_us\":";
        json::Writer writer(turns_);
        writer.begin_array();
        for (const auto us : used_us) writer.integer(us);
        writer.end_array();
    }
    turns_ += "}\n";
}

void ReplayWriter::forfeit(engines::Seat seat) {
    turns_ += "{\"forfeit\":" + std::to_string(seat) + "}\n";
}

std::string ReplayWriter::complete(const GameResult& result) const {
    std::string text = header_ + turns_;
    json::Writer writer(text);
    writer.begin_object().key("result");
    write_result(writer, result);
    writer.end_object();
    text += '\n';
    return text;
}

void write_fault(json::Writer& writer, const Fault& fault) {
    writer.begin_object()
        .member("seat", static_cast<std::uint64_t>(fault.seat))
        .member("turn", fault.turn)
        .member("code", protocol::name_of(fault.code))
        .member("consequence", protocol::name_of(fault.consequence))
        .member("message", fault.message)
        .member("rule", fault.rule)
        .member("rule_text", fault.rule_text)
        .key("evidence");
    protocol::write_evidence(writer, fault.evidence);
    writer.end_object();
}

void write_result(json::Writer& writer, const GameResult& result) {
    writer.begin_object()
        .member("game_id", game_id(result.key))
        .member("status", name_of(result.status))
        .member("reason", result.reason);
    writer.key("outcome");
    if (counts(result.status)) {
        engines::write_outcome(writer, result.outcome);
    } else {
        writer.null();
    }
    writer.member("turns", result.turns)
        .member("clock", result.clock_kind)
        .member("measure", result.measure);
    if (!result.means.empty()) write_strings(writer, "means", result.means);
    writer.key("used_us").begin_array();
    for (const auto us : result.used_us) writer.integer(us);
    writer.end_array();
    if (!result.valid_moves.empty()) {
        writer.key("valid_moves").begin_array();
        for (const auto count : result.valid_moves) writer.integer(count);
        writer.end_array();
    }
    writer.key("faults").begin_array();
    for (const auto& fault : result.faults) write_fault(writer, fault);
    writer.end_array();
    writer.member("faults_total", result.faults_total);
    if (!result.maps_version.empty()) writer.member("maps_version", result.maps_version);
    writer.end_object();
}

}  // namespace referee::play
