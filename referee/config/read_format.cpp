// Who plays whom: a tournament's format with its options.

#include <algorithm>
#include <type_traits>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/config/config_sections.h"

namespace referee::config {
namespace {

constexpr std::int64_t many = 1'000'000;
constexpr std::int64_t cycles_most = 100'000;
constexpr auto points_most = engines::Score::whole(1'000'000);
constexpr std::int64_t extra_games_most = 100;
constexpr double elo_most = 10'000;
constexpr double certain = 1;  // of probabilities
constexpr std::int64_t adaptive_matches_most = 1'000'000'000;
// A sequential test mostly ends by itself; this ends it where the two are as strong as between its
// bounds.
constexpr std::uint32_t matches_tested_most = 10'000;

using formats::FormatConfig;
using formats::FormatKind;

// Options that only some formats have: an option that would change nothing is a mistake.
struct Option {
    std::string_view name;
    std::vector<FormatKind> kinds;
};
const std::vector<Option>& options() {
    using enum FormatKind;
    static const std::vector<Option> all{
        {"seats", {round_robin, swiss, ladder, gauntlet}},
        {"seats_min", {swiss, ladder}},
        {"cycles", {round_robin, gauntlet}},
        {"swap_last_rounds", {round_robin}},
        {"rounds", {swiss}},
        {"accelerated", {swiss}},
        {"keep_teams_apart", {swiss}},
        {"colours", {swiss}},
        {"forbidden_pairs", {swiss}},
        {"draw_numbers", {round_robin, swiss, knockout}},
        {"double_elimination", {knockout}},
        {"third_place_match", {knockout}},
        {"second_final", {knockout}},
        {"extra_games", {knockout}},
        {"opponents", {leaderboard}},
        {"sprt", {gauntlet}},
        {"stages", {stages}},
        {"question", {adaptive}},
        {"top", {adaptive}},
        {"better_than", {adaptive}},
        {"confidence", {adaptive}},
        {"margin", {adaptive}},
        {"matches", {adaptive}},
        {"time", {adaptive}},
        {"opening", {adaptive}},
    };
    return all;
}

// Where the kind is none of ours, nobody knows whose options these are.
void refuse_options_of_others(json::Reader& reader, FormatKind kind, bool is_known) {
    for (const auto& option : options()) {
        static_cast<void>(reader.optional(option.name));  // known, though another format's
        const auto& have = option.kinds;
        if (!is_known || !reader.has(option.name) || base::contains(have, kind)) continue;
        const auto names =
            base::joined(have, " or ", [](FormatKind each) { return base::quoted(name_of(each)); });
        reader.wrong(option.name, "only a format of kind " + names + " has it, and this is a " +
                                      base::quoted(name_of(kind)));
    }
}

std::string no_bot_of_it(const std::string& name, const std::vector<std::string>& entrants) {
    return "\"" + name + "\" is not one of the tournament's bots" +
           base::did_you_mean(name, entrants);
}

// The bot's place in the tournament's own list; nothing where it isn't there, which is told.
std::optional<std::size_t> place_of(json::Reader& reader, std::string_view member,
                                    const std::string& name,
                                    const std::vector<std::string>& entrants) {
    const auto found = std::ranges::find(entrants, name);
    if (found != entrants.end()) return static_cast<std::size_t>(found - entrants.begin());
    reader.wrong(member, no_bot_of_it(name, entrants));
    return std::nullopt;
}

void read_opponents(json::Reader& reader, const std::vector<std::string>& entrants,
                    formats::LeaderboardOptions& options) {
    std::vector<std::string> names;
    reader.texts("opponents", names);
    for (const auto& name : names) {
        const auto place = place_of(reader, "opponents", name, entrants);
        if (!place) continue;
        options.opponents.push_back(*place);
        options.opponent_names.push_back(name);
    }
}

// ["alice", "bob"], or {"bots": ["alice", "bob", "carol"], "first_round": 1, "last_round": 3}.
// `known`: who may be named; empty: anybody.
void read_forbidden_pairs(json::Reader& reader, const std::vector<std::string>& known,
                          formats::SwissOptions& options) {
    const auto list = reader.optional_array("forbidden_pairs");
    for (const auto element : list.elements()) {
        auto& pairs = options.forbidden_pairs.emplace_back();
        auto names = element.view();
        if (names.is_object()) {
            json::Reader members(element);
            names = members.optional("bots").view();
            members.integer("first_round", pairs.first_round, 1, many);
            members.integer("last_round", pairs.last_round, 1, many);
            members.no_others();
        }
        for (const auto name : names.elements()) pairs.bots.emplace_back(name.text());
        if (pairs.bots.size() < 2) {
            element.expected(R"(bots that never meet, such as ["alice", "bob"], or {"bots": )"
                             R"(["alice", "bob"], "first_round": 1, "last_round": 3})");
            options.forbidden_pairs.pop_back();
            continue;
        }
        for (const auto& bot : pairs.bots) {
            if (!known.empty() && !base::contains(known, bot))
                reader.wrong("forbidden_pairs", no_bot_of_it(bot, known));
        }
    }
}

void read_sprt(json::Reader& reader, formats::GauntletOptions& options) {
    const auto object = reader.optional_object("sprt");
    if (!object) return;
    auto& bounds = options.sprt.emplace();
    json::Reader sprt(object);
    sprt.number("elo0", bounds.elo0, -elo_most, elo_most);
    sprt.number("elo1", bounds.elo1, -elo_most, elo_most);
    sprt.number("alpha", bounds.alpha, 0, certain);
    sprt.number("beta", bounds.beta, 0, certain);
    read_word(sprt, "elo", {"match", "game"}, bounds.elo);
    sprt.no_others();
    if (!reader.has("cycles")) options.cycles = matches_tested_most;
}

// The question: "first", "top" with how many, "order", or "better_than" with whom.
void read_question(json::Reader& reader, const std::vector<std::string>& entrants,
                   formats::AdaptiveOptions& options) {
    using formats::Question;
    constexpr std::size_t first = 0;
    constexpr std::size_t top = 1;
    constexpr std::size_t order = 2;
    const auto which = reader.optional_word("question", {"first", "top", "order", "better_than"});
    const auto question = which.value_or(first);
    const auto only_with = [&](std::string_view member, bool is_its) {
        if (reader.has(member) && !is_its)
            reader.wrong(member, "only \"question\": \"" + std::string(member) + "\" has it");
        if (!reader.has(member) && is_its)
            reader.wrong("question", "expected \"" + std::string(member) +
                                         "\" beside it, such as \"top\": 10 or \"better_than\": "
                                         "\"reference\"");
    };
    only_with("top", question == top);
    only_with("better_than", question > order);
    reader.integer("top", options.top, 1, many);
    std::string name;
    reader.text("better_than", name);
    if (question == order) options.question = Question::order;
    if (question <= order || name.empty()) return;
    options.question = Question::better_than;
    if (const auto place = place_of(reader, "better_than", name, entrants)) {
        options.better_than = *place;
        options.better_than_name = name;
    }
}

void read_adaptive(json::Reader& reader, const std::vector<std::string>& entrants,
                   formats::AdaptiveOptions& options) {
    read_question(reader, entrants, options);
    reader.number("confidence", options.confidence, 0, certain);
    reader.number("margin", options.margin, 0, certain);
    reader.integer("matches", options.matches, 1, adaptive_matches_most);
    read_time(reader, "time", options.time);
    reader.integer("opening", options.opening, 1, many);
}

class FormatReader {
 public:
    FormatReader(const engines::GameInfo& game, const std::vector<std::string>& entrants,
                 const std::vector<std::string>& known)
        : game_(game), entrants_(entrants), known_(known) {}

