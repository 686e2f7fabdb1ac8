#include "referee/game/play/replay_writer.h"

#include <algorithm>

#include "referee/game/clock/seat_clock.h"
#include "referee/game/fields/write_fields.h"
#include "referee/game/play/play.h"
#include "referee/game/result/result_fields.h"

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

std::string member(std::string_view name, std::int64_t us) {
    return ",\"" + std::string(name) + "\":" + std::to_string(us);
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
    if (setup.past) {
        forked_from_ = forked_from(*setup.past);
        writer.key("forked_from").raw(forked_from_);
    }
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
                         std::string_view stall_cause) {
    Times times{turn, seat, {}};
    const auto told = [&](std::string_view name, std::int64_t us) {
        if (us != 0) times.members += member(name, us);
    };
    const auto parts = clock::as_told(charge);
    if (parts.wall_matters()) told("wall_us", parts.wall_us);
    told("round_trip_us", in_us(charge.round_trip));
    told("allowed_us", parts.allowed_us);
    if (charge.allowance < charge.round_trip)
        times.members += member("allowance_us", in_us(charge.allowance));
    told("jitter_us", parts.jitter_us);
    told("waited_us", parts.waited_us);
    told("corrected_us", parts.corrected_us);
    if (charge.corrected > Duration::zero() && !stall_cause.empty()) {
        times.members += ",\"cause\":";
        json::Writer(times.members).string(stall_cause);
    }
    told("doubted_us", parts.doubted_us);
    if (!times.members.empty()) times_.push_back(std::move(times));
}

void ReplayWriter::overdue(std::int64_t turn, engines::Seat seat, const Overdue& answer) {
    auto found = std::find_if(times_.rbegin(), times_.rend(), [&](const auto& times) {
        return times.turn <= turn && (times.turn < turn || times.seat == seat);
    });
    if (found == times_.rend() || found->turn != turn) {
        times_.insert(found.base(), {turn, seat, {}});
        found = std::find_if(times_.rbegin(), times_.rend(), [&](const auto& times) {
            return times.turn == turn && times.seat == seat;
        });
    }
    found->members += member("took_us", in_us(answer.took));
    found->members += member("over_us", in_us(answer.over));
}

std::string ReplayWriter::complete(const GameResult& result) const {
    std::string text = header_ + turns_;
    json::Writer writer(text);
    writer.begin_object().key("result").begin_object();
    fields::write_fields(writer, result, fields::Description<GameResult>::end);
    if (!forked_from_.empty()) writer.key("forked_from").raw(forked_from_);
    writer.end_object();
    if (!times_.empty()) {
        writer.key("times").begin_array();
        for (const auto& [turn, seat, members] : times_) {
            const auto begin = R"({"turn":)" + std::to_string(turn) + R"(,"seat":)";
            writer.raw(begin + std::to_string(seat) + members + '}');
        }
        writer.end_array();
    }
    writer.end_object();
    text += '\n';
    return text;
}

}  // namespace referee::play
