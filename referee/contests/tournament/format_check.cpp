#include <algorithm>
#include <set>

#include "referee/contests/tournament/format.h"

namespace referee::tournament {

namespace {

constexpr std::uint32_t rounds_most = 10'000;  // nobody means more; keeps numbers of rounds small

class Check {
 public:
    Check(const FormatConfig& config, std::span<const Entry> entries, const GameSeats& game,
          std::string path)
        : config_(config), entries_(entries), game_(game), path_(std::move(path)) {}

    std::vector<FormatError> errors() {
        points();
        switch (config_.kind) {
            case FormatKind::round_robin:
                round_robin();
                break;
            case FormatKind::swiss:
                swiss();
                break;
            case FormatKind::leaderboard:
                leaderboard();
                break;
            case FormatKind::gauntlet:
                gauntlet();
                break;
            case FormatKind::knockout:
                knockout();
                break;
            case FormatKind::stages:
                stages();
                break;
            case FormatKind::ladder:
                break;  // anybody, any number, at any time
        }
        return std::move(errors_);
    }

 private:
    void say(const std::string& member, std::string message) {
        errors_.push_back({path_ + member, std::move(message)});
    }

    std::string field() const {
        const auto n = entries_.size();
        return std::to_string(n) + (n == 1 ? " bot" : " bots");
    }

    // At least so many entrants.
    bool enough(std::size_t fewest, const std::string& advice = "") {
        if (entries_.size() >= fewest) return true;
        say("kind", "a " + std::string(name_of(config_.kind)) + " needs at least " +
                        std::to_string(fewest) + " bots, and there " +
                        (entries_.size() == 1 ? "is " : "are ") + std::to_string(entries_.size()) +
                        advice);
        return false;
    }

    // A match's size that the game can seat.
    bool seats_fit(std::size_t seats, const std::string& member) {
        if (game_.solo || (seats >= game_.fewest && seats <= game_.most)) return true;
        const std::string range =
            game_.fewest == game_.most
                ? std::to_string(game_.fewest)
                : std::to_string(game_.fewest) + " to " + std::to_string(game_.most);
        say(member, "this game seats " + range + ", not " + std::to_string(seats));
        return false;
    }

    void counted(std::uint32_t number, const std::string& member, std::uint32_t fewest) {
        if (number >= fewest && number <= rounds_most) return;
        say(member, "expected a number from " + std::to_string(fewest) + " to " +
                        std::to_string(rounds_most) + ", found " + std::to_string(number));
    }

    void points() {
        if (config_.draw_points <= config_.win_points) return;
        say("draw_points",
            "a draw would be worth more than a win; expected at most \"win_points\", "
            "such as \"win_points\": 3, \"draw_points\": 1");
    }

    void round_robin() {
        counted(config_.cycles, "cycles", 1);
        if (config_.seats < 2) {
            say("seats", "a round robin's matches have at least 2 seats");
            return;
        }
        const bool could_be_fewer =
            config_.seats > 2 && (game_.solo || game_.fewest < config_.seats);
        enough(config_.seats, could_be_fewer ? "; with fewer \"seats\" fewer will do" : "");
        seats_fit(config_.seats, "seats");
        if (config_.seats == 2 && config_.meetings != 0) {
            say("meetings", "is for pods; how often two meet is said by cycles");
        }
        if (config_.swap_last_rounds && (config_.seats != 2 || config_.cycles < 2)) {
            say("swap_last_rounds", "is for two seats and two cycles or more");
        }
    }

    void swiss() {
        if (config_.seats < 2) {
            say("seats", "a Swiss tournament's matches have at least 2 seats");
            return;
        }
        seats_fit(config_.seats, "seats");
        if (!enough(2)) return;
        if (config_.rounds != 0) counted(config_.rounds, "rounds", 1);
        if (config_.seats == 2) {
            const auto most = rounds_without_repeats(entries_.size(), 2);
            if (config_.rounds > most) {
                say("rounds", field() + " can play at most " + std::to_string(most) +
                                  (most == 1 ? " round" : " rounds") +
                                  " without anybody meeting twice; " +
                                  std::to_string(config_.rounds) + " were asked for");
            }
        } else {
            if (config_.seats_min < 2 || config_.seats_min > config_.seats) {
                say("seats_min", "expected a number from 2 to " + std::to_string(config_.seats) +
                                     ", found " + std::to_string(config_.seats_min));
            } else {
                seats_fit(config_.seats_min, "seats_min");
                enough(config_.seats_min, game_.solo || game_.fewest < config_.seats_min
                                              ? "; with smaller \"seats_min\" fewer will do"
                                              : "");
            }
            if (config_.accelerated) say("accelerated", "acceleration is for two seats only");
        }
        teams();
        entries();
    }

    void teams() {
        if (!config_.keep_teams_apart || entries_.empty()) return;
        const std::string& first = entries_.front().team;
        const bool one_team =
            !first.empty() && std::all_of(entries_.begin(), entries_.end(),
                                          [&](const Entry& entry) { return entry.team == first; });
        if (one_team) say("keep_teams_apart", "all bots are of one team: nobody may meet anybody");
    }