    void read(json::Reader& reader, FormatConfig& format) const {
        const bool is_known = read_own(reader, format);
        read_rest(reader, format, is_known);
    }

    // The default options for this game.
    formats::FormatOptions usual(FormatKind kind) const {
        constexpr std::size_t head_to_head = 2;
        const bool solo = game_.seats_max == 1;
        return formats::options_of(kind, solo ? head_to_head : game_.seats_default,
                                   solo ? head_to_head : game_.seats_min);
    }

 private:
    // Reads all but the stages that it may be made of. Members that only other kinds have are known
    // too. False where the kind is none of ours.
    bool read_own(json::Reader& reader, FormatConfig& format) const {
        std::vector<std::string_view> names;
        for (std::size_t i = 0; i < std::variant_size_v<formats::FormatOptions>; ++i)
            names.push_back(formats::name_of(static_cast<FormatKind>(i)));
        const auto which = reader.optional_word("kind", names);
        format.options = usual(which ? static_cast<FormatKind>(*which) : format.kind());
        std::visit([&](auto& its) { read_size(reader, its); }, format.options);
        std::visit([&](auto& its) { read_manner(reader, its); }, format.options);
        // Where a win is worth nothing, nobody can be better than another.
        read_score(reader, "win_points", format.win_points,
                   {engines::Score::halves(1), points_most});
        read_score(reader, "draw_points", format.draw_points, {{}, points_most});
        read_score(reader, "bye_points", format.bye_points, {{}, points_most});
        if (auto* leaderboard = std::get_if<formats::LeaderboardOptions>(&format.options))
            read_opponents(reader, entrants_, *leaderboard);
        if (auto* gauntlet = std::get_if<formats::GauntletOptions>(&format.options)) {
            reader.integer("seats", gauntlet->match_seats, 2, std::int64_t{engines::seats_max});
            read_sprt(reader, *gauntlet);
        }
        if (auto* adaptive = std::get_if<formats::AdaptiveOptions>(&format.options))
            read_adaptive(reader, entrants_, *adaptive);
        if (auto* swiss = std::get_if<formats::SwissOptions>(&format.options))
            read_forbidden_pairs(reader, known_, *swiss);
        return which || !reader.has("kind");
    }

