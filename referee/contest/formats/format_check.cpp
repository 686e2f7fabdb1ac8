#include <algorithm>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/round_table.h"
#include "referee/contest/pairing/cover.h"

namespace referee::formats {
namespace {

constexpr std::uint32_t rounds_most = 10'000;  // nobody means more; keeps numbers of rounds small
constexpr std::uint64_t pods_most = 100'000;   // of a round robin: drawn in a few seconds
constexpr std::uint64_t any_seed = 1;
constexpr double confidence_least = 0.5;  // below, a coin would do

class Check {
 public:
    Check(const FormatConfig& config, std::span<const Entry> entries, const GameSeats& game,
          std::string path)
        : config_(config), entries_(entries), game_(game), path_(std::move(path)) {}

    std::vector<FormatError> errors() {
        if (path_.empty()) {
            names();
            attendance();
        }
        if (config_.draw_points > config_.win_points)
            say("draw_points",
                "a draw would be worth more than a win; expected at most \"win_points\", such as "
                "\"win_points\": 3, \"draw_points\": 1");
        std::visit([this](const auto& options) { check(options); }, config_.options);
        return std::move(errors_);
    }

 private:
    void say(const std::string& member, std::string message) {
        errors_.push_back({path_ + member, std::move(message)});
    }

    void names() {
        std::set<std::string_view> names;
        for (const auto& entry : entries_) {
            if (entry.name.empty())
                say("name", "a bot has no name");
            else if (!names.insert(entry.name).second)
                say("name", "two bots are named \"" + entry.name + "\"");
        }
    }

    // Late entries, withdrawals and byes asked for: only a Swiss has rounds that can be left out.
    void attendance() {
        const auto stages = stages_of(config_);
        const auto& first = stages.empty() ? config_ : stages.front().format;
        if (first.as<SwissOptions>() != nullptr) return;
        for (const auto& entry : entries_) {
            auto always_there = entry;
            always_there.take_part_in_all();
            if (entry != always_there)
                say("bots", "\"" + entry.name +
                                "\" leaves rounds out: only a swiss has late entries, withdrawals "
                                "and byes that are asked for");
        }
    }

    std::string field() const { return base::counted(entries_.size(), "bot"); }

    // At least so many entrants.
    bool enough(std::size_t fewest, const std::string& advice = "") {
        if (entries_.size() >= fewest) return true;
        const std::string article = config_.as<AdaptiveOptions>() != nullptr ? "an " : "a ";
        say("kind", fmt::format("{}{} needs at least {} bots, and there {}{}{}", article,
                                name_of(config_.kind()), fewest,
                                entries_.size() == 1 ? "is " : "are ", entries_.size(), advice));
        return false;
    }

    // A match's size that the game can seat.
    bool seats_fit(std::size_t seats, const std::string& member) {
        if (game_.solo || (seats >= game_.fewest && seats <= game_.most)) return true;
        const std::string range = game_.fewest == game_.most
                                      ? std::to_string(game_.fewest)
                                      : fmt::format("{} to {}", game_.fewest, game_.most);
        say(member, fmt::format("this game seats {}, not {}", range, seats));
        return false;
    }

    void counted(std::uint32_t number, const std::string& member) {
        if (number < 1 || number > rounds_most)
            say(member,
                fmt::format("expected a number from 1 to {}, found {}", rounds_most, number));
    }

    void check(const RoundRobinOptions& its) {
        counted(its.cycles, "cycles");
        if (its.seats < 2) {
            say("seats", "a round robin's matches have at least 2 seats");
            return;
        }
        const bool could_be_fewer = its.seats > 2 && (game_.solo || game_.fewest < its.seats);
        enough(its.seats, could_be_fewer ? "; with fewer \"seats\" fewer will do" : "");
        seats_fit(its.seats, "seats");
        // Who plays whom in pods is worked out for the whole tournament at once.
        const bool in_pods = its.seats > 2 && its.seats <= entries_.size();
        const auto pods = in_pods ? pods_least(entries_.size(), its.seats, its.cycles) : 0;
        if (pods > pods_most)
            say("kind",
                fmt::format(
                    "a round robin of {} in pods of {} would need at least {} matches, and at most "
                    "{} are possible; fewer cycles or a Swiss tournament need fewer",
                    field(), its.seats, pods, pods_most));
        if (its.swap_last_rounds && (its.seats != 2 || its.cycles < 2))
            say("swap_last_rounds", "is for two seats and two cycles or more");
    }

