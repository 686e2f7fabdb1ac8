#include "referee/game/trace/story.h"

#include <algorithm>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
#include "referee/game/result/game_result.h"
#include "referee/game/trace/replay.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

constexpr std::int64_t us_per_ms = 1000;
constexpr std::int64_t us_per_s = 1'000'000;
// What is printed of a line that was received.
constexpr std::size_t quoted_bytes_max = 400;
// The same of the end of a standard error: a traceback through a library and the bot's own lines.
constexpr std::size_t error_bytes_max = 2000;

// "1 s", "50 ms", "20 us": as a config has it.
std::string config_time(std::int64_t us) {
    if (us >= us_per_s && us % us_per_s == 0) return std::to_string(us / us_per_s) + " s";
    if (us >= us_per_ms && us % us_per_ms == 0) return std::to_string(us / us_per_ms) + " ms";
    return std::to_string(us) + " us";
}

// What went wrong stands at the end of a long traceback. It begins with a whole line where the text
// has one there.
std::string end_of(const std::string& text) {
    if (text.size() <= error_bytes_max) return text;
    auto start = text.size() - error_bytes_max;
    const auto line = text.find('\n', start - 1);
    if (line != std::string::npos && text.find_first_not_of('\n', line) != std::string::npos)
        return "...\n" + text.substr(line + 1);
    while (start < text.size() && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U)
        ++start;
    return "... " + text.substr(start);
}

std::string beginning_of(std::string_view line) {
    const auto shown = base::utf8_prefix(line, quoted_bytes_max);
    return base::visible_line(shown) + (shown.size() < line.size() ? " ..." : "");
}

std::string indented(std::string_view text, std::string_view margin) {
    std::string out;
    while (!text.empty())
        out.append(margin).append(base::visible_line(base::next_line(text))) += '\n';
    return out;
}

// The game decides what a bad move costs, and its message says it.
std::string what_follows(std::string_view consequence, std::string_view code) {
    const bool bad_move = code == "malformed" || code == "illegal";
    const bool by_the_game =
        consequence == "none" || consequence == "missing_move" || consequence == "lost_turn";
    if (bad_move && by_the_game) return "nothing more; the game goes on";
    if (consequence == "none" && code == "disconnected")
        return "no penalty; but turns that it misses while it is away are played without its move";
    if (consequence == "none") return "nothing";
    if (consequence == "missing_move") return "the turn is played without this bot's move";
    if (consequence == "lost_turn")
        return "the turn, or the part of the move it is about, is lost, as the game's rules say";
    if (consequence == "strike") return "it counts as a strike; too many of them forfeit the game";
    if (consequence == "forfeit") return "the game is lost";
    return std::string(consequence);
}

std::string describe_clock(json::View clock) {
    const auto kind = line_of(clock.find("kind"));
    const auto measure = line_of(clock.find("measure"));
    const auto budget = clock.find("budget_us").integer().value_or(0);
    const auto hard = clock.find("hard_limit_us").integer().value_or(0);
    std::string text = measure == "cpu" ? "processor time, " : "wall time, ";
    if (kind == "none") {
        text += "no budget";
    } else {
        text += config_time(budget) + (kind == "game" ? " for the whole game" : " for each turn");
    }
    if (const auto increment = clock.find("increment_us").integer())
        text += " and " + config_time(*increment) + " more after each turn";
    if (hard > 0 && (kind != "turn" || hard != budget))
        text += "; a turn is over after " + config_time(hard) + " of wall time";
    if (const auto hung = clock.find("hung_after_us").integer()) {
        text +=
            "; late answers are waited for, until the lateness sums up to " + config_time(*hung);
    }
    return text;
}

// Who reads the story: the bot of that seat; nobody's seat: somebody who may know all.
using Reader = std::optional<std::uint64_t>;

bool may_know(const Reader& reader, std::optional<std::uint64_t> seat) {
    return !reader || seat == reader;
}

// What a replay tells of its turns' times.
struct Times {
    json::View all;
    const Charged& charged;