    template <typename Options>
    static void read_size(json::Reader& reader, Options& its) {
        constexpr auto seats_most = static_cast<std::int64_t>(engines::seats_max);
        if constexpr (requires { its.seats; }) reader.integer("seats", its.seats, 1, seats_most);
        if constexpr (requires { its.seats_min; })
            reader.integer("seats_min", its.seats_min, 2, seats_most);
        if constexpr (requires { its.cycles; })
            reader.integer("cycles", its.cycles, 1, cycles_most);
        if constexpr (requires { its.rounds; }) reader.integer("rounds", its.rounds, 1, many);
    }

    template <typename Options>
    static void read_manner(json::Reader& reader, Options& its) {
        if constexpr (requires { its.draw_numbers; })
            reader.boolean("draw_numbers", its.draw_numbers);
        if constexpr (requires { its.swap_last_rounds; })
            reader.boolean("swap_last_rounds", its.swap_last_rounds);
        if constexpr (std::is_same_v<Options, formats::SwissOptions>) {
            reader.boolean("keep_teams_apart", its.keep_teams_apart);
            reader.boolean("accelerated", its.accelerated);
            reader.boolean("colours", its.colours);
        }
        if constexpr (std::is_same_v<Options, formats::KnockoutOptions>) {
            reader.boolean("double_elimination", its.double_elimination);
            reader.boolean("third_place_match", its.third_place_match);
            reader.boolean("second_final", its.second_final);
            reader.integer("extra_games", its.extra_games, 0, extra_games_most);
        }
    }

    void read_rest(json::Reader& reader, FormatConfig& format, bool is_known) const {
        refuse_options_of_others(reader, format.kind(), is_known);
        if (auto* stages = std::get_if<formats::StagesOptions>(&format.options))
            read_stages(reader, *stages);
        reader.no_others();
    }

    void read_stages(json::Reader& reader, formats::StagesOptions& options) const {
        const auto stages = reader.optional_array("stages");
        for (const auto element : stages.elements()) {
            if (!element.object(R"({"kind": "swiss"})")) continue;
            json::Reader members(element);
            auto& stage = options.stages.emplace_back();
            const bool is_known = read_own(members, stage.format);
            members.integer("advance", stage.advance, 1, many);
            if (const auto order = read_tie_break_names(members, "ranked_by"))
                stage.ranked_by = *order;
            read_rest(members, stage.format, is_known);
        }
    }

    const engines::GameInfo& game_;
    const std::vector<std::string>& entrants_;
    const std::vector<std::string>& known_;  // who may enter; empty: anybody
};

// Who may come to the field that a ladder gives; empty: anybody.
std::vector<std::string> who_may_come(const Config& config) {
    std::vector<std::string> names;
    const auto& registration = config.registration;
    if (!registration.class_roster && !registration.password.empty()) return names;
    for (const auto& bot : config.bots) names.push_back(bot.name);
    if (registration.class_roster) {
        for (const auto& student : registration.class_roster->students())
            names.push_back(student.name);
    }
    return names;
}

}  // namespace

void read_format(json::Reader& tournament, const engines::GameInfo& game, const Config& all,
                 TournamentConfig& config) {
    std::vector<std::string> entrants;
    for (const auto index : config.bots) entrants.push_back(all.bots[index].name);
    const auto known = tournament.has("field") ? who_may_come(all) : entrants;
    const FormatReader format(game, entrants, known);
    const bool solo = game.seats_max == 1;
    config.format.options = format.usual(solo ? FormatKind::leaderboard : FormatKind::round_robin);
    const auto object = tournament.optional_object("format");
    if (!object) return;
    json::Reader reader(object);
    format.read(reader, config.format);
}

std::size_t seats_most(const FormatConfig& format) {
    if (format.as<formats::StagesOptions>() == nullptr) return formats::seats_of(format);
    std::size_t most = 0;
    for (const auto& stage : formats::stages_of(format))
        most = std::max(most, seats_most(stage.format));
    return most;
}

std::optional<std::vector<standings::TieBreak>> read_tie_break_names(json::Reader& reader,
                                                                     std::string_view member) {
    std::vector<std::string> names;
    reader.texts(member, names);
    if (!reader.has(member)) return std::nullopt;
    std::vector<standings::TieBreak> order;
    for (const auto& name : names) {
        const auto tie_break = standings::tie_break_named(name);
        if (!tie_break) {
            std::string known;
            for (const auto& each : standings::tie_break_names)
                known += " " + std::string(each.name);
            reader.wrong(member, "\"" + name + "\" is no tie-break; expected some of:" + known);
        } else if (base::contains(order, *tie_break)) {
            reader.wrong(member, "\"" + name + "\" stands twice");
        } else {
            order.push_back(*tie_break);
        }
    }
    return order;
}

}  // namespace referee::config