    void check(const SwissOptions& its) {
        if (its.seats < 2) {
            say("seats", "a Swiss tournament's matches have at least 2 seats");
            return;
        }
        seats_fit(its.seats, "seats");
        if (!enough(2)) return;
        if (its.rounds != 0) counted(its.rounds, "rounds");
        if (its.seats == 2) {
            const auto most = rounds_without_repeats(entries_.size(), 2);
            if (its.rounds > most) {
                say("rounds",
                    fmt::format(
                        "{} can play at most {} without anybody meeting twice; {} were asked for",
                        field(), base::counted(most, "round"), its.rounds));
            }
        } else {
            if (its.seats_min < 2 || its.seats_min > its.seats) {
                say("seats_min", fmt::format("expected a number from 2 to {}, found {}", its.seats,
                                             its.seats_min));
            } else {
                seats_fit(its.seats_min, "seats_min");
                enough(its.seats_min, game_.solo || game_.fewest < its.seats_min
                                          ? "; with smaller \"seats_min\" fewer will do"
                                          : "");
            }
            if (its.accelerated) say("accelerated", "acceleration is for two seats only");
            if (!its.colours)
                say("colours", "is for two seats: pods have no colours; leave it out");
        }
        if (its.keep_teams_apart && is_one_team())
            say("keep_teams_apart", "all bots are of one team: nobody may meet anybody");
        entries(its);
        forbidden_pairs(its);
    }

    void forbidden_pairs(const SwissOptions& its) {
        const auto rounds = rounds_of(its, entries_.size());
        for (std::size_t i = 0; i < its.forbidden_pairs.size(); ++i) {
            const auto& pairs = its.forbidden_pairs[i];
            const auto member = fmt::format("forbidden_pairs[{}]", i);
            if (std::set<std::string>(pairs.bots.begin(), pairs.bots.end()).size() <
                std::max<std::size_t>(2, pairs.bots.size()))
                say(member, R"(expected two different bots or more, such as ["alice", "bob"])");
            if (pairs.last_round < pairs.first_round)
                say(member, "expected a last_round not before first_round, " +
                                std::to_string(pairs.first_round));
            if (pairs.first_round > rounds)
                say(member,
                    fmt::format("begins in round {}, and there are {}", pairs.first_round, rounds));
        }
    }

    bool is_one_team() const {
        if (entries_.empty() || entries_.front().team.empty()) return false;
        return std::ranges::all_of(
            entries_, [this](const Entry& entry) { return entry.team == entries_.front().team; });
    }

    void entries(const SwissOptions& its) {
        const auto rounds = rounds_of(its, entries_.size());
        const auto too_few = ", and there are " + std::to_string(rounds);
        for (const auto& entry : entries_) {
            const auto wrong = [&](const std::string& what, std::uint32_t round,
                                   const std::string& why) {
                errors_.push_back(
                    {"bots", fmt::format("\"{}\" {} in round {}{}", entry.name, what, round, why)});
            };
            if (entry.first_round < 1 || entry.last_round < entry.first_round) {
                wrong("would enter", entry.first_round,
                      " and leave after round " + std::to_string(entry.last_round));
            } else if (entry.first_round > rounds) {
                wrong("would enter", entry.first_round, too_few);
            }
            for (const auto* byes : {&entry.half_point_byes, &entry.zero_point_byes}) {
                for (const auto round : *byes)
                    if (round > rounds) wrong("asks for a bye", round, too_few);
            }
            for (const auto round : entry.zero_point_byes)
                if (base::contains(entry.half_point_byes, round))
                    wrong("asks for two byes", round, ": expected half a point or none");
        }
        const auto late = [](const Entry& entry) { return entry.first_round > 1; };
        if (!entries_.empty() && std::ranges::all_of(entries_, late))
            errors_.push_back(
                {"bots", "nobody plays in round 1: all have a later \"first_round\""});
    }