    std::optional<std::int64_t> charged_us(std::uint64_t turn, std::uint64_t seat) const {
        if (turn == 0 || turn > charged.size() || seat >= charged[turn - 1].size())
            return std::nullopt;
        return charged[turn - 1][seat];
    }
};

// The answers that are in time only because their times are known to no better.
std::string describe_doubts(const Times& told, const std::vector<std::string>& bots,
                            const Reader& reader) {
    std::string text;
    for (const auto times : told.all.elements()) {
        const auto seat = times.find("seat").unsigned_integer();
        if (!times.find("doubted_us") || !seat || *seat >= bots.size()) continue;
        if (!may_know(reader, seat)) continue;
        const auto turn = times.find("turn").unsigned_integer().value_or(0);
        text +=
            fmt::format("Turn {}, {}: in time, as far as that can be known\n", turn, bots[*seat]);
        const auto charged_us = told.charged_us(turn, *seat);
        if (charged_us) text += "    charged: " + base::milliseconds(*charged_us) + '\n';
        if (const auto allowed = times.find("allowed_us").integer())
            text +=
                "    allowed for the network before that: " + base::milliseconds(*allowed) + '\n';
        text += describe_charge(times, charged_us) + '\n';
    }
    return text;
}

std::string describe_process(json::View evidence) {
    std::string text;
    if (const auto status = evidence.find("exit_status").integer())
        text += fmt::format("    exit status: {}\n", *status);
    if (const auto signal = evidence.find("signal").integer())
        text += fmt::format("    ended by signal: {}\n", *signal);
    if (const auto tail = evidence.find("stderr_tail").string()) {
        text +=
            "    the end of its standard error:\n" + indented(end_of(std::string(*tail)), "      ");
    }
    return text;
}

// `again`: the turns of more faults that say the same of the same bot.
std::string describe_fault(json::View fault, const std::vector<std::int64_t>& again,
                           const Times& told_times, const std::vector<std::string>& bots,
                           const Reader& reader) {
    const auto seat = fault.find("seat").integer().value_or(0);
    const bool known = seat >= 0 && static_cast<std::uint64_t>(seat) < bots.size();
    const auto turn = fault.find("turn").integer().value_or(0);
    const auto evidence = fault.find("evidence");
    const bool whole = may_know(reader, fault.find("seat").unsigned_integer());
    auto text = turn > 0 ? "Turn " + std::to_string(turn) : std::string("Before the first turn");
    text += ", " + (known ? bots[static_cast<std::size_t>(seat)] : "seat " + std::to_string(seat)) +
            ": " + line_of(fault.find("code")) +
            (again.empty() ? "" : fmt::format(", {} times", again.size() + 1)) + '\n';
    const auto words = line_of(fault.find("message"));
    text += "    " + (whole ? words : message_without_quotes(line_of(fault.find("code")), words)) +
            '\n';
    if (const auto line = evidence.find("received").string(); line && !line->empty() && whole)
        text += "    the line: " + beginning_of(*line) + '\n';
    text += describe_times(evidence);
    const auto times = times_of(told_times.all, fault.find("turn"), fault.find("seat"));
    if (const auto told = evidence.find("charged_us").integer()) {
        // Of an answer that was waited for, the turn's line knows what it came to.
        const auto in_turn = told_times.charged_us(
            fault.find("turn").unsigned_integer().value_or(0), static_cast<std::uint64_t>(seat));
        text += describe_charge(times, in_turn ? in_turn : told);
    }
    text += describe_missing(fault, times);
    if (whole) text += describe_process(evidence);
    text +=
        "    rule " + line_of(fault.find("rule")) + ": " + line_of(fault.find("rule_text")) + '\n';
    text += "    what follows: " +
            what_follows(line_of(fault.find("consequence")), line_of(fault.find("code"))) + '\n';
    for (const auto& other : again)
        text += (&other == &again.front() ? "    the same in turn " : ", ") + std::to_string(other);
    return again.empty() ? text : text + '\n';
}

