#include "referee/cli/ctl_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "protocol/base/text.h"
#include "referee/files/text_table.h"
#include "referee/report/live_table.h"

namespace referee::cli {

namespace {

using Json = nlohmann::json;

// How many waits of a kind are shown: what the first ones tell is what the others would.
constexpr std::size_t waits_shown_max = 3;

std::string line(const char* words, const Json& answer, const char* member) {
    return answer.contains(member) ? words + answer.value(member, "") + "\n" : "";
}

std::string joined(const Json& list, const char* between = ", ") {
    return base::joined(list, between, [](const Json& one) { return one.get<std::string>(); });
}

// What a wait for one bot says, but for its name: the same is told once, with all the names. Of any
// other wait it is nothing that another one says.
std::string without_bot(const Json& wait) {
    auto text = wait.value("for", "") + ": " + wait.value("text", "");
    const auto bots = wait.value("bots", Json::array());
    if (bots.size() != 1) return text;
    const auto name = bots[0].get<std::string>();
    if (const auto at = text.find(name); at != std::string::npos)
        text.replace(at, name.size(), "\n");
    return text;
}

// One line for each thing that is waited for, and below it how to end the wait. Of a kind only the
// first few are shown, and the remedy of the first: the others' is the same for other bots.
std::string waiting(const Json& holder) {
    std::string text;
    std::map<std::string, std::size_t> of_kind;
    std::size_t hidden = 0;
    const auto waits = holder.value("waiting", Json::array());
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const auto& wait = waits[i];
        const auto said = without_bot(wait);
        const auto is_alike = [&said](const Json& other) { return without_bot(other) == said; };
        const auto begin = waits.begin();
        if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(i), is_alike)) continue;
        const auto nth = ++of_kind[wait.value("for", "")];
        if (nth > waits_shown_max) {
            ++hidden;
            continue;
        }
        text += wait.value("text", "") + '\n';
        std::vector<std::string> others;
        for (auto j = i + 1; j < waits.size(); ++j)
            if (is_alike(waits[j])) others.push_back(waits[j]["bots"][0].get<std::string>());
        if (!others.empty()) text += "    the same for " + base::names_in(others) + '\n';
        if (nth == 1) text += line("    ", wait, "remedy");
    }
    if (hidden > 0) text += fmt::format("and {} more like these (--json has all)\n", hidden);
    return text;
}

// The state that a tournament doesn't leave by itself, and how it is left; and why it ended before
// its last round.
std::string state_of(const Json& tournament) {
    const auto reason = tournament.value("reason", "");
    if (!tournament.contains("remedy") && !reason.starts_with("it ended early")) return "";
    return tournament.value("id", "") + " is " + tournament.value("state", "") +
           (reason.empty() ? "" : " (" + reason + ")") + "\n" + line("    ", tournament, "remedy");
}

// How it began, where there is more to say, and what comes next, unless a wait says that.
std::string calendar_of(const Json& tournament) {
    const auto id = tournament.value("id", "") + " ";
    const auto reason = tournament.value("reason", "");
    const auto next = tournament.value("comes_next", "");
    const bool is_told = waiting(tournament).find(id + next) != std::string::npos;
    const bool tells = reason.starts_with("started") && reason != "started";
    return (tells ? id + reason + '\n' : std::string()) +
           (next.empty() || is_told ? std::string() : id + next + '\n');
}