    void check(const LeaderboardOptions& its) {
        if (!enough(1)) return;
        std::set<Entrant> fixed;
        for (const auto& name : its.opponent_names)
            if (!base::contains(entries_, name, &Entry::name))
                say("opponents", "\"" + name + "\" is not in the field");
        for (const auto opponent : its.opponents) {
            if (opponent >= entries_.size()) {
                say("opponents", "no bot has the number " + std::to_string(opponent));
            } else if (!fixed.insert(opponent).second) {
                say("opponents", "\"" + entries_[opponent].name + "\" is named twice");
            }
        }
        if (its.opponents.empty() && !game_.solo)
            say("opponents", "this game needs opponents: name those that everybody plays against");
        if (!its.opponents.empty()) seats_fit(its.opponents.size() + 1, "opponents");
        if (fixed.size() == entries_.size())
            say("opponents", "all bots are opponents: nobody is left to be ranked");
    }

    void check(const GauntletOptions& its) {
        enough(2);
        counted(its.cycles, "cycles");
        seats_fit(its.match_seats, "seats");
        // The opponents fill the matches.
        const auto opponents = entries_.empty() ? 0 : entries_.size() - 1;
        if (its.match_seats >= 2 && opponents % (its.match_seats - 1) != 0)
            say("seats",
                fmt::format(
                    "expected opponents for full matches of {} seats: {} for each, found {}",
                    its.match_seats, its.match_seats - 1, opponents));
        if (!its.sprt) return;
        const auto& sprt = *its.sprt;
        if (!(sprt.elo0 < sprt.elo1)) say("sprt", "elo0 must be below elo1");
        if (!(sprt.alpha > 0 && sprt.alpha < 0.5))
            say("sprt.alpha", "expected over 0 and below 0.5");
        if (!(sprt.beta > 0 && sprt.beta < 0.5)) say("sprt.beta", "expected over 0 and below 0.5");
        if (entries_.size() > its.match_seats)
            say("sprt",
                "a sequential test has one opponent, or those of one match (\"seats\"), not " +
                    std::to_string(opponents));
    }

    void check(const KnockoutOptions&) {
        enough(2);
        seats_fit(2, "seats");
    }

    void check(const StagesOptions& its) {
        if (its.stages.empty()) say("stages", "expected at least one stage");
        std::vector<Entry> field(entries_.begin(), entries_.end());
        for (std::size_t i = 0; i < its.stages.size(); ++i) {
            // Who comes late or leaves rounds out does so in the first stage; of which teams those
            // are who go on, nobody knows yet.
            for (auto& entry : field) {
                if (i > 0) entry.take_part_in_all();
                if (i > 0 && !is_one_team()) entry.team.clear();
            }
            const auto& stage = its.stages[i];
            const auto path = fmt::format("stages[{}].", i);
            if (stage.format.as<StagesOptions>() != nullptr || !traits_of(stage.format).ends) {
                say(path + "kind",
                    "a stage can't be made of stages, nor a ladder, which has no end");
                continue;
            }
            if (i == 0 && stage.advance != 0) {
                say(path + "advance", "everybody plays the first stage");
            } else if (stage.advance > field.size()) {
                say(path + "advance",
                    fmt::format("only {} are left, not {}", field.size(), stage.advance));
            }
            if (!fixed_opponents(stage.format).empty()) {
                say(path + "opponents", "a stage has no fixed opponents");
                continue;
            }
            if (stage.advance != 0) field.resize(std::min(field.size(), stage.advance));
            auto found = Check(stage.format, field, game_, path_ + path).errors();
            errors_.insert(errors_.end(), found.begin(), found.end());
        }
    }

    void check(const LadderOptions&) {}  // anybody, any number, at any time

    void check(const AdaptiveOptions& its) {
        enough(2);
        if (path_.empty() && its.question == Question::better_than &&
            its.better_than >= entries_.size())
            say("better_than", "\"" + its.better_than_name +
                                   "\" is not in the field: nobody can be compared with it");
        seats_fit(2, "seats");
        const auto most = entries_.empty() ? 0 : entries_.size() - 1;
        if (its.question == Question::top && (its.top < 1 || its.top > most))
            say("top", fmt::format(
                           "expected a number from 1 to {}, one below the number of bots, found {}",
                           most, its.top));
        if (entries_.size() > adaptive_entrants_most)
            say("kind", fmt::format("an adaptive tournament has at most {} bots, and there are {}; "
                                    "a swiss stage before it can choose them",
                                    adaptive_entrants_most, entries_.size()));
        if (!(its.confidence >= confidence_least && its.confidence < 1))
            say("confidence", "expected at least 0.5 and below 1, such as 0.95");
        if (!(its.margin >= 0 && its.margin < 1))
            say("margin", "expected a share of the points, at least 0 and below 1, such as 0.01");
        counted(its.opening, "opening");
        if (!path_.empty() && its.time > its.time.zero())
            say("time",
                "only a tournament of its own ends by its time; a stage has \"matches\": 2000");
        if (!path_.empty() && its.question == Question::better_than)
            say("better_than",
                "a stage isn't known to have that bot; ask in a tournament of its own");
    }