std::string describe_faults(json::View faults, const Times& times,
                            const std::vector<std::string>& bots, const Reader& reader) {
    struct Alike {
        std::string said;
        json::View first;
        std::vector<std::int64_t> again;
    };
    std::vector<Alike> all;
    for (const auto fault : faults.elements()) {
        std::string said;
        for (const auto* member : {"seat", "code", "message", "consequence"})
            said += fault.find(member).json_text() + '\n';
        // No two times are the same to a microsecond, and lines that are no message are counted.
        if (is_about_time(fault) || fault.find("code").string() == "protocol")
            std::erase_if(said, base::is_digit);
        const auto known = std::ranges::find(all, said, &Alike::said);
        if (known == all.end()) {
            all.push_back({std::move(said), fault, {}});
        } else {
            known->again.push_back(fault.find("turn").integer().value_or(0));
        }
    }
    std::string text;
    for (const auto& one : all)
        text += describe_fault(one.first, one.again, times, bots, reader) + '\n';
    return text;
}

// A sentence of each bot that never gave a valid move.
std::string describe_moveless(json::View result, std::uint64_t total,
                              const std::vector<std::string>& bots) {
    const auto faults = result.find("faults");
    const auto valid = by_seat(result.find("valid_moves"), bots.size());
    std::string text;
    for (std::size_t seat = 0; seat < bots.size(); ++seat) {
        std::uint64_t bad = 0;
        for (const auto fault : faults.elements()) {
            const auto code = line_of(fault.find("code"));
            const bool is_bad_move = code == "malformed" || code == "illegal";
            if (is_bad_move && fault.find("seat").unsigned_integer() == seat) ++bad;
        }
        if (bad == 0 || valid[seat].integer() != 0) continue;
        // Of one who did nothing else wrong, those that were not kept are such too.
        if (bad == faults.size()) bad = std::max(bad, total);
        text += bad == 1 ? "The only answer of " + bots[seat] + " was no valid move.\n"
                         : fmt::format("None of the {} answers of {} was a valid move.\n", bad,
                                       bots[seat]);
    }
    return text;
}

// Of a bot that the referee launched.
std::string describe_program(json::View program, json::View sandbox) {
    const auto tier = line_of(sandbox);
    const auto name = line_of(program);
    if (tier.empty() && is_said_version(name))
        return "        a program whose version it " + name + '\n';
    if (tier.empty()) return {};
    return "        launched " +
           (tier == "none" ? "without a sandbox" : "in a sandbox of tier " + tier) + ", program " +
           (name.empty() ? "unknown" : name) + '\n';
}

std::string describe_end(json::View setup, json::View result, const std::vector<std::string>& bots,
                         const Reader& reader) {
    const auto status = line_of(result.find("status"));
    const auto turns = result.find("turns").integer().value_or(0);
    const bool by_the_rules = status == "played";  // the usual, which the reason says
    const auto reason = line_of(result.find("reason"));
    auto text = "It ended after " + base::counted(turns, "turn") +
                (by_the_rules ? std::string() : ", " + status) + ": " + reason + '\n';
    const auto outcome = result.find("outcome");
    if (outcome.is_null())
        return text + "It does not count; it is played again where its match goes on.\n";
    const auto scores = by_seat(outcome.find("scores"), bots.size());
    const auto places = by_seat(outcome.find("placing"), bots.size());
    const auto used = by_seat(result.find("used_us"), bots.size());
    const auto programs = by_seat(result.find("program"), bots.size());
    const auto sandboxes = by_seat(result.find("sandbox"), bots.size());
    for (std::size_t seat = 0; seat < bots.size(); ++seat) {
        text += "    " + bots[seat] + ": score " + scores[seat].json_text() + ", place " +
                places[seat].json_text() + ", charged " +
                base::milliseconds(used[seat].integer().value_or(0)) + '\n';
        auto words = told_by_rules(setup, result, seat);
        // What the reason says of all isn't said again of each.
        if (const auto of_all = words.find("; ");
            of_all != std::string::npos && reason.ends_with(words.substr(of_all)))
            words.resize(of_all);
        if (!words.empty()) text += "        " + words + '\n';
        if (may_know(reader, seat)) text += describe_program(programs[seat], sandboxes[seat]);
    }
    return text;
}