// How many attempts at games of a tournament were annulled, and why the last of them.
std::string annulled(const Json& tournament) {
    const auto count = tournament.value("annulled", std::uint64_t{0});
    if (count == 0) return "";
    const auto id = tournament.value("id", "");
    const auto last = tournament.value("last_annulled", "");
    return base::counted(count, "game of " + id + " was", "games of " + id + " were") +
           " annulled so far" + (last.empty() ? "" : ", the last: " + last) + "\n";
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
        const bool is_over = one.value("state", "") == "finished";
        for (const auto& bot : is_over ? Json::array() : one.value("withdrawn", Json::array()))
            withdrawn += bot.value("bot", "") + " is withdrawn from " + one.value("id", "") + " (" +
                         bot.value("reason", "") + ")\n" + line("    ", bot, "remedy");
        waits += annulled(one) + state_of(one) + calendar_of(one) + waiting(one);
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
    return fmt::format("{} of {}", bot.value("turns_by_doubt", std::int64_t{0}), turns);
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

std::string network(const Json& list, std::size_t width) {
    files::TextTable table(
        {"bot", "here", "from", "round trip", "jitter", "allowed", "turns by doubt"});
    for (const auto& one : list)
        table.add({one.value("name", ""), one.value("connected", false) ? "yes" : "no",
                   one.value("from", "-"), time_of(one, "round_trip_us"), time_of(one, "jitter_us"),
                   allowed(one), by_doubt(one)});
    return table.text(width);
}

// "practice 3, friday 1"; a dash where it has no rank yet.
std::string ranks(const Json& bot) {
    const auto known = bot.value("ranks", Json::object());
    const auto tournaments = bot.value("tournaments", Json::array());
    const auto text = base::joined(tournaments, ", ", [&known](const Json& tournament) {
        const auto id = tournament.get<std::string>();
        return id + ' ' +
               (known.contains(id) ? std::to_string(known[id].get<std::uint64_t>()) : "-");
    });
    return text.empty() ? "-" : text;
}

std::string last_seen(const Json& bot) {
    if (bot.value("connected", false)) return "here";
    if (!bot.contains("last_seen_s")) return "not since the start";
    return base::span_text(bot.value("last_seen_s", std::int64_t{0})) + " ago";
}

std::string bots(const Json& list, std::size_t width) {
    const bool any_version =
        std::ranges::any_of(list, [](const auto& one) { return one.contains("version"); });
    std::vector<std::string> head{"bot", "rank", "games", "faults", "last seen", "playing"};
    if (any_version) head.emplace_back("version");
    files::TextTable table(head);
    for (const auto& one : list) {
        std::vector<std::string> row{one.value("name", ""),
                                     ranks(one),
                                     std::to_string(one.value("games_played", std::uint64_t{0})),
                                     std::to_string(one.value("faults", std::uint64_t{0})),
                                     last_seen(one),
                                     joined(one["games"])};
        if (any_version) row.push_back(one.value("version", "-"));
        table.add(std::move(row));
    }
    return table.text(width) + programs(list);
}

std::string registrations(const Json& answer, std::size_t width) {
    files::TextTable table({"name", "standing", "registered from", "student id", "e-mail"});
    const auto& list = answer["registrations"];
    for (const auto& one : list) {
        const auto reason = one.value("reason", "");
        table.add({one.value("name", ""),
                   one.value("standing", "") + (reason.empty() ? "" : ": " + reason),
                   one.value("from", ""), one.value("student_id", ""), one.value("email", "")});
    }
    const auto text =
        base::counted(answer.value("waiting", std::uint64_t{0}), "name waits", "names wait") +
        " for approval" +
        (answer.value("approval", false)
             ? "\n"
             : "; the config asks for none, so nobody is kept waiting\n");
    return (list.empty() ? "" : table.text(width)) + text;
}

std::string lines(const Json& answer, const char* member, const std::string& before = {}) {
    std::string text;
    for (const auto& line : answer.value(member, Json::array()))
        text += before + line.get<std::string>() + "\n";
    return text;
}

std::string forgotten(const Json& answer) {
    auto text = answer.value("message", "") + "\n";
    for (const auto& [member, what] :
         {std::pair("rewrites", "would be rewritten: "), std::pair("removes", "would be removed: "),
          std::pair("left", "left: ")})
        text += lines(answer, member, what);
    return text;
}

// A program's name as it stands in a sentence: of a hash its beginning tells it from others.
std::string program(const std::string& name) {
    constexpr std::size_t told = 19;  // "sha256:" and twelve digits
    if (name.empty()) return "a program that nobody can name";
    return name.starts_with("sha256:") ? name.substr(0, told) + "..." : name;
}

std::string in_matches(const Json& one) {
    return base::counted(one.value("matches", std::uint64_t{0}), "match", "matches");
}

std::string rerun(const Json& answer) {
    constexpr std::size_t matches_shown = 20;
    auto text = answer.value("message", "") + "\n";
    for (const auto& change : answer.value("changes", Json::array())) {
        const auto before =
            base::joined(change.value("before", Json::array()), " and ",
                         [](const Json& one) { return program(one.get<std::string>()); });
        text += "  " + change.value("bot", "") + " was " + (before.empty() ? program("") : before) +
                ", and is " + program(change.value("now", "")) + " now: " + in_matches(change) +
                "\n";
    }
    const auto again = answer.value("again", Json::array());
    for (std::size_t i = 0; i < again.size() && i < matches_shown; ++i)
        text += "  again: " + again[i].value("match", "") + ", " + joined(again[i]["bots"]) + "\n";
    if (again.size() > matches_shown)
        text +=
            fmt::format("  again: {} more, which `--json` lists\n", again.size() - matches_shown);
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
    for (const auto& board : answer.value("boards", Json::array()))
        text += "    " + joined(board, " - ") + "\n";
    for (const auto& [member, what] : {std::pair("byes", "bye"), std::pair("absent", "absent")}) {
        for (const auto& bot : answer.value(member, Json::array()))
            text += fmt::format("    {}: {}\n", what, bot.get<std::string>());
    }
    return text;
}

// How the kernel prefers the referee to other programs, and how often that was lost.
std::string priority(const Json& answer) {
    const auto kind = answer.value("priority", "");
    const auto lost = answer.value("priority_lost", std::uint64_t{0});
    std::string text = "the daemon has no priority over other programs";
    if (kind == "real-time") text = "the daemon runs in a real-time class";
    if (kind == "nice") text = "the daemon has a nice value below 0";
    if (kind == "lost") text = "the daemon has lost its real-time class until the next game begins";
    if (lost > 0)
        text += "; it was too busy for that class, and lost it for a while, " +
                base::counted(lost, "time") + " so far";
    return text + "\n";
}

// How many have been played stands in the table.
std::string running(int games) {
    return games == 0 ? "no game is running now"
                      : base::counted(games, "game is", "games are") + " running now";
}

// What other machines have to play.
std::string machines(const Json& answer) {
    std::string text =
        fmt::format("other machines have {}, of which {} have begun",
                    base::counted(answer.value("jobs", 0), "job"), answer.value("begun", 0));
    const auto because = answer.value("because", Json::object());
    for (const auto& [why, count] : because.items()) text += "; " + count.dump() + " wait: " + why;
    return text + "\n";
}

// How the machine serves the daemon.
std::string details(const Json& answer) {
    auto text = line("the store is ", answer, "store") +
                line("the store is ", answer, "store_check") + priority(answer);
    if (answer.contains("sandbox")) text += answer["sandbox"].value("text", "") + "\n";
    return text;
}

std::string status(const Json& answer, const CtlView& view) {
    std::string text = "referee " + answer.value("version", "") + ", " + answer.value("state", "") +
                       " for " + base::span_text(answer.value("uptime_s", std::int64_t{0})) +
                       ", listening on " + answer.value("listening", "") + "\n" +
                       line("bots dial in by TLS at ", answer, "listening_tls") +
                       line("pages are served at ", answer, "listening_web") +
                       base::counted(answer.value("bots", 0), "bot is", "bots are") + " here, " +
                       running(answer.value("games_running", 0)) + "\n";
    text +=
        line("", answer, "disk") + line("", answer, "busy") + line("TROUBLE: ", answer, "trouble");
    if (view.verbose) text += details(answer);
    if (answer.contains("machines")) text += machines(answer["machines"]);
    if (answer.contains("registrations") && answer["registrations"].contains("text"))
        text += answer["registrations"].value("text", "") + "\n";
    text += line("", answer, "never_here") + line("", answer, "have_left") +
            lines(answer, "turned_away") + lines(answer, "given_up") +
            lines(answer, "launch_changes");
    if (view.verbose) text += lines(answer, "outliers");
    return text + waiting(answer) + "\n" + tournaments(answer["tournaments"], view.width);
}

}  // namespace

std::string ctl_report(const std::string& command, const Json& answer, const CtlView& view) {
    const auto width = view.width;
    if (command == "status") return status(answer, view);
    if (command == "tournaments") return tournaments(answer["tournaments"], width);
    if (command == "bots")
        return view.network ? network(answer["bots"], width) : bots(answer["bots"], width);
    if (command == "registrations") return registrations(answer, width);
    if (command == "forget") return forgotten(answer);
    if (command == "rerun") return rerun(answer);
    const auto message = answer.value("message", "done") + "\n";
    if (answer.value("dry_run", false) && command != "reopen")
        return "nothing is changed; without --dry-run: " + message;
    if (command == "machines") return machines_text(answer, width);
    if (command == "pair") return paired(answer);
    if (command == "token")
        return line("", answer, "message") + "token of " + answer.value("bot", "") +
               ", shown this once:\n" + answer.value("token", "") + "\n";
    return message;
}

}  // namespace referee::cli
