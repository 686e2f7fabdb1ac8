#include "referee/grading/games/grading_plan.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/config/config_sections.h"
#include "referee/grading/verdict/pass_probability.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/tournament/config_limits.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;
using rubric::Rubric;
using rubric::Series;

// Of a tournament's id: enough that no two of a store are ever the same by chance.
constexpr std::size_t hash_digits = 12;
// Of a player's and a series' name in such an id, which people read: bots must be able to say the
// ids of its games, of protocol::limits::game_id_bytes_max bytes at most.
constexpr std::size_t readable_max = 14;
// A launched opponent of ours comes at once or not at all.
constexpr const char* no_show_after = "30s";

// A text of our own making.
void parse(json::Document& document, const std::string& text) {
    const auto parsed = document.parse(text);
    REFEREE_ASSERT(parsed);
}

// Between an opponent's name and its lane: the lanes beyond the first have bots of their own.
constexpr const char* lane_mark = "@";
std::string in_lane(const std::string& bot, std::size_t lane) {
    return lane == 0 ? bot : fmt::format("{}{}{}", bot, lane_mark, lane + 1);
}

std::string digest(std::string_view text) {
    return base::hex_of(base::digest_of(text)).substr(0, hash_digits);
}

// As it may stand in a tournament's id: letters, digits, - and _, and not too long. What is left
// out is in the digest behind it.
std::string readable(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (base::is_of_id(c) && text.size() < readable_max) text += c;
    }
    return text;
}

// Makes the config of the games part by part: each is read as a config's is, and what is wrong with
// it is told where the rubric has it.
class GamePlanning {
 public:
    GamePlanning(const Rubric& rubric, std::span<const GradedSubmission> submissions,
                 const PlanTerms& terms)
        : rubric_(rubric),
          submissions_(submissions),
          terms_(terms),
          lanes_(std::max<std::size_t>(terms.lanes, 1)) {
        plan_.config.file = terms.out + "/games.json";
        plan_.config.port = 0;
        parse(limits_, rubric.limits);
    }

    base::Result<Plan, std::vector<std::string>> plan() {
        for (const auto& submission : submissions_)
            if (submission.is_played()) add_submission(submission);
        for (std::size_t lane = 0; lane < lanes_; ++lane) add_own_bots(lane);
        for (const auto& submission : submissions_)
            for (std::size_t i = 0; i < rubric_.series.size() && submission.is_played(); ++i)
                if (!rubric_.series[i].runs)
                    add_tournament(i, submission.player, false, lane_of(submission.name));
        // Nobody has games, or nobody can play: then references have nobody to be compared with.
        if (plan_.series.empty()) return Plan{};
        for (std::size_t i = 0; i < rubric_.series.size(); ++i)
            for (const auto& reference : rubric_.series[i].references)
                add_tournament(i, reference, true, 0);
        if (!mistakes_.empty()) return base::failure(mistakes_);
        config::warn_of_tiny_budgets(plan_.config);
        config::warn_of_short_budgets(plan_.config);
        return std::move(plan_);
    }

 private:
    // Reads one bot, or one tournament. `place_of` says what stands before a member's name where
    // that is wrong: "series[0].".
    template <typename PlaceOf>
    void add(const std::string& part, decltype(config::read_bots)& read, PlaceOf place_of) {
        constexpr std::size_t before_member = 4;  // "[0]."
        json::Document list;
        parse(list, '[' + part + ']');
        json::Mistakes mistakes(config::config_rules);
        read(json::Placed(list.root(), mistakes), fs::current_path().string(), plan_.config);
        for (const auto& mistake : mistakes.by_lines()) {
            // What stands in a bot in place of something else may be a secret.
            const bool is_told =
                mistake.kind != json::MistakeKind::wrong_kind || read != config::read_bots;
            const auto member = mistake.path.substr(before_member);
            auto told = place_of(member) + member + ": " +
                        (is_told ? mistake.message
                                 : "expected " + mistake.expected + ", found " +
                                       std::string(json::describe(mistake.found)));
            if (!base::contains(mistakes_, told)) mistakes_.push_back(std::move(told));
        }
    }

