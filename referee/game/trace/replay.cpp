#include "referee/game/trace/replay.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/base/clock_kind.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/game/result/game_result.h"

namespace referee::trace {
namespace {

namespace json = protocol::json;

// The turns that the lines have. Each is an object with moves, or with a seat that forfeits.
base::Result<Charged, Refusal> turns_in(std::string_view lines, const std::string& file) {
    json::Document document;
    Charged turns;
    for (std::size_t number = 2; !lines.empty(); ++number) {
        const auto parsed = document.parse(base::next_line(lines));
        if (!parsed) return refuse(file, number, parsed.error().message);
        const auto line = document.root();
        if (line.find("moves")) {
            auto& charged = turns.emplace_back();
            for (const auto us : line.find("used_us").elements())
                charged.push_back(us.integer().value_or(0));
        } else if (!line.find("forfeit")) {
            return refuse(file, number, "expected a line with \"moves\" or \"forfeit\" in it");
        }
    }
    return turns;
}

using Checked = base::Result<void, std::string>;

constexpr std::int64_t version_known = 1;
// What a bot says is one text.
constexpr std::size_t debug_depth_max = 4;
// A year: more than any clock has, and far from what a number of nanoseconds can't hold.
constexpr std::int64_t clock_us_max = std::int64_t{366} * 24 * 3600 * 1'000'000;
constexpr std::string_view clock_example =
    R"({"kind": "turn", "measure": "wall", "budget_us": 1000000, "hard_limit_us": 1000000})";

Checked check_version(json::View version) {
    const std::string expected = "replay: expected a replay of version 1";
    const auto number = version.integer();
    if (number == version_known) return {};
    if (number && *number > version_known)
        return base::failure(
            fmt::format("{}, found one of version {}: a later referee wrote it, and can read it",
                        expected, *number));
    return base::failure(
        expected +
        ", with a first line such as {\"replay\": 1, \"game_id\": \"friday/12.1\", ...}");
}

void check_clock(const json::Placed& clock, bool whole) {
    constexpr json::Bounds<std::int64_t> times{0, clock_us_max, "1000000"};
    if (!clock.object(clock_example)) return;
    json::Reader reader(clock);
    const auto kind = reader.member("kind");
    if ((whole || kind) && !base::value_named(base::clock_kinds, kind.view().text()))
        kind.expected(R"("turn", "game" or "none")");
    const auto measure = reader.member("measure");
    if ((whole || measure) && !base::value_named(base::measures, measure.view().text()))
        measure.expected(R"("wall" or "cpu")");
    for (const auto* name : {"budget_us", "hard_limit_us"})
        if (const auto time = reader.member(name); whole || time) time.integer(times);
    for (const auto* name : {"increment_us", "hung_after_us"}) reader.optional_integer(name, times);
}

void check_bots(const json::Placed& bots) {
    bool named = bots.view().is_array();
    for (const auto bot : bots.view().elements()) named = named && !bot.text().empty();
    if (!named) bots.expected("names of bots by seat, such as [\"alice\", \"bob\"]");
}

// Requires: the header was checked.
clock::ClockConfig clock_in(json::View told) {
    clock::ClockConfig clock;
    clock.kind = *base::value_named(base::clock_kinds, *told.find("kind").string());
    clock.measure = *base::value_named(base::measures, *told.find("measure").string());
    clock.budget = from_us(*told.find("budget_us").integer());
    clock.hard_limit = from_us(*told.find("hard_limit_us").integer());
    clock.increment = from_us(told.find("increment_us").integer().value_or(0));
    if (const auto hung = told.find("hung_after_us").integer()) {
        clock.waits_for_late = true;
        clock.hung_after = from_us(*hung);
    }
    return clock;
}

// The game's first line, as a fork point without a past turn.
base::Result<ForkPoint, std::string> beginning(std::string_view line) {
    json::Document document;
    if (const auto parsed = document.parse(line); !parsed)
        return base::failure(parsed.error().message);
    const auto setup = document.root();
    if (auto checked = check_header(setup, Header::whole); !checked)
        return base::failure(checked.error());
    ForkPoint point;
    point.game = *setup.find("game").string();
    point.params = setup.find("params").json_text();
    point.seed = static_cast<std::uint32_t>(*setup.find("seed").unsigned_integer());
    point.clock = clock_in(setup.find("clock"));
    point.past.game_id = *setup.find("game_id").string();
    for (const auto bot : setup.find("bots").elements())
        point.past.bots.emplace_back(*bot.string());
    return point;
}

play::PastTurn past_turn(const std::vector<engines::Answer>& answers) {
    play::PastTurn turn;
    for (const auto& answer : answers) {
        turn.moves.push_back(answer.move.is_null() ? std::string() : answer.move.json_text());
        turn.used_us.push_back(answer.used_us);
    }
    return turn;
}

// Leads the game to the turn.
class Leading {
 public:
    Leading(ForkPoint& point, engines::State& state, std::int64_t turn)
        : point_(point), state_(state), turn_(turn) {}

