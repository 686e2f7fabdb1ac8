#include "referee/grading/games/grading_plan.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/config/read_config.h"
#include "referee/grading/verdict/chances.h"
#include "referee/launch/supply/program_launches.h"

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
// Before the name of a submission that would have the name of such a bot.
constexpr std::string_view graded = "graded ";

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

// Writes the config of a plan, and keeps in mind which of its members are the rubric's.
class ConfigText {
 public:
    ConfigText(const Rubric& rubric, std::span<const GradedSubmission> submissions,
               const PlanTerms& terms)
        : rubric_(rubric), submissions_(submissions), terms_(terms) {
        parse(own_bots_, rubric.bots);
        parse(limits_, rubric.limits);
    }

    std::string text() {
        std::string text;
        json::Writer writer(text);
        writer.begin_object();
        writer.key("listen")
            .begin_object()
            .member("address", "127.0.0.1")
            .member("port", 0)
            .end_object();
        writer.key("bots").begin_array();
        for (const auto& submission : submissions_) {
            if (submission.is_played()) write_submission(writer, submission);
        }
        for (std::size_t lane = 0; lane < std::max<std::size_t>(terms_.lanes, 1); ++lane)
            write_own_bots(writer, lane);
        writer.end_array();
        writer.key("tournaments").begin_array();
        write_tournaments(writer);
        writer.end_array();
        writer.end_object();
        return text;
    }

    const std::vector<PlannedSeries>& series() const { return series_; }

    // What a mistake of the config is in words of the rubric.
    std::string translated(const config::ConfigError& error) const {
        return place_of(error.member) + ": " + error.message;
    }

 private:
    void write_limits(json::Writer& writer) const {
        for (const auto [name, value] : limits_.root().members()) {
            writer.key(name);
            value.write(writer);
        }
    }

    void write_submission(json::Writer& writer, const GradedSubmission& submission) {
        json::Document bot;
        parse(bot, submission.bot);
        bot_places_.push_back("submission " + submission.name);
        writer.begin_object().member("name", submission.player).member("lifetime", "match");
        for (const auto [name, value] : bot.root().members()) {
            if (limits_.root().find(name)) continue;
            writer.key(name);
            value.write(writer);
        }
        write_limits(writer);
        writer.end_object();
    }

    // Opponents and references of the rubric; paths of theirs are meant from its folder.
    void write_own_bots(json::Writer& writer, std::size_t lane) {
        std::size_t index = 0;
        for (const auto bot : own_bots_.root().elements()) {
            bot_places_.push_back(fmt::format("bots[{}]", index++));
            writer.begin_object();
            const std::string name(bot.find("name").string().value_or(""));
            writer.member("name", in_lane(name, lane));
            for (const auto [member, value] : bot.members()) {
                if (member == "name" || member == "directory") continue;
                writer.key(member);
                value.write(writer);
            }
            if (const auto directory = directory_of(bot, terms_.rubric_folder); !directory.empty())
                writer.member("directory", directory);
            writer.end_object();
        }
    }

    void write_tournaments(json::Writer& writer) {
        for (const auto& submission : submissions_) {
            if (!submission.is_played()) continue;
            for (const auto& series : rubric_.series) {
                if (series.runs) continue;
                write_tournament(writer, series, submission.player, false,
                                 lane_of(submission.name));
            }
        }
        if (series_.empty()) return;  // nobody plays what references are compared with
        for (const auto& series : rubric_.series) {
            for (const auto& reference : series.references)
                write_tournament(writer, series, reference, true, 0);
        }
    }

    // Its own doing, whoever else is graded beside it: so another submission changes nothing for
    // it.
    std::size_t lane_of(const std::string& name) const {
        std::size_t number = 0;
        for (const char digit : digest(name))
            number = number * 31 + static_cast<unsigned char>(digit);
        return number % std::max<std::size_t>(terms_.lanes, 1);
    }

    void write_tournament(json::Writer& writer, const Series& series, const std::string& player,
                          bool of_reference, std::size_t lane) {
        const auto place = series_.size();
        series_.push_back({series.id, player, of_reference, place});
        writer.begin_object();
        // Short, whatever the player is called; see name_by_contents().
        writer.member("id", digest(player + '\n' + series.id)).member("game", rubric_.game);
        writer.key("bots").begin_array().string(player);
        for (const auto& opponent : series.opponents) writer.string(in_lane(opponent, lane));
        writer.end_array();
        json::Document own;
        parse(own, series.tournament);
        if (!own.root().find("seed")) writer.member("seed", rubric_.seed);
        for (const auto [name, value] : own.root().members()) {
            writer.key(name);
            value.write(writer);
        }
        write_format(writer, series, lane);
        writer.member("no_show_after", no_show_after);
        writer.end_object();
    }

