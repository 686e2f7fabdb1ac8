#include "referee/grading/rubric/rubric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/limits.h"
#include "referee/game/clock/time.h"
#include "referee/grading/rubric/rubric_sections.h"

namespace referee::rubric {

// More opponents fit in no game's kinds of opponents.
constexpr std::size_t rubric_bots_max = 100;
// Words of a command in a rubric.
constexpr std::size_t run_words_max = 100;
// Of a title, and of an id, of a rubric: a line of a table.
constexpr std::size_t rubric_title_bytes_max = 200;
constexpr std::size_t rubric_id_bytes_max = 32;

std::string_view name_of(const Rule& rule) {
    return std::visit([](const auto& kind) { return kind.name; }, rule);
}

std::span<const std::string_view> rule_names() {
    static constexpr auto names =
        []<typename... Kinds>(std::type_identity<std::variant<Kinds...>>) {
            return std::array{Kinds::name...};
        }(std::type_identity<Rule>());
    return names;
}

bool is_of_runs(const Rule& rule) {
    return std::visit([](const auto& kind) { return judges_runs<std::decay_t<decltype(kind)>>; },
                      rule);
}

std::uint32_t games_of(const Series& series) {
    protocol::json::Document document;
    if (!document.parse(series.tournament)) return 0;
    const auto match = document.root().find("match");
    const auto games = match.find("best_of") ? match.find("best_of") : match.find("games");
    return static_cast<std::uint32_t>(games.unsigned_integer().value_or(0));
}

const Series* Rubric::series_named(std::string_view id) const {
    const auto found = std::ranges::find(series, id, &Series::id);
    return found == series.end() ? nullptr : &*found;
}

std::vector<const Series*> Rubric::judged_by(const Step& step) const {
    std::vector<const Series*> judged;
    for (const auto& id : step.series) {
        if (const auto* const one = series_named(id)) judged.push_back(one);
    }
    return judged;
}

bool Rubric::has_games() const {
    return std::ranges::any_of(series, [](const Series& one) { return !one.runs; });
}

double Rubric::points() const {
    double sum = 0;
    std::map<std::string_view, double> best;
    for (const auto& step : steps) {
        if (step.extra) continue;
        if (step.group.empty()) {
            sum += step.points;
        } else {
            best[step.group] = std::max(best[step.group], step.points);
        }
    }
    for (const auto& [group, points] : best) sum += points;
    return hundredths(sum);
}

double hundredths(double points) {
    constexpr double parts = 100;
    return std::round(points * parts) / parts;
}

// How what was handed in is built: the handout's command, where it has one.

namespace {

constexpr auto build_time_least = std::chrono::seconds(1);
constexpr auto build_time_most = std::chrono::hours(1);

// A line of a shell's, shown on the rubric's page.
std::string line_of(json::Reader& reader, std::string_view member, std::string_view example) {
    const auto given = reader.optional(member);
    if (!given) return {};
    const auto text = given.text();
    if (!text) return {};
    if (text->empty() || !base::is_one_printable_line(*text))
        given.expected("one line of text, such as \"" + std::string(example) + '"');
    return std::string(*text);
}

RubricBuild read_build(const json::Placed& object) {
    RubricBuild build;
    if (!object) return build;
    json::Reader reader(object);
    build.command = line_of(reader, "command", "gcc -O2 *.c -o bot");
    build.within = line_of(reader, "in", "iap");
    build.run = read_command(reader.optional_array("run"), R"(["./iap"])");
    build.kind = line_of(reader, "kind", "snake-challenge");
    Duration time = Duration::zero();
    clock::read_time(reader, "within", time);
    if (reader.has("within")) {
        build.time = time;
        if (time < build_time_least || time > build_time_most)
            reader.wrong("within", "expected 1s to 1h, such as \"2m\"");
    }
    std::uint64_t memory_mb = 0;
    if (reader.has("memory_mb")) {
        reader.integer("memory_mb", memory_mb, protocol::limits::build_memory_mb_min,
                       protocol::limits::build_memory_mb_max);
        build.memory_mb = memory_mb;
    }
    reader.no_others();
    return build;
}

constexpr std::int64_t seed_most = UINT32_MAX;
// All mistakes are told at once, and each member is known.
constexpr json::ReadingRules rubric_rules{.keeps_all = true, .remembers_names = true};

const engines::Game* read_game(json::Reader& root, const engines::Registry& known, Rubric& rubric) {
    std::vector<std::string_view> games;
    for (const auto& game : known.games()) games.push_back(game->info().id);
    const auto which = root.member("game").word(games);
    if (!which) return nullptr;
    rubric.game = games[*which];
    return known.games()[*which].get();
}

// The values are checked with the config that is made of them.
void read_limits(json::Reader& root, Rubric& rubric) {
    const auto object = root.optional_object("limits");
    if (!object) return;
    json::Reader limits(object);
    limits.only(
        {"memory_mb", "processes", "disk_mb", "start_within", "lifetime", "freeze_between_turns"});
    rubric.limits = object.view().json_text();
}

void read_late(json::Reader& root, Rubric& rubric) {
    const auto object = root.optional_object("late");
    if (!object) return;
    json::Reader reader(object);
    LateRule late;
    clock::read_time(reader, "grace", late.grace);
    bool zero = false;
    reader.boolean("zero", zero);
    const auto points = reader.optional("points_per_day");
    if (points) late.points = points.number(rubric_points_min, rubric_points_max).value_or(0);
    late.zero = !points;
    if (static_cast<bool>(points) == zero)
        object.wrong(
            "expected what lateness costs, {\"points_per_day\": 5} or {\"zero\": true}; found " +
            std::string(zero ? "both" : "neither"));
    reader.no_others();
    rubric.late = late;
}

void read_pass(json::Reader& root, bool steps_are_good, Rubric& rubric) {
    const auto pass = root.optional("pass");
    if (!pass) return;
    rubric.pass = pass.number(0, rubric_points_max * rubric_steps_max).value_or(0);
    if (steps_are_good && rubric.pass > rubric.points()) {
        std::string most;
        json::Writer(most).real(rubric.points());
        pass.expected("at most the " + most +
                      " points that the steps can give together, without extra credit");
    }
}

void read_all(json::Reader& root, const std::string& directory, Rubric& rubric) {
    root.optional("$schema");  // for editors
    rubric.title = read_title(root, "Light Cycles, phase 1");
    const engines::Registry known;
    RubricContext around{read_game(root, known, rubric), {}, directory};
    root.integer("seed", rubric.seed, 0, seed_most);
    read_limits(root, rubric);
    clock::read_time(root, "time_max", rubric.time_max);
    if (rubric.time_max <= Duration::zero())
        root.wrong("time_max", "expected more than no time, such as \"20m\"");
    read_late(root, rubric);
    rubric.build = read_build(root.optional_object("build"));
    around.bots = read_bots(root.optional_array("bots"), rubric);
    const auto series = root.optional_array("series");
    read_series(series, around, rubric);
    const auto steps = root.array("steps", "[{\"id\": \"legal\", ...}]");
    const auto before = root.mistakes().count();
    read_steps(steps, rubric);
    const bool steps_are_good = root.mistakes().count() == before;
    check_rules(steps, around, rubric);
    check_needs(steps, rubric);
    check_groups(steps, rubric);
    check_use_of_series(series, rubric);
    read_pass(root, steps_are_good, rubric);
    root.no_others();
}

}  // namespace

base::Result<Rubric, std::vector<json::Mistake>> read_rubric(std::string_view text,
                                                             const std::string& directory) {
    json::Mistakes mistakes(rubric_rules);
    json::Document document;
    if (const auto parsed = document.parse(text, {.comments = true, .lines = true}); !parsed)
        mistakes.add(parsed.error().line, "", parsed.error().message);
    else if (!document.root().is_object())
        mistakes.add(1, "", "expected an object such as {\"title\": \"Walls\", \"steps\": [...]}");
    if (mistakes) return base::failure(mistakes.all());
    json::Reader root(document.root(), mistakes);
    Rubric rubric;
    read_all(root, directory, rubric);
    if (mistakes) return base::failure(mistakes.by_lines());
    // Two rubrics that differ only in their layout have the same.
    rubric.hash = "sha256:" + base::hex_of(base::digest_of(document.root().json_text()));
    return rubric;
}

std::vector<std::string> read_bots(const json::Placed& list, Rubric& rubric) {
    std::vector<std::string> names;
    if (list.size() > rubric_bots_max)
        list.wrong(fmt::format("expected at most {} bots", rubric_bots_max));
    for (const auto element : list.elements()) {
        if (!element.object(R"({"name": "dumb", "launch": ["cycles-dumb"]})")) continue;
        json::Reader reader(element);
        std::string name(reader.text("name"));
        if (base::contains(names, name))
            reader.wrong("name",
                         "two bots have the name \"" + name + "\"; expected different ones");
        if (!reader.has("launch") && !reader.has("program"))
            reader.wrong("launch",
                         "missing; each bot of a rubric is launched, such as by [\"cycles-dumb\"]");
        names.push_back(std::move(name));
    }
    if (list) rubric.bots = list.view().json_text();
    return names;
}

std::string read_id(json::Reader& reader, std::string_view example) {
    const auto given = reader.member("id");
    const auto text = given.text();
    if (!text) return {};
    if (text->empty() || text->size() > rubric_id_bytes_max ||
        !std::ranges::all_of(*text, base::is_of_id))
        given.expected(fmt::format("1 to {} letters, digits, - or _, such as \"{}\"",
                                   rubric_id_bytes_max, example));
    return std::string(*text);
}

std::string read_title(json::Reader& reader, std::string_view example) {
    const auto given = reader.member("title");
    const auto text = given.text();
    if (!text) return {};
    if (text->empty() || text->size() > rubric_title_bytes_max ||
        !base::is_one_printable_line(*text))
        given.expected(fmt::format("one line of 1 to {} bytes of printable text, such as \"{}\"",
                                   rubric_title_bytes_max, example));
    return std::string(*text);
}

std::vector<std::string> read_names(json::Reader& reader, std::string_view member) {
    std::vector<std::string> names;
    const auto list = reader.optional_array(member);
    for (const auto element : list.elements()) {
        const auto text = element.text();
        if (!text) continue;
        if (base::contains(names, *text))
            element.wrong('"' + std::string(*text) + "\" stands twice; expected each once");
        names.emplace_back(*text);
    }
    return names;
}

std::vector<std::string> read_command(const json::Placed& list, std::string_view example) {
    std::vector<std::string> words;
    if (!list) return words;
    if (list.size() == 0 || list.size() > run_words_max)
        list.wrong(fmt::format("expected 1 to {} words of a command, such as {}, found {}",
                               run_words_max, example, list.size()));
    for (const auto element : list.elements()) {
        const auto text = element.text();
        if (!text) continue;
        if (text->find('\0') != std::string_view::npos || (words.empty() && text->empty()))
            element.expected("a word of a command, such as " + std::string(example) + " has");
        words.emplace_back(*text);
    }
    return words;
}

std::string in_quotes(const std::vector<std::string>& names) {
    return names.empty() ? "none" : base::joined(names, ", ", base::quoted);
}

}  // namespace referee::rubric