    void add_submission(const GradedSubmission& submission) {
        json::Document bot;
        parse(bot, submission.bot);
        const auto limits = limits_.root();
        const auto text = json::object_text([&](json::Writer& writer) {
            writer.member("name", submission.player).member("lifetime", "match");
            for (const auto member : bot.root().members())
                if (!limits.find(member.name)) member.write(writer);
            for (const auto member : limits.members()) member.write(writer);
        });
        add(text, config::read_bots, [&](const std::string& member) {
            return limits.find(member) ? "limits." : "submission " + submission.name + ": ";
        });
    }

    // Opponents and references of the rubric; paths of theirs are meant from its folder.
    void add_own_bots(std::size_t lane) {
        json::Document own_bots;
        parse(own_bots, rubric_.bots);
        std::size_t index = 0;
        for (const auto bot : own_bots.root().elements()) {
            const auto name = in_lane(std::string(bot.find("name").text()), lane);
            const auto text = json::object_text([&](json::Writer& writer) {
                writer.member("name", name);
                write_own_bot(writer, bot, {"name"}, terms_.rubric_folder);
            });
            const auto place = fmt::format("bots[{}].", index++);
            add(text, config::read_bots, [&place](const auto& /*member*/) { return place; });
        }
    }

    // Its own doing, whoever else is graded beside it: so another submission changes nothing for
    // it.
    std::size_t lane_of(const std::string& name) const {
        std::size_t number = 0;
        for (const char digit : digest(name))
            number = number * 31 + static_cast<unsigned char>(digit);
        return number % lanes_;
    }

    void add_tournament(std::size_t index, const std::string& player, bool of_reference,
                        std::size_t lane) {
        const auto& series = rubric_.series[index];
        plan_.series.push_back({series.id, player, of_reference, plan_.series.size()});
        const auto opponent = [lane](const std::string& bot) { return in_lane(bot, lane); };
        json::Document own;
        parse(own, series.tournament);
        std::string text;
        json::Writer writer(text);
        // Its id is short, whatever the player is called; see name_by_contents().
        writer.begin_object()
            .member("id", digest(player + '\n' + series.id))
            .member("game", rubric_.game);
        writer.key("bots").begin_array().string(player);
        for (const auto& bot : series.opponents) writer.string(opponent(bot));
        writer.end_array();
        if (!own.root().find("seed")) writer.member("seed", rubric_.seed);
        for (const auto member : own.root().members()) member.write(writer);
        writer.key("format").begin_object();
        if (const auto& test = series.as_good_as) {
            const auto limits = verdict::test_limits(*test);
            writer.member("kind", "gauntlet")
                .member("seats", static_cast<std::uint64_t>(series.opponents.size() + 1))
                .member("cycles", std::uint64_t{test->matches_max})
                .key("sprt")
                .begin_object()
                .member("elo0", limits.elo0)
                .member("elo1", limits.elo1)
                .member("alpha", limits.alpha)
                .member("beta", limits.beta)
                .end_object();
        } else {
            writer.member("kind", "leaderboard");
            if (!series.opponents.empty())
                writer.key("opponents").texts(series.opponents, opponent);
        }
        writer.end_object().member("no_show_after", no_show_after).end_object();
        const auto place = fmt::format("series[{}].", index);
        add(text, config::read_tournaments, [&place](const auto& /*member*/) { return place; });
    }

    const Rubric& rubric_;
    std::span<const GradedSubmission> submissions_;
    const PlanTerms& terms_;
    std::size_t lanes_;
    json::Document limits_;
    Plan plan_;
    std::vector<std::string> mistakes_;
};

// What each of the config's programs is. One that can't be read is told apart by its command alone:
// its launch tells the rest.
std::vector<std::string> programs_of(const config::Config& config) {
    program::Programs programs;
    std::vector<std::string> found;
    for (const auto& bot : config.bots) {
        const auto launch = supply::program_launch_of(bot);
        auto text = programs.identify(launch).value_or("");
        for (const auto& word : launch.command) text += '\n' + word;
        text += fmt::format("\n{} {} {}", bot.memory_mb_max, bot.processes_max, bot.disk_mb_max);
        found.push_back(std::move(text));
    }
    return found;
}