    static void write_format(json::Writer& writer, const Series& series, std::size_t lane) {
        writer.key("format").begin_object();
        if (const auto& test = series.as_good_as) {
            writer.member("kind", "gauntlet")
                .member("seats", static_cast<std::uint64_t>(series.opponents.size() + 1))
                .member("cycles", std::uint64_t{test->matches_max});
            const auto limits = verdict::test_limits(*test);
            writer.key("sprt")
                .begin_object()
                .member("elo0", limits.elo0)
                .member("elo1", limits.elo1)
                .member("alpha", limits.alpha)
                .member("beta", limits.beta)
                .end_object();
        } else {
            writer.member("kind", "leaderboard");
            if (!series.opponents.empty())
                writer.key("opponents").texts(series.opponents, [lane](const auto& opponent) {
                    return in_lane(opponent, lane);
                });
        }
        writer.end_object();
    }

    // "tournaments[3].params.size" is "series against-dumb: params.size".
    std::string place_of(const std::string& member) const {
        const auto index_behind = [&member](std::string_view list) -> std::size_t {
            if (!member.starts_with(list)) return std::string::npos;
            return std::stoul(member.substr(list.size()));
        };
        const auto rest = member.find(']') == std::string::npos
                              ? std::string()
                              : member.substr(member.find(']') + 1);
        const auto below = rest.starts_with('.') ? ": " + rest.substr(1) : rest;
        if (const auto i = index_behind("tournaments["); i < series_.size())
            return "series " + series_[i].series + below;
        if (const auto i = index_behind("bots["); i < bot_places_.size())
            return bot_places_[i] + below;
        return member;
    }

    const Rubric& rubric_;
    std::span<const GradedSubmission> submissions_;
    const PlanTerms& terms_;
    json::Document own_bots_;
    json::Document limits_;
    std::vector<PlannedSeries> series_;
    std::vector<std::string> bot_places_;  // by the config's bots
};

// What each of the config's programs is. One that can't be read is told apart by its command alone:
// its launch tells the rest.
std::vector<std::string> programs_of(const config::Config& config) {
    program::Programs programs;
    std::vector<std::string> found;
    for (const auto& bot : config.bots) {
        const auto launch = supply::program_launch_of(bot);
        const auto name = programs.identify(launch);
        std::string text = name ? *name : std::string();
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

}  // namespace

void name_players(const Rubric& rubric, std::span<GradedSubmission> submissions) {
    json::Document own_bots;
    parse(own_bots, rubric.bots);
    std::vector<std::string> bots;
    for (const auto bot : own_bots.root().elements())
        bots.emplace_back(bot.find("name").string().value_or(""));
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
            const auto longer = std::string(graded) + player;
            const bool fits = longer.size() <= protocol::limits::name_bytes_max;
            player = fits ? longer : std::string(graded) + digest(player);
        }
    }
}

base::Result<Plan, std::vector<std::string>> plan_of(const Rubric& rubric,
                                                     std::span<const GradedSubmission> submissions,
                                                     const PlanTerms& terms) {
    ConfigText made(rubric, submissions, terms);
    const auto text = made.text();
    // A config has some tournament: here nobody has games, or nobody can play.
    if (made.series().empty()) return Plan{};
    auto config = config::read_config(text, terms.out + "/games.json", fs::current_path().string());
    if (!config) {
        std::vector<std::string> mistakes;
        for (const auto& error : config.error()) mistakes.push_back(made.translated(error));
        return base::failure(mistakes);
    }
    Plan plan{*std::move(config), made.series()};
    name_by_contents(plan, terms.tries);
    return plan;
}

std::string directory_of(json::View bot, const std::string& rubric_folder) {
    const fs::path folder = rubric_folder;
    if (const auto named = bot.find("directory").string())
        return (folder / std::string(*named)).lexically_normal().string();
    std::error_code ignored;
    for (const auto word : bot.find("launch").elements()) {
        const std::string text(word.string().value_or(""));
        if (!text.empty() && text.front() != '/' && fs::exists(folder / text, ignored))
            return rubric_folder;
    }
    return bot.find("program") ? rubric_folder : std::string();
}

std::string without_tries(const std::string& tournament) {
    const auto hash_end = tournament.rfind('_');
    const auto hash_begin = tournament.rfind('-');
    if (hash_end == std::string::npos || hash_begin == std::string::npos || hash_end < hash_begin)
        return tournament;
    return tournament.substr(0, hash_end);
}

}  // namespace referee::grading
