#include "referee/game/play/replay_writer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/base/text.h"
#include "referee/game/fields/fields.h"
#include "referee/game/play/play.h"
#include "referee/game/result/result_fields.h"

namespace referee::play {
namespace {

constexpr std::uint64_t prime_of_fnv = 0x00000100000001B3U;
// No text holds this byte, so parts don't run into each other.
constexpr unsigned char end_of_part = 0xFF;

constexpr int replay_version = 1;

// As an object: `turn` is the first that is played anew, and `past_told_by` says by what the bots
// could know what came before. Whether they use it can't be seen from outside.
std::string forked_from(const Past& past) {
    const auto turns =
        std::ranges::count_if(past.turns, [](const auto& turn) { return !turn.forfeit; });
    return json::object_text([&](json::Writer& writer) {
        writer.member("game_id", past.game_id).member("turn", std::int64_t{turns} + 1);
        writer.member("replay", past.replay).key("bots").texts(past.bots);
        writer.key("past_told_by").begin_array().string("resumed").string("history").end_array();
    });
}

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

// A member of an object that has others before it.
void add_member(std::string& text, std::string_view name, std::int64_t us) {
    text.append(",\"").append(name).append("\":").append(std::to_string(us));
}

}  // namespace

void Fingerprint::add(std::string_view part) {
    for (const char c : part) {
        hash_ = (hash_ ^ static_cast<unsigned char>(c)) * prime_of_fnv;
    }
    hash_ = (hash_ ^ end_of_part) * prime_of_fnv;
}

std::string Fingerprint::text() const {
    constexpr int bits = 64;
    constexpr int bits_a_digit = 4;
    std::string text;
    for (int shift = bits - bits_a_digit; shift >= 0; shift -= bits_a_digit) {
        text += base::hex_digits[hash_ >> static_cast<unsigned>(shift) & 0xFU];
    }
    return text;
}

void ReplayWriter::begin(const GameResult& result, const PlaySetup& setup) {
    json::Writer writer(header_);
    writer.begin_object().member("replay", replay_version).member("game_id", game_id(result.key));
    fields::write_fields(writer, result, fields::Description<GameResult>::beginning);
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
}

void ReplayWriter::move(std::string_view json_text) {
    turns_.append(json_text) += ',';
}

void ReplayWriter::end_turn(std::span<const std::int64_t> used_us) {
    constexpr std::size_t number_bytes_max = 21;  // and a comma
    std::array<char, engines::seats_max * number_bytes_max> used;
    auto* end = used.data();
    for (const auto us : used_us) {
        end = std::to_chars(end, used.data() + used.size(), us).ptr;
        *end++ = ',';
    }
    const bool any = std::any_of(used_us.begin(), used_us.end(), [](auto us) { return us != 0; });
    turns_.back() = ']';  // in place of the last comma
    if (any) turns_.append(",\"used_us\":[").append(used.data(), end - 1) += ']';
    turns_ += "}\n";
}

void ReplayWriter::forfeit(engines::Seat seat) {
    turns_ += fmt::format("{{\"forfeit\":{}}}\n", seat);
}

void ReplayWriter::times(std::int64_t turn, engines::Seat seat, const clock::Charge& charge,
                         std::string_view stall_cause) {
    const auto begin = times_.size();
    const auto told = [this](std::string_view name, std::int64_t us) {
        if (us != 0) add_member(times_, name, us);
    };
    const auto parts = clock::as_told(charge);
    if (parts.wall_us != parts.charged_us + parts.allowed_us + parts.waited_us +
                             parts.corrected_us + parts.doubted_us)
        told("wall_us", parts.wall_us);
    told("round_trip_us", in_us(charge.round_trip));
    told("allowed_us", parts.allowed_us);
    if (charge.allowance < charge.round_trip)
        add_member(times_, "allowance_us", in_us(charge.allowance));
    told("jitter_us", parts.jitter_us);
    told("corrected_us", parts.corrected_us);
    if (charge.corrected > Duration::zero() && !stall_cause.empty())
        json::Writer(times_.append(",\"cause\":")).string(stall_cause);
    told("doubted_us", parts.doubted_us);
    if (times_.size() != begin || parts.waited_us != 0)
        timed_.push_back({turn, seat, parts.waited_us, times_.size()});
}

void ReplayWriter::overdue(std::int64_t turn, engines::Seat seat, const Overdue& answer) {
    const auto found = std::find_if(timed_.rbegin(), timed_.rend(), [&](const Timed& timed) {
        return timed.turn <= turn && (timed.turn < turn || timed.seat == seat);
    });
    const auto at = found == timed_.rend() ? 0 : found->end;
    auto changed = found.base();
    if (found == timed_.rend() || found->turn != turn) {
        changed = timed_.insert(changed, {turn, seat, 0, at});
    } else {
        --changed;
    }
    std::string members;
    add_member(members, "took_us", in_us(answer.took));
    add_member(members, "over_us", in_us(answer.over));
    times_.insert(at, members);
    for (; changed != timed_.end(); ++changed) changed->end += members.size();
}

std::string ReplayWriter::complete(const GameResult& result) const {
    std::string text = header_ + turns_;
    json::Writer writer(text);
    writer.begin_object().key("result").begin_object();
    fields::write_fields(writer, result, fields::Description<GameResult>::end);
    if (!forked_from_.empty()) writer.key("forked_from").raw(forked_from_);
    writer.end_object();
    if (!timed_.empty()) {
        writer.key("times").begin_array();
        std::size_t begin = 0;
        for (const auto& timed : timed_) {
            const auto members = std::string_view(times_).substr(begin, timed.end - begin);
            begin = timed.end;
            if (members.empty()) {
                writer.begin_array().integer(timed.turn).unsigned_integer(timed.seat);
                writer.integer(timed.waited_us).end_array();
                continue;
            }
            writer.begin_object().member("turn", timed.turn).member("seat", timed.seat);
            if (timed.waited_us != 0) writer.member("waited_us", timed.waited_us);
            writer.buffer() += members;
            writer.end_object();
        }
        writer.end_array();
    }
    writer.end_object();
    text += '\n';
    return text;
}

}  // namespace referee::play
