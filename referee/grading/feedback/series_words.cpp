#include "referee/grading/feedback/series_words.h"

#include <algorithm>

#include "engines/registry.h"
#include "protocol/json/document.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

namespace json = protocol::json;

// As deep as a rubric is read, and no deeper.
constexpr std::size_t series_depth_max = 64;
// Of a list more helps nobody: a board, a hundred seeds.
constexpr std::size_t listed_most = 12;

std::string in_words(json::View value);

std::string members_in_words(json::View object) {
    std::vector<std::string> members;
    for (const auto [name, value] : object.members())
        members.push_back(std::string(name) + ' ' + in_words(value));
    return listed(members);
}

std::string in_words(json::View value) {
    if (!value) return {};
    if (const auto text = value.string()) return std::string(*text);
    if (value.is_object()) return members_in_words(value);
    if (!value.is_array()) {
        std::string text;
        json::Writer writer(text);
        value.write(writer);
        return text;
    }
    if (value.size() > listed_most) return "of " + std::to_string(value.size()) + " parts";
    std::vector<std::string> elements;
    for (const auto element : value.elements()) elements.push_back(in_words(element));
    return listed(elements);
}

// Names of maps where each setup is one, else what each setup says.
std::string setups_in_words(json::View setups) {
    std::vector<std::string> all;
    for (const auto setup : setups.elements()) {
        const auto map = setup.find("map").string() ? setup.find("map") : setup.find("maze");
        all.push_back(map.string() && setup.size() == 1 ? in_words(map) : in_words(setup));
        if (all.back().find('\n') != std::string::npos) return "maps of its own";
    }
    return listed(all);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string run_terms_in_words(const rubric::Runs& runs) {
    using Check = rubric::Runs::Check;
    std::string text =
        "It reads an input from its standard input and prints the answer to its standard output, "
        "once for each input. ";
    if (runs.check == Check::same_lines) text += "The lines are those of the course's own program";
    if (runs.check == Check::any_order)
        text += "The lines are those of the course's own program, in any order";
    if (runs.check == Check::program) text += "A program of the course checks what is printed";
    if (runs.check != Check::program)
        text += "; blanks at the ends of lines and empty lines at the end don't count";
    return text + ". Time: " + verdict::number(std::chrono::duration<double>(runs.time).count()) +
           " s for each.";
}

std::string default_clock_in_words(const engines::DefaultClock& clock) {
    const auto time = [](std::int64_t us) {
        return verdict::number(static_cast<double>(us) / 1e6) + " s";
    };
    const std::string of =
        clock.measure == base::Measure::cpu ? " of processor time" : " of wall time";
    switch (clock.kind) {
        case base::ClockKind::turn:
            return time(clock.budget_us) + of + " for each turn";
        case base::ClockKind::game:
            return time(clock.budget_us) + of + " for the whole game";
        default:
            return "as the game's rules say, and at most " + time(clock.hard_limit_us) +
                   " for each turn";
    }
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool is_last = i + 1 == names.size();
        text += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
    }
    return text;
}

std::uint32_t games_of(const rubric::Series& series, const std::string& game) {
    if (series.as_good_as || series.runs) return 0;
    if (const auto stated = rubric::games_of(series); stated > 0) return stated;
    const engines::Registry registry;
    const auto* const rules = registry.find(game);
    return rules == nullptr ? 0 : rules->info().match.games;
}

std::string games_in_words(const rubric::Series& series, const std::string& game) {
    std::string text;
    if (series.runs) return "runs of " + joined(series.runs->command);
    if (series.as_good_as) {
        text = "at most " + verdict::count(series.as_good_as->matches_max, "match");
        if (series.as_good_as->matches_max != 1) text.insert(text.size() - 1, "e");
    } else {
        text = verdict::count(games_of(series, game), "game");
    }
    if (!series.opponents.empty()) text += " against " + listed(series.opponents);
    if (!series.references.empty())
        text += ", which " + listed(series.references) +
                (series.references.size() == 1 ? " plays" : " play") + " as well";
    return text;
}

std::string reference_in_words(const rubric::Runs& runs) {
    auto text = "Expected is what " + joined(runs.reference) + " prints, with the inputs of " +
                runs.inputs + '.';
    if (runs.check == rubric::Runs::Check::program)
        text += " Checked by " + joined(runs.checker) + '.';
    return text;
}

std::string terms_in_words(const rubric::Series& series, const std::string& game) {
    if (series.runs) return run_terms_in_words(*series.runs);
    json::Document document;
    if (!document.parse(series.tournament, {.depth_max = series_depth_max})) return {};
    const auto root = document.root();
    std::string text;
    const auto add = [&](std::string_view heading, const std::string& words) {
        if (words.empty()) return;
        text += (text.empty() ? "" : " ") + std::string(heading) + ": " + words + '.';
    };
    add("Params", in_words(root.find("params")));
    add("Begun from", setups_in_words(root.find("setups")));
    if (const auto seeds = root.find("match").find("seeds").size(); seeds > 0)
        add("Seeds", "the same " + std::to_string(seeds) + " for everybody");
    const engines::Registry registry;
    const auto* const rules = registry.find(game);
    if (root.find("clock")) {
        add("Time", in_words(root.find("clock")));
    } else if (rules != nullptr) {
        add("Time", default_clock_in_words(rules->info().clock));
    }
    return text;
}

}  // namespace referee::grading