    bool arrived() const { return played_ == turn_ - 1; }
    std::int64_t played() const { return played_; }

    base::Result<void, std::string> take(std::string_view line) {
        if (auto read = line_.read(line, state_.seats(), true); !read) return read;
        if (state_.over()) return base::failure(std::string("a turn after the end of the game"));
        if (const auto seat = line_.forfeit()) {
            waiting_.push_back({{}, {}, *seat});
            return {};
        }
        settle();
        if (state_.over()) return base::failure(std::string("a turn after the end of the game"));
        std::vector<engines::Note> notes;
        state_.apply(line_.answers(), notes);
        point_.past.turns.push_back(past_turn(line_.answers()));
        ++played_;
        return {};
    }

 private:
    // Seats that were taken out count once another turn was played behind that.
    void settle() {
        for (auto& forfeit : waiting_) {
            if (!state_.over()) state_.forfeit(*forfeit.forfeit);
            point_.past.turns.push_back(std::move(forfeit));
        }
        waiting_.clear();
    }

    ForkPoint& point_;
    engines::State& state_;
    std::int64_t turn_;
    std::int64_t played_ = 0;
    TurnLine line_;
    std::vector<play::PastTurn> waiting_;
};

std::string no_such_turn(const std::string& file, std::int64_t turn, std::int64_t last) {
    return fmt::format("{}: expected a turn from 1 to {}, found {}", file, last, turn);
}

// The game at its first turn.
struct Beginning {
    ForkPoint point;
    std::unique_ptr<engines::State> state;
};

base::Result<Beginning, Refusal> set_up(const Lines& lines, const std::string& file,
                                        const engines::Registry& registry) {
    auto point = beginning(lines.first);
    if (!point) return refuse(file, 1, point.error());
    auto setup = set_up_again(lines.first, file, registry);
    if (!setup) return base::failure(setup.error());
    const auto seats = setup->state->seats();
    if (point->past.bots.size() != seats)
        return refuse(file, 1, fmt::format("bots: expected {} names, one for each seat", seats));
    return Beginning{*std::move(point), std::move(setup->state)};
}

// As far as the game is to be led, or its lines reach.
base::Result<void, Refusal> lead(Leading& leading, std::string_view turns,
                                 const std::string& file) {
    for (std::size_t number = 2; !turns.empty() && !leading.arrived(); ++number) {
        if (const auto taken = leading.take(base::next_line(turns)); !taken)
            return refuse(file, number, taken.error());
    }
    return {};
}

std::string hash_of(std::string_view replay) {
    return "sha256:" + base::hex_of(base::digest_of(replay));
}

}  // namespace

base::Result<void, Refusal> check_beginning(std::string_view first_line, const std::string& file) {
    constexpr std::size_t shown_bytes_max = 60;
    if (first_line.find("\"replay\"") != first_line.npos) return {};
    return refuse(file, 1,
                  "that is no replay: expected a first line such as {\"replay\": 1, \"game_id\": "
                  "\"friday/12.1\", ...}, as a file has that lies in a run's folder, such as "
                  "out/games/friday_12.1.ndjson; found " +
                      base::visible_line(base::readable(first_line, shown_bytes_max)));
}

base::Result<Lines, Refusal> lines_of(std::string_view replay, const std::string& file) {
    while (replay.ends_with('\n')) replay.remove_suffix(1);
    const auto first_end = replay.find('\n');
    if (replay.empty())
        return refuse(file, 1, "expected a replay's first line, found an empty file");
    if (auto begins = check_beginning(replay.substr(0, first_end), file); !begins)
        return base::failure(std::move(begins.error()));
    if (first_end == std::string_view::npos)
        return base::failure(
            Refusal{file + ": expected a last line with the result; the replay is cut short"});
    // The last line may be long: the C library looks at many bytes at a time, rfind() at each.
    const auto* const last_feed = ::memrchr(replay.data(), '\n', replay.size());
    const auto last_begin =
        static_cast<std::size_t>(static_cast<const char*>(last_feed) - replay.data());
    return Lines{replay.substr(0, first_end), replay.substr(first_end + 1, last_begin - first_end),
                 replay.substr(last_begin + 1)};
}

base::Result<Charged, Refusal> compared_turns(json::View told, const Lines& lines,
                                              const std::string& file) {
    auto turns = turns_in(lines.turns, file);
    if (!turns || !told) return turns;
    const auto played = static_cast<std::int64_t>(turns->size());
    const auto number = told.integer();
    if (!number || *number < 0) {
        const auto last = 2 + std::ranges::count(lines.turns, '\n');
        return refuse(
            file, static_cast<std::size_t>(last),
            "result.turns: expected a number of turns from 0 on, found " + told.json_text());
    }
    if (*number == played) return turns;
    return base::failure(
        Refusal{fmt::format("{}: the result tells {}, and the replay has {} of them; expected a "
                            "replay as the referee wrote it",
                            file, base::counted(*number, "turn"), played)});
}

std::vector<json::View> by_seat(json::View array, std::size_t seats) {
    std::vector<json::View> all;
    for (const auto element : array.elements()) all.push_back(element);
    all.resize(seats);
    return all;
}

json::View time_in(json::View times, std::string_view name) {
    constexpr std::array<std::string_view, 3> names_of_wait{"turn", "seat", "waited_us"};
    if (!times.is_array()) return times.find(name);
    const auto place = std::find(names_of_wait.begin(), names_of_wait.end(), name);
    if (place == names_of_wait.end()) return {};
    return times.at(static_cast<std::size_t>(place - names_of_wait.begin()));
}

base::Result<void, std::string> check_header(json::View header, Header needed) {
    if (auto version = check_version(header.find("replay")); !version) return version;
    const bool whole = needed == Header::whole;
    json::Mistakes mistakes;
    json::Reader reader(header, mistakes);
    const auto text = [&reader](const char* name, bool must, const std::string& like) {
        const auto given = reader.member(name);
        if ((must || given) && given.view().text().empty())
            given.expected("a text, such as " + like);
    };
    text("game", whole, "\"walls\"");
    if (const auto seed = reader.member("seed"); whole || seed) seed.integer_of<std::uint32_t>();
    if (const auto params = reader.member("params"); whole || params) params.object();
    text("game_id", whole, "\"friday/12.1\"");
    text("tournament", false, "\"friday\"");
    for (const auto* name : {"match", "number", "attempt"}) reader.optional_integer(name, {1});
    reader.optional_object("forked_from");
    if (const auto bots = reader.member("bots"); whole || bots) check_bots(bots);
    if (const auto clock = reader.member("clock"); whole || clock) check_clock(clock, whole);
    if (mistakes) return base::failure(base::visible_line(mistakes.first().text()));
    return {};
}

std::string told_by_rules(protocol::json::View setup, protocol::json::View result,
                          engines::Seat seat) {
    if (result.find("status").string() != name_of(GameStatus::played)) return {};
    const engines::Registry registry;
    const auto* const rules = registry.find(setup.find("game").text());
    if (rules == nullptr) return {};
    return rules->tell_end(setup.find("params"), result.find("outcome").find("detail"), seat);
}

void append_debug(std::string& lines, std::int64_t turn, std::string_view text) {
    json::Writer writer(lines);
    writer.begin_object().member("turn", turn).member("debug", text).end_object();
    lines += '\n';
}

void for_each_debug(std::string_view lines,
                    const std::function<void(std::int64_t turn, std::string_view text)>& call) {
    json::Document document;
    while (!lines.empty()) {
        if (!document.parse(base::next_line(lines), {.depth_max = debug_depth_max})) continue;
        const auto turn = document.root().find("turn").integer();
        const auto text = document.root().find("debug").string();
        if (turn && text) call(*turn, *text);
    }
}

std::string told_fork(protocol::json::View setup) {
    const auto fork = setup.find("forked_from");
    const auto game = fork.find("game_id").string();
    const auto turn = fork.find("turn").integer();
    if (!game || !turn) return {};
    return fmt::format("It goes on from turn {} of game {}; what was before it happened there.\n",
                       *turn, *game);
}

base::Result<ForkPoint, Refusal> fork_point(std::string_view replay, const std::string& file,
                                            std::int64_t turn, const engines::Registry& registry) {
    const auto lines = lines_of(replay, file);
    if (!lines) return base::failure(lines.error());
    auto game = set_up(*lines, file, registry);
    if (!game) return base::failure(game.error());
    const auto& state = *game->state;
    Leading leading(game->point, *game->state, turn);
    if (const auto led = lead(leading, lines->turns, file); !led) return base::failure(led.error());
    const auto next = leading.played() + 1;
    if (!leading.arrived())
        return base::failure(Refusal{no_such_turn(file, turn, state.over() ? next - 1 : next)});
    if (state.over()) return base::failure(Refusal{no_such_turn(file, turn, next - 1)});
    game->point.past.replay = hash_of(replay);
    return std::move(game->point);
}

}  // namespace referee::trace