    const FormatConfig& config_;
    std::span<const Entry> entries_;
    const GameSeats& game_;
    std::string path_;
    std::vector<FormatError> errors_;
};

// Why a Swiss can't draw its first round; empty where it can.
std::string why_undrawn(const FormatConfig& format, std::vector<Entry> entries) {
    // Which seed says nothing of whether it can be drawn, but who stands where may.
    const auto schedule = make_schedule(format, std::move(entries), any_seed);
    static_cast<void>(schedule->next());
    return schedule->ended_early();
}

// The same of a later stage of pairs, in which so many of these play: whoever they are.
std::string why_unpaired(const SwissOptions& its, const std::vector<Entry>& entries,
                         std::size_t going_on) {
    pairing::Graph may_meet(static_cast<int>(entries.size()));
    may_meet.add_where([&](int a, int b) {
        const auto& team = entries[pairing::at(a)].team;
        return !its.keep_teams_apart || team.empty() || team != entries[pairing::at(b)].team;
    });
    for (const auto& pairs : its.forbidden_pairs) {
        std::vector<int> apart;
        for (const auto& bot : pairs.bots)
            if (const auto entrant = entrant_named(entries, bot))
                apart.push_back(static_cast<int>(*entrant));
        for (const int a : apart)
            for (const int b : apart)
                if (a != b && pairs.first_round <= 1) may_meet.remove(a, b);
    }
    const auto alone = static_cast<std::size_t>(pairing::Cover(may_meet).maximise());
    const auto paired = entries.size() - alone;
    if (paired / 2 >= going_on / 2) return {};
    return fmt::format(
        "round 1 can't be paired: of the {} bots that go on at most {} can be, whoever they are",
        going_on, paired);
}

}  // namespace

std::vector<FormatError> check_format(const FormatConfig& config, std::span<const Entry> entries,
                                      const GameSeats& game) {
    const auto format = for_field(config, entries);
    if (entries.empty() && !traits_of(format).open_field)
        return {{"kind", "the field is empty: there is no bot"}};
    return Check(format, entries, game, "").errors();
}

std::optional<FormatError> first_round_error(const FormatConfig& config,
                                             std::span<const Entry> entries) {
    const auto stages = stages_of(config);
    auto going_on = entries.size();
    for (std::size_t i = 0; i < std::max<std::size_t>(1, stages.size()); ++i) {
        const auto& format = stage_of(config, i);
        if (i > 0 && stages[i].advance != 0) going_on = std::min(going_on, stages[i].advance);
        const auto* swiss = format.as<SwissOptions>();
        if (swiss == nullptr || (!swiss->keep_teams_apart && swiss->forbidden_pairs.empty()))
            continue;
        std::vector<Entry> field(entries.begin(), entries.end());
        if (i > 0) std::ranges::for_each(field, &Entry::take_part_in_all);
        const bool pairs = swiss->seats == 2;
        // Which pods some of them could make nobody knows yet.
        if (!pairs && going_on < field.size()) continue;
        auto why = i > 0 && pairs ? why_unpaired(*swiss, field, going_on)
                                  : why_undrawn(format, std::move(field));
        if (why.empty()) continue;
        if (i > 0) why = fmt::format("stage {}: {}", i + 1, why);
        const auto path = stages.empty() ? "" : fmt::format("stages[{}].", i);
        if (!swiss->forbidden_pairs.empty())
            return FormatError{path + "forbidden_pairs", why + "; forbid fewer pairs"};
        return FormatError{path + "keep_teams_apart",
                           why +
                               "; expected teams of which none is larger than all others "
                               "together, or \"keep_teams_apart\": false"};
    }
    return {};
}

}  // namespace referee::formats
