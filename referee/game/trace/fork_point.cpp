#include "referee/game/trace/fork_point.h"

#include <memory>
#include <vector>

#include "protocol/base/bytes.h"
#include "protocol/base/clock_kind.h"
#include "protocol/base/names.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay_lines.h"

namespace referee::trace {

namespace json = protocol::json;

namespace {

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
    return file + ": expected a turn from 1 to " + std::to_string(last) + ", found " +
           std::to_string(turn);
}

// The game at its first turn.
struct Beginning {
    ForkPoint point;
    std::unique_ptr<engines::State> state;
};

base::Result<Beginning, Refusal> set_up(const Lines& lines, const std::string& file,
                                        const engines::Registry& registry) {
    auto point = beginning(lines.first);
    if (!point) return base::failure(Refusal{file + ":1: " + point.error()});
    auto setup = set_up_again(lines.first, file, registry);
    if (!setup) return base::failure(setup.error());
    const auto seats = setup->state->seats();
    if (point->past.bots.size() != seats)
        return base::failure(Refusal{file + ":1: bots: expected " + std::to_string(seats) +
                                     " names, one for each seat"});
    return Beginning{*std::move(point), std::move(setup->state)};
}

// As far as the game is to be led, or its lines reach.
base::Result<void, Refusal> lead(Leading& leading, std::string_view turns,
                                 const std::string& file) {
    for (std::size_t number = 2; !turns.empty() && !leading.arrived(); ++number) {
        const auto end = turns.find('\n');
        if (const auto taken = leading.take(turns.substr(0, end)); !taken)
            return base::failure(
                Refusal{file + ':' + std::to_string(number) + ": " + taken.error()});
        turns.remove_prefix(end + 1);
    }
    return {};
}

std::string hash_of(std::string_view replay) {
    return "sha256:" + base::hex_of(base::digest_of(replay));
}

}  // namespace

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