// A replay whose parts were read; its views are of the replay's text.
struct Told {
    json::Document header;
    json::Document footer;
    std::vector<std::string> bots;
    Charged charged;

    json::View setup() const { return header.root(); }
    json::View result() const { return footer.root().find("result"); }
};

base::Result<void, Refusal> read(Told& told, std::string_view replay, const std::string& file) {
    const auto lines = lines_of(replay, file);
    if (!lines) return base::failure(lines.error());
    if (const auto parsed = told.header.parse(lines->first); !parsed)
        return refuse(file, 1, parsed.error().message);
    if (const auto checked = check_header(told.setup(), Header::any); !checked)
        return refuse(file, 1, checked.error());
    const bool ended = told.footer.parse(lines->last) && told.result().is_object();
    if (!ended)
        return base::failure(
            Refusal{file + ": expected a last line with the result; the replay is cut short"});
    auto charged = compared_turns(told.result().find("turns"), *lines, file);
    if (!charged) return base::failure(charged.error());
    told.charged = *std::move(charged);
    for (const auto bot : told.setup().find("bots").elements()) told.bots.push_back(line_of(bot));
    return {};
}

std::string tell(const Told& told, const Reader& reader) {
    const auto setup = told.setup();
    const auto result = told.result();
    const auto& bots = told.bots;
    const auto status = status_named(line_of(result.find("status")));
    const bool others_play_it = bots.size() == 1 || (status && !counts(*status));
    auto text =
        "Game " + line_of(setup.find("game_id")) + ", " + line_of(setup.find("game")) +
        (reader && others_play_it ? std::string() : ", seed " + setup.find("seed").json_text()) +
        ":";
    for (std::size_t seat = 0; seat < bots.size(); ++seat)
        text += fmt::format("{}{} (seat {})", seat == 0 ? " " : ", ", bots[seat], seat);
    text += "\n" + told_fork(setup) + "Clock: " + describe_clock(setup.find("clock")) + "\n\n";
    const auto faults = result.find("faults");
    const auto total = result.find("faults_total").unsigned_integer().value_or(faults.size());
    const Times times{told.footer.root().find("times"), told.charged};
    text += describe_end(setup, result, bots, reader) + describe_moveless(result, total, bots) +
            '\n' + describe_faults(faults, times, bots, reader);
    if (total == 0 && faults.size() == 0) text += std::string(nobody_at_fault) + "\n\n";
    if (total > faults.size())
        text += fmt::format("And {} more faults, which were counted and not kept.\n\n",
                            total - faults.size());
    text += describe_doubts(times, bots, reader);
    while (text.ends_with("\n\n")) text.pop_back();
    return text;
}

}  // namespace

base::Result<std::string, Refusal> tell_story(std::string_view replay, const std::string& file) {
    Told told;
    if (const auto done = read(told, replay, file); !done) return base::failure(done.error());
    return tell(told, {});
}

base::Result<std::optional<OwnStory>, Refusal> tell_own_story(std::string_view replay,
                                                              const std::string& file,
                                                              std::string_view bot) {
    Told told;
    if (const auto done = read(told, replay, file); !done) return base::failure(done.error());
    const auto names = told.setup().find("bots").elements();
    std::uint64_t seat = 0;
    Reader reader;
    for (const auto name : names) {
        if (name.string() == bot) reader = seat;
        ++seat;
    }
    if (!reader) return std::optional<OwnStory>();
    OwnStory own{tell(told, reader), {}};
    for (const auto fault : told.result().find("faults").elements()) {
        if (fault.find("seat").unsigned_integer() != reader) continue;
        if (const auto tail = fault.find("evidence").find("stderr_tail").string())
            own.stderr_tail = *tail;
    }
    return std::optional(std::move(own));
}

}  // namespace referee::trace
