// What a series is: games of the program that is graded, with the same opponents, perhaps on maps
// that nobody has seen, made by a seed whenever the rubric is read; or runs: another program of the
// submission, with a file for each run.

#include <array>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "referee/game/clock/time.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/rubric/rubric_sections.h"

namespace referee::rubric {

namespace {

// Maps or mazes that a series has made for it: a long evening of games, and some seconds to make.
constexpr std::uint32_t rubric_maps_max = 200;

constexpr auto time_most = std::chrono::hours(1);
constexpr std::string_view any_order = "any_order";
constexpr std::string_view run_command_example = R"(["./sb-read", "8", "10"])";
constexpr std::string_view checker_example = R"(["sb-check-sets", "8", "10"])";

void read_check(json::Reader& reader, Runs& runs) {
    const auto check = reader.optional("check");
    if (!check) return;
    if (check.view().is_array()) {
        runs.check = Runs::Check::program;
        runs.checker = read_command(check, checker_example);
    } else if (check.view().string() == any_order) {
        runs.check = Runs::Check::any_order;
    } else {
        check.expected(
            "\"any_order\", a checker's command such as [\"sb-check-sets\", \"8\", \"10\", \"5\", "
            "\"pbyrg\"], or no such member for the same lines");
    }
}

// Setups with the maps that a series has made for it; the same seed makes the same.
std::vector<std::string> read_generated(json::Reader& series, const RubricContext& around,
                                        std::uint64_t seed) {
    const auto object = series.optional_object("generated");
    if (!object) return {};
    const auto before = object.mistakes().count();
    json::Reader reader(object);
    engines::GenerateRequest request;
    request.type = reader.text("type");
    std::uint32_t count = 1;
    reader.integer("count", count, 1, rubric_maps_max, "5");
    for (const auto& [name, side] :
         {std::pair{"rows", &request.rows}, std::pair{"columns", &request.columns}}) {
        if (const auto given = reader.optional_integer(name, {1}))
            *side = static_cast<std::size_t>(*given);
    }
    reader.no_others();
    if (series.has("setups") || series.has("maps"))
        object.wrong(
            "its games have the maps that are made; expected no \"setups\" and no \"maps\" beside "
            "it");
    const auto* const maps = around.game == nullptr ? nullptr : around.game->maps();
    if (around.game != nullptr && maps == nullptr)
        object.wrong("the game " + std::string(around.game->info().id) + " has no maps");
    if (maps == nullptr || object.mistakes().count() > before) return {};
    base::SplitMix seeds(seed);
    std::vector<std::string> setups;
    for (std::uint32_t i = 0; i < count; ++i) {
        request.seed = static_cast<std::uint32_t>(seeds.next());
        const auto made = maps->generate(request);
        if (!made) {
            const auto& member = made.error().member;
            reader.wrong(member.empty() ? "type" : member, made.error().message);
            return {};
        }
        setups.push_back(maps->params_for_text(*made));
    }
    return setups;
}

// The runs of a series that has them.
Runs read_runs(const json::Placed& object, const std::string& directory) {
    Runs runs;
    if (!object) return runs;
    json::Reader reader(object);
    const auto command = reader.array("command", R"(["./sb-read", "8", "10", "5", "pbyrg"])");
    if (command) runs.command = read_command(command, run_command_example);
    const auto reference = reader.array("reference", R"(["sb-read", "8", "10", "5", "pbyrg"])");
    if (reference) runs.reference = read_command(reference, run_command_example);
    const auto inputs = reader.member("inputs").text();
    if (inputs && inputs->empty()) reader.wrong("inputs", "expected a folder, such as \"boards\"");
    if (inputs) runs.inputs = absolute(*inputs, directory);
    read_check(reader, runs);
    clock::read_time(reader, "time", runs.time);
    if (runs.time <= Duration::zero() || runs.time > time_most)
        reader.wrong("time", "expected more than no time and at most 1h, such as \"10s\"");
    reader.no_others();
    return runs;
}

constexpr std::uint32_t matches_most = 10'000;
// A share beyond these says nothing: one match would decide.
constexpr double fair_least = 0.01;
constexpr double fair_most = 0.99;
// A chance of one half is no promise, and one of a millionth takes games without end.
constexpr double chance_least = 1e-6;
constexpr double chance_most = 0.5;

void read_as_good_as(json::Reader& series, Series& into) {
    const auto object = series.optional_object("as_good_as");
    if (!object) return;
    json::Reader reader(object);
    AsGoodAs test;
    reader.number("fair", test.fair, fair_least, fair_most);
    reader.number("worse", test.worse, fair_least, fair_most);
    reader.number("fails_fair", test.fails_fair, chance_least, chance_most);
    reader.number("passes_worse", test.passes_worse, chance_least, chance_most);
    reader.integer("matches_max", test.matches_max, 1, matches_most, "200");
    reader.no_others();
    if (test.worse >= test.fair)
        reader.wrong("worse", "expected less than \"fair\", such as 0.35 beside 0.5");
    if (into.opponents.empty())
        object.wrong("needs \"opponents\" to be as good as; expected some beside it");
    into.as_good_as = test;
}

// What goes into a config's tournament as it stands. Only its kinds are checked here.
enum class Is : std::uint8_t { object, array, text, any };
struct TournamentMember {
    std::string_view name;
    Is is;
};
constexpr std::array<TournamentMember, 8> of_tournament{{{"params", Is::object},
                                                         {"setups", Is::array},
                                                         {"maps", Is::text},
                                                         {"match", Is::object},
                                                         {"clock", Is::object},
                                                         {"seed", Is::any},
                                                         {"ready", Is::any},
                                                         {"faults", Is::object}}};

// `made` are the setups that were made for it.
void read_tournament(json::Reader& reader, const std::string& directory,
                     const std::vector<std::string>& made, Series& into) {
    into.tournament.clear();
    json::Writer writer(into.tournament);
    writer.begin_object();
    for (const auto& [name, is] : of_tournament) {
        const auto given = reader.optional(name);
        if (!given) continue;
        if (is == Is::object && !given.object("{...}")) continue;
        if (is == Is::array && !given.array("[{...}]")) continue;
        if (is == Is::text) {
            const auto path = given.text();
            if (path) writer.key(name).string(absolute(*path, directory));
            continue;
        }
        writer.key(name);
        given.view().write(writer);
    }
    if (!made.empty()) {
        writer.key("setups").begin_array();
        for (const auto& setup : made) writer.raw(setup);
        writer.end_array();
        if (!reader.has("match"))
            writer.key("match").begin_object().member("games", made.size()).end_object();
    }
    writer.end_object();
}

void check_names(json::Reader& reader, std::string_view member,
                 const std::vector<std::string>& names, const RubricContext& around) {
    for (const auto& name : names) {
        if (!base::contains(around.bots, name))
            reader.wrong(member, "\"" + name + "\" is none of the rubric's bots" +
                                     base::did_you_mean(name, around.bots) +
                                     "; expected some of: " + in_quotes(around.bots));
    }
}

void check_seats(json::Reader& reader, const engines::GameInfo& game, const Series& series) {
    const auto seats = series.opponents.size() + 1;
    if (game.seats_max == 1 && seats > 1) {
        reader.wrong("opponents", "a game of " + std::string(game.id) +
                                      " has one player; expected \"references\" instead, or none");
    } else if (seats < game.seats_min || seats > game.seats_max) {
        const auto least = std::to_string(game.seats_min - 1) + " to ";
        reader.wrong(
            "opponents",
            fmt::format("expected {}{}, as the game has so many seats beside its own, found {}",
                        game.seats_min < game.seats_max ? least : "",
                        base::counted(game.seats_max - 1, "opponent"), series.opponents.size()));
    }
    if (game.seats_max > 1 && !series.references.empty())
        reader.wrong("references",
                     "only a game for one player has them: elsewhere nobody plays the same games; "
                     "expected \"opponents\"");
}

void read_games(json::Reader& reader, const RubricContext& around, const Rubric& rubric,
                Series& series) {
    series.opponents = read_names(reader, "opponents");
    series.references = read_names(reader, "references");
    check_names(reader, "opponents", series.opponents, around);
    check_names(reader, "references", series.references, around);
    if (around.game != nullptr) check_seats(reader, around.game->info(), series);
    read_as_good_as(reader, series);
    // Of maps that are made: no two series have the same.
    const auto seed = reader.given("seed").unsigned_integer().value_or(rubric.seed);
    const auto made =
        read_generated(reader, around, base::SplitMix::mixed(seed) + rubric.series.size());
    read_tournament(reader, around.directory, made, series);
}

// Runs stand in place of games, so nothing of games stands beside them.
void read_runs_alone(json::Reader& reader, const RubricContext& around, Series& series) {
    const auto refuse = [&reader](std::string_view member) {
        if (reader.optional(member))
            reader.wrong(member,
                         "is of games, and the series has \"runs\" in place of games; expected one "
                         "of both, in two series where both are wanted");
    };
    for (const auto* member : {"opponents", "references", "as_good_as", "generated"})
        refuse(member);
    for (const auto& member : of_tournament) refuse(member.name);
    series.runs = read_runs(reader.optional_object("runs"), around.directory);
}

void read_one_series(json::Reader& reader, const RubricContext& around, Rubric& rubric) {
    Series series;
    series.id = read_id(reader, "against-dumb");
    if (!series.id.empty() && rubric.series_named(series.id) != nullptr)
        reader.wrong("id", "two series have the id \"" + series.id + "\"; expected different ids");
    if (reader.has("runs")) {
        read_runs_alone(reader, around, series);
    } else {
        read_games(reader, around, rubric, series);
    }
    reader.boolean("hidden", series.hidden);
    reader.no_others();
    rubric.series.push_back(std::move(series));
}

}  // namespace

std::string absolute(std::string_view path, const std::string& directory) {
    if (path.starts_with('/') || directory.empty()) return std::string(path);
    return directory + (directory.ends_with('/') ? "" : "/") + std::string(path);
}

void read_series(const json::Placed& list, const RubricContext& around, Rubric& rubric) {
    if (list.size() > rubric_series_max) {
        list.wrong(
            fmt::format("expected at most {} series, found {}", rubric_series_max, list.size()));
        return;
    }
    for (const auto element : list.elements()) {
        element.object(R"({"id": "against-dumb", "opponents": ["dumb"]})");
        json::Reader reader(element);
        if (element.view().is_object()) {
            read_one_series(reader, around, rubric);
        } else {
            rubric.series.emplace_back();  // so that each keeps its index
        }
    }
}

}  // namespace referee::rubric
