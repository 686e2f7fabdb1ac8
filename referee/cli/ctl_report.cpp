#include "referee/cli/ctl_report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "protocol/base/text.h"
#include "referee/report/text_table.h"

namespace referee::cli {

namespace {

using Json = nlohmann::json;

// How many waits of a kind are shown: what the first ones tell is what the others would.
constexpr std::size_t waits_shown_max = 3;
constexpr std::int64_t s_per_minute = 60;
constexpr std::int64_t s_per_hour = 60 * s_per_minute;
constexpr std::int64_t s_per_day = 24 * s_per_hour;

std::string span_text(std::int64_t seconds) {
    if (seconds >= s_per_day)
        return std::to_string(seconds / s_per_day) + " d " +
               std::to_string(seconds % s_per_day / s_per_hour) + " h";
    if (seconds >= s_per_hour)
        return std::to_string(seconds / s_per_hour) + " h " +
               std::to_string(seconds % s_per_hour / s_per_minute) + " min";
    if (seconds >= s_per_minute)
        return std::to_string(seconds / s_per_minute) + " min " +
               std::to_string(seconds % s_per_minute) + " s";
    return std::to_string(seconds) + " s";
}

std::string joined(const Json& list) {
    std::string text;
    for (const auto& one : list) text += (text.empty() ? "" : ", ") + one.get<std::string>();
    return text;
}

// One line for each thing that is waited for, and below it how to end the wait. Of a kind only the
// first few are shown, and the remedy of the first: the others' is the same for other bots.
std::string waiting(const Json& holder) {
    std::string text;
    std::map<std::string, std::size_t> of_kind;
    std::size_t hidden = 0;
    for (const auto& wait : holder.value("waiting", Json::array())) {
        const auto nth = ++of_kind[wait.value("for", "")];
        if (nth > waits_shown_max) {
            ++hidden;
            continue;
        }
        text += wait.value("text", "") + '\n';
        if (nth == 1 && wait.contains("remedy")) text += "    " + wait.value("remedy", "") + '\n';
    }
    if (hidden > 0) text += "and " + std::to_string(hidden) + " more like these (--json has all)\n";
    return text;
}

// The state that a tournament doesn't leave by itself, and how it is left.
std::string state_of(const Json& tournament) {
    if (!tournament.contains("remedy")) return "";
    const auto reason = tournament.value("reason", "");
    return tournament.value("id", "") + " is " + tournament.value("state", "") +
           (reason.empty() ? "" : " (" + reason + ")") + "\n    " + tournament.value("remedy", "") +
           '\n';
}

// How many attempts at games of a tournament were annulled, and why the last of them.
std::string annulled(const Json& tournament) {
    const auto count = tournament.value("annulled", std::uint64_t{0});
    if (count == 0) return "";
    return std::to_string(count) + (count == 1 ? " game of " : " games of ") +
           tournament.value("id", "") + (count == 1 ? " was" : " were") + " annulled so far" +
           (tournament.contains("last_annulled")
                ? ", the last: " + tournament.value("last_annulled", "")
                : std::string()) +
           '\n';
}

std::optional<std::uint64_t> number_of(const Json& holder, const char* member) {
    if (!holder.contains(member)) return std::nullopt;
    return holder.value(member, std::uint64_t{0});
}

report::TournamentLine line_of(const Json& one) {
    report::TournamentLine line{one.value("id", ""), one.value("game", ""), one.value("format", ""),
                                one.value("state", "")};
    line.bots = number_of(one, "bots").value_or(0);
    line.round = number_of(one, "round").value_or(0);
    line.rounds = number_of(one, "rounds");
    line.matches = number_of(one, "matches").value_or(0);
    line.matches_total = number_of(one, "matches_total");
    line.games = number_of(one, "games").value_or(0);
    line.running = number_of(one, "running").value_or(0);
    return line;
}

std::string tournaments(const Json& list, std::size_t width) {
    std::vector<report::TournamentLine> lines;
    std::string withdrawn;
    std::string waits;  // and what else a tournament tells of itself
    for (const auto& one : list) {
        lines.push_back(line_of(one));
        for (const auto& bot : one.value("withdrawn", Json::array()))
            withdrawn += bot.value("bot", "") + " is withdrawn from " + one.value("id", "") + " (" +
                         bot.value("reason", "") + ")\n";
        waits += annulled(one) + state_of(one) + waiting(one);
    }
    return report::tournaments_table(lines, width) + (withdrawn.empty() ? "" : "\n" + withdrawn) +
           (waits.empty() ? "" : "\n" + waits);
}

std::string time_of(const Json& bot, const char* member) {
    return bot.contains(member) ? base::milliseconds(bot.value(member, std::int64_t{0})) : "-";
}

std::string allowed(const Json& bot) {
    if (!bot.contains("allowance_us")) return "-";
    auto text =
        "at most " + time_of(bot, "allowance_us") + " by its " + bot.value("allowed_by", "");
    if (bot.value("outlier", false)) text += ": an outlier";
    return text;
}

// How many of its turns were in time only by doubt.
std::string by_doubt(const Json& bot) {
    const auto turns = bot.value("turns", std::int64_t{0});
    if (turns == 0) return "-";
    return std::to_string(bot.value("turns_by_doubt", std::int64_t{0})) + " of " +
           std::to_string(turns);
}

// Which version of a program that was handed in plays; empty where nobody handed in any.
std::string programs(const Json& list) {
    std::string text;
    for (const auto& one : list) {
        if (const auto program = one.find("program"); program != one.end())
            text += one.value("name", "") + ": " + program->value("text", "") + "\n";
    }
    return text.empty() ? text : "\nPrograms that were handed in:\n" + text;
}

std::string bots(const Json& list, std::size_t width) {
    const bool any_version = std::any_of(list.begin(), list.end(),
                                         [](const auto& one) { return one.contains("version"); });
    std::vector<std::string> head{"bot",     "here",           "from",    "round trip",   "jitter",
                                  "allowed", "turns by doubt", "playing", "takes part in"};
    if (any_version) head.emplace_back("version");
    report::TextTable table(head);
    for (const auto& one : list) {
        std::vector<std::string> row{one.value("name", ""),
                                     one.value("connected", false) ? "yes" : "no",
                                     one.value("from", "-"),
                                     time_of(one, "round_trip_us"),
                                     time_of(one, "jitter_us"),
                                     allowed(one),
                                     by_doubt(one),
                                     joined(one["games"]),
                                     joined(one["tournaments"])};
        if (any_version) row.push_back(one.value("version", "-"));
        table.add(std::move(row));
    }
    return table.text(width) + programs(list);
}

std::string registrations(const Json& answer, std::size_t width) {
    const auto waiting = answer.value("waiting", std::uint64_t{0});
    report::TextTable table({"name", "standing", "registered from", "student id", "e-mail"});
    const auto& list = answer["registrations"];
    for (const auto& one : list) {
        table.add({one.value("name", ""), one.value("standing", ""), one.value("from", ""),
                   one.value("student_id", ""), one.value("email", "")});
    }
    const auto text = std::to_string(waiting) + (waiting == 1 ? " name waits" : " names wait") +
                      " for approval" +
                      (answer.value("approval", false)
                           ? ""
                           : "; the config asks for none, so nobody is kept waiting") +
                      "\n";
    return (list.empty() ? "" : table.text(width)) + text;
}

std::string forgotten(const Json& answer) {
    auto text = answer.value("message", "") + "\n";
    for (const auto& [member, what] :
         {std::pair("rewrites", "would be rewritten: "), std::pair("removes", "would be removed: "),
          std::pair("left", "left: ")}) {
        for (const auto& line : answer.value(member, Json::array()))
            text += what + line.get<std::string>() + "\n";
    }
    return text;
}

// A program's name as it stands in a sentence: of a hash its beginning tells it from others.
std::string program(const std::string& name) {
    constexpr std::size_t told = 19;  // "sha256:" and twelve digits
    if (name.empty()) return "a program that nobody can name";
    return name.starts_with("sha256:") ? name.substr(0, told) + "..." : name;
}

std::string in_matches(const Json& one) {
    const auto matches = one.value("matches", std::uint64_t{0});
    return std::to_string(matches) + (matches == 1 ? " match" : " matches");
}

std::string rerun(const Json& answer) {
    constexpr std::size_t matches_shown = 20;
    auto text = answer.value("message", "") + "\n";
    for (const auto& change : answer.value("changes", Json::array())) {
        std::string before;
        for (const auto& one : change.value("before", Json::array()))
            before += (before.empty() ? "" : " and ") + program(one.get<std::string>());
        text += "  " + change.value("bot", "") + " was " + (before.empty() ? program("") : before) +
                ", and is " + program(change.value("now", "")) + " now: " + in_matches(change) +
                "\n";
    }
    const auto again = answer.value("again", Json::array());
    for (std::size_t i = 0; i < again.size() && i < matches_shown; ++i)
        text += "  again: " + again[i].value("match", "") + ", " + joined(again[i]["bots"]) + "\n";
    if (again.size() > matches_shown)
        text += "  again: " + std::to_string(again.size() - matches_shown) +
                " more, which `--json` lists\n";
    for (const auto& match : answer.value("kept_although", Json::array()))
        text += "  kept: " + match.value("match", "") + ", for " + match.value("why", "") + "\n";
    for (const auto& bot : answer.value("untold", Json::array()))
        text += "  can't be told: " + bot.value("bot", "") + ", " + in_matches(bot) +
                " kept: " + bot.value("why", "") + "; `--also` counts it as changed\n";
    return text;
}

// How a round would be drawn, where that was asked.
std::string paired(const Json& answer) {
    auto text = answer.value("message", "") + "\n";
    for (const auto& board : answer.value("boards", Json::array())) {
        std::string names;
        for (const auto& bot : board)
            names += (names.empty() ? "" : " - ") + bot.get<std::string>();
        text += "    " + names + "\n";
    }
    for (const auto& bot : answer.value("byes", Json::array()))
        text += "    bye: " + bot.get<std::string>() + "\n";
    return text;
}

// How the kernel prefers the referee to other programs, and how often that was lost.
std::string priority(const Json& answer) {
    const auto kind = answer.value("priority", "");
    const auto lost = answer.value("priority_lost", std::uint64_t{0});
    std::string text = "it has no priority over other programs";
    if (kind == "real-time") text = "it has a real-time class";
    if (kind == "nice") text = "it has a nice value below 0";
    if (kind == "lost") text = "it has lost its real-time class until the next game begins";
    if (lost > 0)
        text += "; it was too busy for that class, and lost it for a while, " +
                std::to_string(lost) + (lost == 1 ? " time" : " times") + " so far";
    return text + "\n";
}

std::string here(int bots) {
    return std::to_string(bots) + (bots == 1 ? " bot is here" : " bots are here");
}

// How many have been played stands in the table.
std::string running(int games) {
    if (games == 0) return "no game is running now";
    return std::to_string(games) + (games == 1 ? " game is" : " games are") + " running now";
}

// What other machines have to play.
std::string machines(const Json& answer) {
    const auto jobs = answer.value("jobs", 0);
    std::string text = "other machines have " + std::to_string(jobs) +
                       (jobs == 1 ? " job" : " jobs") + ", of which " +
                       std::to_string(answer.value("begun", 0)) + " have begun";
    const auto because = answer.value("because", Json::object());
    for (const auto& [why, count] : because.items()) text += "; " + count.dump() + " wait: " + why;
    return text + "\n";
}

std::string status(const Json& answer, std::size_t width) {
    std::string text = "referee " + answer.value("version", "") + ", " + answer.value("state", "") +
                       " for " + span_text(answer.value("uptime_s", std::int64_t{0})) +
                       ", listening on " + answer.value("listening", "") + "\n" +
                       (answer.contains("listening_tls")
                            ? "bots dial in by TLS at " + answer.value("listening_tls", "") + "\n"
                            : "") +
                       (answer.contains("listening_web")
                            ? "pages are served at " + answer.value("listening_web", "") + "\n"
                            : "") +
                       here(answer.value("bots", 0)) + ", " +
                       running(answer.value("games_running", 0)) + "; the store is " +
                       answer.value("store", "") + "\n";
    if (answer.contains("store_check"))
        text += "the store is " + answer.value("store_check", "") + "\n";
    if (answer.contains("trouble")) text += "TROUBLE: " + answer.value("trouble", "") + "\n";
    text += priority(answer);
    if (answer.contains("sandbox")) text += answer["sandbox"].value("text", "") + "\n";
    if (answer.contains("machines")) text += machines(answer["machines"]);
    if (answer.contains("registrations") && answer["registrations"].contains("text"))
        text += answer["registrations"].value("text", "") + "\n";
    for (const auto* list : {"given_up", "launch_changes", "outliers"}) {
        for (const auto& line : answer.value(list, Json::array()))
            text += line.get<std::string>() + "\n";
    }
    return text + waiting(answer) + "\n" + tournaments(answer["tournaments"], width);
}

constexpr double of_hundred = 100;

std::string name_of(const Json& host) {
    const auto name = host.value("host", "");
    return name.empty() ? "(the referee's own)" : name;
}

std::string span_of(const Json& effect, const char* member, double times, int decimals) {
    const auto& span = effect[member];
    return report::fixed_text(span[0].get<double>() * times, decimals) + " to " +
           report::fixed_text(span[1].get<double>() * times, decimals);
}

// "1.02 (0.97 to 1.08)", with a star where it is beyond chance.
std::string time_beside_others(const Json& effect) {
    if (!effect.contains("ratio")) return "-";
    return report::fixed_text(effect.value("ratio", 0.0), 2) + " (" +
           span_of(effect, "ratio95", 1, 2) + ")" + (effect.value("differs", false) ? "*" : "");
}

// "2.1% (-0.5 to 1.3)": in how much of bots' games, and how many points more than elsewhere.
std::string share_beside_others(const Json& effect) {
    auto text = report::fixed_text(effect.value("share", 0.0) * of_hundred, 1) + "%";
    if (effect.contains("difference95"))
        text += " (" + span_of(effect, "difference95", of_hundred, 1) + ")";
    return text + (effect.value("differs", false) ? "*" : "");
}

std::string time_of_turn(const Json& host) {
    const auto turns = host.value("turns", std::int64_t{0});
    return turns == 0 ? "-" : base::milliseconds(host.value("used_us", std::int64_t{0}) / turns);
}

std::string all_of(const Json& list) {
    std::string text;
    for (const auto& one : list)
        text +=
            (text.empty() ? "" : " or ") + (one.is_string() ? one.get<std::string>() : one.dump());
    return text.empty() ? "-" : text;
}

}  // namespace

std::string ctl_report(const std::string& command, const Json& answer, std::size_t width) {
    if (command == "status") return status(answer, width);
    if (command == "tournaments") return tournaments(answer["tournaments"], width);
    if (command == "bots") return bots(answer["bots"], width);
    if (command == "registrations") return registrations(answer, width);
    if (command == "forget") return forgotten(answer);
    if (command == "rerun") return rerun(answer);
    if (command == "machines") return machines_text(answer, width);
    if (command == "pair") return paired(answer);
    if (command == "token") {
        return "token of " + answer.value("bot", "") + ", shown this once:\n" +
               answer.value("token", "") + "\n";
    }
    return answer.value("message", "done") + "\n";
}

std::string machines_text(const Json& answer, std::size_t width) {
    report::TextTable games({"machine", "matches", "games", "annulled", "a turn", "beside others",
                             "late games", "other faults"});
    report::TextTable facts({"machine", "calibration", "cores", "sandbox", "kernel", "processor"});
    bool any_facts = false;
    for (const auto& host : answer.value("hosts", Json::array())) {
        games.add({name_of(host), std::to_string(host.value("matches", std::uint64_t{0})),
                   std::to_string(host.value("games", std::uint64_t{0})),
                   std::to_string(host.value("annulled", std::uint64_t{0})), time_of_turn(host),
                   time_beside_others(host["time"]), share_beside_others(host["late"]),
                   share_beside_others(host["faults"])});
        if (host.value("host", "").empty()) continue;
        any_facts = true;
        facts.add({name_of(host), base::milliseconds(host.value("calibration_us", std::int64_t{0})),
                   all_of(host["cores"]), all_of(host["sandboxes"]), all_of(host["kernels"]),
                   all_of(host["processors"])});
    }
    auto text = games.text(width) + "\n";
    if (any_facts) text += facts.text(width) + "\n";
    for (const auto& sentence : answer.value("sentences", Json::array()))
        text += sentence.get<std::string>() + "\n";
    for (const auto& remedy : answer.value("remedies", Json::array()))
        text += "    `" + remedy.get<std::string>() + "` plays again what it played\n";
    return text;
}

}  // namespace referee::cli
