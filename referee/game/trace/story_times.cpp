#include "referee/game/trace/story.h"

#include <algorithm>
#include <cstdint>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/game/trace/replay.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

// How far apart two numbers are: no int64_t holds that of the largest and the smallest.
std::uint64_t apart(std::int64_t a, std::int64_t b) {
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

// Nothing where it is what was charged and allowed.
std::optional<std::int64_t> wall_of(json::View times, std::optional<std::int64_t> charged_us) {
    if (const auto told = times.find("wall_us").integer()) return told;
    // Sums of what stands in a file: they may be too large, and are told all the same.
    const auto number = [&times](const char* name) {
        return static_cast<std::uint64_t>(time_in(times, name).integer().value_or(0));
    };
    const auto taken_off = number("waited_us") + number("corrected_us") + number("doubted_us");
    if (taken_off == 0 || !charged_us) return std::nullopt;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(*charged_us) +
                                     number("allowed_us") + taken_off);
}

// An answer can arrive before its turn is sent, from a bot that says too much.
std::string since_sent(std::int64_t sent_us, std::int64_t received_us) {
    return base::milliseconds(apart(received_us, sent_us)) +
           (received_us < sent_us ? " before" : " after") + " the turn was sent";
}

}  // namespace

std::string line_of(json::View view) {
    return base::visible_line(view.text());
}

std::string describe_times(json::View evidence) {
    std::string text;
    const auto number = [&evidence](const char* name) { return evidence.find(name).integer(); };
    const auto sent = number("sent_us");
    const auto received = number("received_us");
    if (sent && *sent > 0)
        text += "    turn sent: " + base::milliseconds(*sent) + " after the game began\n";
    const auto tell = [&](const char* what, std::int64_t when) {
        text += std::string("    ") + what + base::milliseconds(when);
        if (sent && *sent > 0) text += ", " + since_sent(*sent, when);
        text += '\n';
    };
    if (received) tell("received: ", *received);
    if (const auto noticed = number("noticed_us")) tell("noticed: ", *noticed);
    if (const auto charged = number("charged_us")) {
        text += "    charged: " + base::milliseconds(*charged);
        if (const auto measure = evidence.find("measure").string())
            text += *measure == "cpu" ? " of processor time" : " of wall time";
        if (const auto budget = number("budget_us")) text += ", of " + base::milliseconds(*budget);
        text += '\n';
        if (const auto allowed = number("allowed_us"); allowed.value_or(0) > 0) {
            text +=
                "    allowed for the network before that: " + base::milliseconds(*allowed) + '\n';
        }
    }
    if (const auto method = evidence.find("method").string(); method && !method->empty()) {
        text += "    measured by: " + std::string(*method) + '\n';
    }
    return text;
}

std::string describe_charge(json::View times, std::optional<std::int64_t> charged_us) {
    std::string text;
    const auto tell_time = [&](std::optional<std::int64_t> us, const std::string& what) {
        if (us) text += "    " + what + ": " + base::milliseconds(*us) + '\n';
    };
    const auto tell = [&](const char* name, const std::string& what) {
        tell_time(time_in(times, name).integer(), what);
    };
    tell_time(wall_of(times, charged_us), "wall time as measured");
    tell("round_trip_us", "round trip of its way");
    tell("allowance_us", "the most that was allowed for that");
    tell("jitter_us", "the most that could be taken off besides for its jitter");
    tell("waited_us", "taken off for its wait for a processor");
    auto cause = line_of(times.find("cause"));
    if (!cause.empty()) cause = " (" + cause + ")";
    tell("corrected_us", "taken off because the referee stood still" + cause);
    tell("doubted_us", "taken off because its times are known to no better");
    return text;
}

json::View times_of(json::View all, json::View turn, json::View seat) {
    for (const auto times : all.elements()) {
        if (time_in(times, "turn").integer() == turn.integer() &&
            time_in(times, "seat").integer() == seat.integer())
            return times;
    }
    return {};
}

bool is_about_time(json::View fault) {
    const auto code = fault.find("code").string();
    return code == "late" || code == "hung" || code == "over_budget";
}

std::string describe_missing(json::View fault, json::View times) {
    const auto evidence = fault.find("evidence");
    if (!is_about_time(fault) || !evidence.find("noticed_us") || !evidence.find("charged_us"))
        return {};
    const auto took = times.find("took_us").integer();
    if (!took) return "    no answer came while the game was on\n";
    return "    its answer came after all: " + base::milliseconds(*took) +
           " after the turn was sent, and so " +
           base::milliseconds(times.find("over_us").integer().value_or(0)) + " too late\n";
}

}  // namespace referee::trace