    void entries() {
        const auto rounds =
            config_.rounds != 0 ? config_.rounds : default_rounds(entries_.size(), config_.seats);
        for (const auto& entry : entries_) {
            const auto first = std::to_string(entry.first_round);
            if (entry.first_round < 1 || entry.last_round < entry.first_round) {
                errors_.push_back({"bots", "\"" + entry.name + "\" would enter in round " + first +
                                               " and leave after round " +
                                               std::to_string(entry.last_round)});
            } else if (entry.first_round > rounds) {
                errors_.push_back({"bots", "\"" + entry.name + "\" would enter in round " + first +
                                               ", and there are " + std::to_string(rounds)});
            }
            for (const auto round : entry.half_point_byes) {
                if (round <= rounds) continue;
                errors_.push_back({"bots", "\"" + entry.name + "\" asks for a bye in round " +
                                               std::to_string(round) + ", and there are " +
                                               std::to_string(rounds)});
            }
        }
        const auto late = [](const Entry& entry) { return entry.first_round > 1; };
        if (!entries_.empty() && std::all_of(entries_.begin(), entries_.end(), late)) {
            errors_.push_back(
                {"bots", "nobody plays in round 1: all have a later \"first_round\""});
        }
    }

    void leaderboard() {
        if (!enough(1)) return;
        std::set<Entrant> fixed;
        for (const auto opponent : config_.opponents) {
            if (opponent >= entries_.size()) {
                say("opponents", "no bot has the number " + std::to_string(opponent));
            } else if (!fixed.insert(opponent).second) {
                say("opponents", "\"" + entries_[opponent].name + "\" is named twice");
            }
        }
        if (config_.opponents.empty() && !game_.solo) {
            say("opponents", "this game needs opponents: name those that everybody plays against");
        }
        if (!config_.opponents.empty()) seats_fit(config_.opponents.size() + 1, "opponents");
        if (fixed.size() == entries_.size()) {
            say("opponents", "all bots are opponents: nobody is left to be ranked");
        }
    }

    void gauntlet() {
        enough(2);
        counted(config_.cycles, "cycles", 1);
        seats_fit(2, "seats");
        if (!config_.sprt) return;
        const auto& sprt = *config_.sprt;
        if (!(sprt.elo0 < sprt.elo1)) say("sprt", "elo0 must be below elo1");
        if (!(sprt.alpha > 0 && sprt.alpha < 0.5))
            say("sprt.alpha", "expected over 0 and below 0.5");
        if (!(sprt.beta > 0 && sprt.beta < 0.5)) say("sprt.beta", "expected over 0 and below 0.5");
        if (entries_.size() > 2)
            say("sprt",
                "a sequential test has one opponent, not " + std::to_string(entries_.size() - 1));
    }

    void knockout() {
        enough(2);
        seats_fit(2, "seats");
    }

    void stages() {
        if (config_.stages.empty()) say("stages", "expected at least one stage");
        std::size_t field = entries_.size();
        for (std::size_t i = 0; i < config_.stages.size(); ++i) {
            const auto& stage = config_.stages[i];
            const std::string path = path_ + "stages[" + std::to_string(i) + "].";
            if (stage.kind == FormatKind::stages || stage.kind == FormatKind::ladder) {
                errors_.push_back(
                    {path + "kind",
                     "a stage can't be made of stages, nor a ladder, which has no end"});
                continue;
            }
            if (i == 0 && stage.advance != 0) {
                errors_.push_back({path + "advance", "everybody plays the first stage"});
            } else if (stage.advance > field) {
                errors_.push_back({path + "advance", "only " + std::to_string(field) +
                                                         " are left, not " +
                                                         std::to_string(stage.advance)});
            }
            if (!stage.opponents.empty()) {
                errors_.push_back({path + "opponents", "a stage has no fixed opponents"});
                continue;
            }
            if (stage.advance != 0) field = std::min(field, stage.advance);
            auto found = Check(stage, entries_.first(field), game_, path).errors();
            errors_.insert(errors_.end(), found.begin(), found.end());
        }
    }

    const FormatConfig& config_;
    std::span<const Entry> entries_;
    const GameSeats& game_;
    std::string path_;
    std::vector<FormatError> errors_;
};

void check_names(std::span<const Entry> entries, std::vector<FormatError>& errors) {
    std::set<std::string_view> names;
    for (const auto& entry : entries) {
        if (entry.name.empty())
            errors.push_back({"name", "a bot has no name"});
        else if (!names.insert(entry.name).second) {
            errors.push_back({"name", "two bots are named \"" + entry.name + "\""});
        }
    }
}

bool takes_part_in_all(const Entry& entry) {
    return entry.first_round == 1 && entry.last_round == UINT32_MAX &&
           entry.half_point_byes.empty();
}

// Only the rounds of a Swiss can be left out.
void check_attendance(const FormatConfig& config, std::span<const Entry> entries,
                      std::vector<FormatError>& errors) {
    const bool begins_as_stage = config.kind == FormatKind::stages && !config.stages.empty();
    const auto kind = begins_as_stage ? config.stages.front().kind : config.kind;
    if (kind == FormatKind::swiss) return;
    for (const auto& entry : entries) {
        if (takes_part_in_all(entry)) continue;
        errors.push_back({"bots", "\"" + entry.name +
                                      "\" leaves rounds out: only a swiss has late entries, "
                                      "withdrawals and byes that are asked for"});
    }
}

}  // namespace

std::vector<FormatError> check_format(const FormatConfig& config, std::span<const Entry> entries,
                                      const GameSeats& game) {
    std::vector<FormatError> errors;
    if (entries.empty() && config.kind != FormatKind::ladder) {
        errors.push_back({"kind", "the field is empty: there is no bot"});
        return errors;
    }
    check_names(entries, errors);
    check_attendance(config, entries, errors);
    auto found = Check(config, entries, game, "").errors();
    errors.insert(errors.end(), found.begin(), found.end());
    return errors;
}

}  // namespace referee::tournament
