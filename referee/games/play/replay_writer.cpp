#include "referee/games/play/replay_writer.h"

#include <algorithm>

#include "referee/games/fields/write_fields.h"
#include "referee/games/play/play.h"
#include "referee/games/result/result_fields.h"

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

void ReplayWriter::times(std::int64_t turn, engines::Seat seat, const clock::Charge& charge,
                         Duration bound, std::string_view stall_cause) {
    std::string text;
    json::Writer writer(text);
    bool any = false;
    const auto told = [&](std::string_view name, Duration time) {
        if (in_us(time) == 0) return;
        any = true;
        writer.member(name, in_us(time));
    };
    writer.begin_object().member("turn", turn).member("seat", seat);
    if (charge.wall != charge.charged + charge.allowed) told("wall_us", charge.wall);
    told("round_trip_us", charge.round_trip);
    told("allowed_us", charge.allowed);
    if (bound < charge.round_trip) told("allowance_us", bound);
    told("waited_us", charge.waited);
    told("corrected_us", charge.corrected);
    if (charge.corrected > Duration::zero() && !stall_cause.empty())
        writer.member("cause", stall_cause);
    told("doubted_us", charge.doubted);
    writer.end_object();
    if (any) times_ += (times_.empty() ? "" : ",") + text;
}

std::string ReplayWriter::complete(const GameResult& result) const {
    std::string text = header_ + turns_;
    json::Writer writer(text);
    writer.begin_object().key("result").begin_object();
    fields::write_fields(writer, result, fields::Description<GameResult>::end);
    writer.end_object();
    if (!times_.empty()) writer.key("times").raw("[" + times_ + "]");
    writer.end_object();
    text += '\n';
    return text;
}

}  // namespace referee::play