// Gives the tournaments ids that tell what decides their games.
void name_by_contents(Plan& plan, const std::map<std::string, unsigned>& tries) {
    const auto programs = programs_of(plan.config);
    for (const auto& planned : plan.series) {
        auto& tournament = plan.config.tournaments[planned.tournament];
        auto decides = tournament.text;
        for (const auto bot : tournament.bots) decides += '\n' + programs[bot];
        decides += '\n' + planned.player + '\n' + planned.series;
        auto id = readable(planned.player) + "-" + readable(planned.series) + "-" + digest(decides);
        if (const auto tried = tries.find(id); tried != tries.end() && tried->second > 0)
            id += "_" + std::to_string(tried->second + 1);
        tournament.id = id;
    }
}

using verdict::length;

}  // namespace

void name_players(const Rubric& rubric, std::span<GradedSubmission> submissions) {
    json::Document own_bots;
    parse(own_bots, rubric.bots);
    std::vector<std::string> bots;
    for (const auto bot : own_bots.root().elements()) bots.emplace_back(bot.find("name").text());
    const auto is_of_rubric = [&bots](const std::string& name) {
        return std::ranges::any_of(bots, [&name](const auto& bot) {
            return name == bot || name.starts_with(bot + lane_mark);
        });
    };
    std::set<std::string> names;
    for (const auto& submission : submissions) names.insert(submission.name);
    for (auto& submission : submissions) {
        auto& player = submission.player = submission.name;
        while (is_of_rubric(player) ||
               (player != submission.name && !names.insert(player).second)) {
            const auto longer = std::string(graded_prefix) + player;
            const bool fits = longer.size() <= protocol::limits::name_bytes_max;
            player = fits ? longer : std::string(graded_prefix) + digest(player);
        }
    }
}

base::Result<Plan, std::vector<std::string>> plan_of(const Rubric& rubric,
                                                     std::span<const GradedSubmission> submissions,
                                                     const PlanTerms& terms) {
    auto plan = GamePlanning(rubric, submissions, terms).plan();
    if (plan) name_by_contents(*plan, terms.tries);
    return plan;
}

std::string without_tries(const std::string& tournament) {
    const auto hash_end = tournament.rfind('_');
    const auto hash_begin = tournament.rfind('-');
    if (hash_end == std::string::npos || hash_begin == std::string::npos || hash_end < hash_begin)
        return tournament;
    return tournament.substr(0, hash_end);
}

std::string estimate_of(const Rubric& rubric, const Plan& plan, std::size_t submissions,
                        std::size_t lanes, const estimate::PlayedTimes& played) {
    const auto handed_in = rubric.title + ": " + base::counted(submissions, "submission");
    if (!rubric.has_games()) return handed_in + '\n';
    estimate::DurationEstimate all;
    all.likely = all.worst = Duration::zero();
    for (const auto& tournament : plan.config.tournaments) {
        const auto one = estimate::estimate_of(plan.config, tournament, played,
                                               {1, tournament::thinking_cores(plan.config)});
        all.games += one.games;
        for (const auto which :
             {&estimate::DurationEstimate::likely, &estimate::DurationEstimate::worst}) {
            auto& sum = all.*which;
            const auto& more = one.*which;
            sum = sum && more ? std::optional(*sum + *more) : std::nullopt;
        }
    }
    const auto together = static_cast<Duration::rep>(std::max<std::size_t>(lanes, 1));
    const auto bound = rubric.time_max * time_in_all_factor;
    const auto bound_of_all = bound * static_cast<Duration::rep>(submissions);
    const auto worst = std::min(all.worst.value_or(bound_of_all), bound_of_all);
    return fmt::format(
        "{}, {} series, {}\ntakes {}at worst {}{}; the rubric allows a program {} of thinking, and "
        "its games run for {} at most\n",
        handed_in, plan.series.size(),
        (all.games.least == all.games.most ? "" : fmt::format("{} to ", all.games.least)) +
            base::counted(all.games.most, "game"),
        all.likely ? "about " + length(*all.likely / together) + " likely, " : "",
        length(worst / together),
        all.likely ? "" : " (a likely time isn't known before such games were played)",
        length(rubric.time_max), length(bound));
}

}  // namespace referee::grading
