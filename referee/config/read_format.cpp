// Who plays whom: a tournament's format with its options.

#include <algorithm>
#include <array>

#include "referee/config/sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t many = 1'000'000;
constexpr std::int64_t cycles_most = 100'000;
constexpr std::int64_t points_most = 1'000'000;
constexpr std::int64_t extra_games_most = 100;
constexpr double elo_most = 10'000;
// A sequential test ends by itself; where the two are as strong as between its bounds, then.
constexpr std::uint32_t matches_tested_most = 10'000;

using tournament::FormatConfig;
using tournament::FormatKind;

constexpr std::array<FormatKind, 7> kinds{
    FormatKind::round_robin, FormatKind::swiss,  FormatKind::leaderboard, FormatKind::gauntlet,
    FormatKind::knockout,    FormatKind::stages, FormatKind::ladder};

// Options that only some formats have: an option that would change nothing is a mistake.
struct Option {
    std::string_view name;
    std::vector<FormatKind> kinds;
};
const std::vector<Option>& options() {
    using enum FormatKind;
    static const std::vector<Option> all{
        {"seats", {round_robin, swiss, ladder}},
        {"seats_min", {swiss, ladder}},
        {"cycles", {round_robin, gauntlet}},
        {"meetings", {round_robin}},
        {"swap_last_rounds", {round_robin}},
        {"rounds", {swiss}},
        {"accelerated", {swiss}},
        {"keep_teams_apart", {swiss}},
        {"draw_numbers", {round_robin, swiss, knockout}},
        {"double_elimination", {knockout}},
        {"third_place_match", {knockout}},
        {"second_final", {knockout}},
        {"extra_games", {knockout}},
        {"opponents", {leaderboard}},
        {"sprt", {gauntlet}},
        {"stages", {stages}},
    };
    return all;
}

void refuse_options_of_others(json::Reader& reader, FormatKind kind) {
    for (const auto& option : options()) {
        const auto& have = option.kinds;
        if (!reader.has(option.name) || std::find(have.begin(), have.end(), kind) != have.end()) {
            continue;
        }
        std::string names;
        for (const auto each : have) {
            names += (names.empty() ? "\"" : " or \"") + std::string(name_of(each)) + "\"";
        }
        reader.wrong(option.name, "only a format of kind " + names + " has it, and this is a \"" +
                                      std::string(name_of(kind)) + "\"");
    }
}

// Places in the tournament's own list of bots.
void read_opponents(json::Reader& reader, const std::vector<std::string>& entrants,
                    FormatConfig& format) {
    std::vector<std::string> names;
    reader.texts("opponents", names);
    for (const auto& name : names) {
        const auto found = std::find(entrants.begin(), entrants.end(), name);
        if (found == entrants.end()) {
            reader.wrong("opponents", "\"" + name + "\" is not one of the tournament's bots");
        } else {
            format.opponents.push_back(static_cast<std::size_t>(found - entrants.begin()));
        }
    }
}

void read_sprt(json::Reader& reader, FormatConfig& format) {
    const auto object = reader.optional_object("sprt");
    if (!object) return;
    auto& bounds = format.sprt.emplace();
    json::Reader sprt(object);
    sprt.number("elo0", bounds.elo0, -elo_most, elo_most);
    sprt.number("elo1", bounds.elo1, -elo_most, elo_most);
    constexpr double certain = 1;
    sprt.number("alpha", bounds.alpha, 0, certain);
    sprt.number("beta", bounds.beta, 0, certain);
    if (const auto elo = sprt.optional_word("elo", {"match", "game"}))
        bounds.elo = static_cast<tournament::EloOf>(*elo);
    sprt.no_others();
    if (!reader.has("cycles")) format.cycles = matches_tested_most;
}

class FormatReader {
 public:
    FormatReader(const engines::GameInfo& game, const std::vector<std::string>& entrants)
        : game_(game), entrants_(entrants) {}

    void read(json::Reader& reader, FormatConfig& format, bool is_stage) const {
        std::vector<std::string_view> names;
        for (const auto kind : kinds) names.push_back(tournament::name_of(kind));
        if (const auto which = reader.optional_word("kind", names)) format.kind = kinds[*which];
        format.seats = seats_of(format.kind);
        format.seats_min = game_.seats_max == 1 ? 2 : game_.seats_min;
        reader.integer("seats", format.seats, 1, static_cast<std::int64_t>(engines::seats_max));
        reader.integer("seats_min", format.seats_min, 2,
                       static_cast<std::int64_t>(engines::seats_max));
        reader.integer("cycles", format.cycles, 1, cycles_most);
        reader.integer("meetings", format.meetings, 1, cycles_most);
        reader.integer("rounds", format.rounds, 1, many);
        reader.boolean("draw_numbers", format.draw_numbers);
        reader.boolean("swap_last_rounds", format.swap_last_rounds);
        reader.boolean("keep_teams_apart", format.keep_teams_apart);
        reader.boolean("accelerated", format.accelerated);
        reader.boolean("double_elimination", format.double_elimination);
        reader.boolean("third_place_match", format.third_place_match);
        reader.boolean("second_final", format.second_final);
        reader.integer("extra_games", format.extra_games, 0, extra_games_most);
        read_score(reader, "win_points", format.win_points, points_most);
        read_score(reader, "draw_points", format.draw_points, points_most);
        read_score(reader, "bye_points", format.bye_points, points_most);
        read_opponents(reader, entrants_, format);
        if (!format.opponents.empty()) format.seats = format.opponents.size() + 1;
        read_sprt(reader, format);
        if (is_stage) {
            reader.integer("advance", format.advance, 1, many);
            read_ranked_by(reader, format);
        }
        refuse_options_of_others(reader, format.kind);
        read_stages(reader, format);
        reader.no_others();
    }

 private:
    // Solo games are played alone on a leaderboard, else head to head.
    std::size_t seats_of(FormatKind kind) const {
        const bool solo = game_.seats_max == 1;
        if (kind == FormatKind::leaderboard) return solo ? 1 : game_.seats_default;
        if (kind == FormatKind::gauntlet || kind == FormatKind::knockout || solo) return 2;
        return game_.seats_default;
    }

    void read_ranked_by(json::Reader& reader, FormatConfig& format) const {
        if (const auto order = read_tie_break_names(reader, "ranked_by")) format.ranked_by = *order;
    }

    void read_stages(json::Reader& reader, FormatConfig& format) const {
        const auto stages = reader.optional_array("stages");
        for (const auto element : stages.elements()) {
            if (!element.object(R"({"kind": "swiss"})")) continue;
            json::Reader stage(element);
            read(stage, format.stages.emplace_back(), true);
        }
    }

    const engines::GameInfo& game_;
    const std::vector<std::string>& entrants_;
};

}  // namespace

void read_format(json::Reader& tournament, const engines::GameInfo& game,
                 const std::vector<std::string>& entrants, TournamentConfig& config) {
    const bool solo = game.seats_max == 1;
    config.format.kind = solo ? FormatKind::leaderboard : FormatKind::round_robin;
    config.format.seats = game.seats_default;
    config.format.seats_min = game.seats_min;
    const auto object = tournament.optional_object("format");
    if (!object) return;
    json::Reader reader(object);
    FormatReader(game, entrants).read(reader, config.format, false);
}

std::size_t seats_most(const FormatConfig& format) {
    std::size_t most = format.kind == FormatKind::stages ? 0 : format.seats;
    for (const auto& stage : format.stages) most = std::max(most, seats_most(stage));
    return most;
}

}  // namespace referee::config
