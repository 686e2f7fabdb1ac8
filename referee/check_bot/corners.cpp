#include "referee/check_bot/corners.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/milliseconds.h"

namespace referee::check_bot {
namespace {

constexpr Duration start_up_good = std::chrono::seconds(10);

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::vector<std::string> known_games(const BotChecker& checker) {
    std::vector<std::string> ids;
    for (const auto& game : checker.registry().games()) ids.emplace_back(game->info().id);
    return ids;
}

CornerFinding start_up_failed(BotChecker& checker, const std::string& why) {
    CornerFinding finding{"start-up", "", Verdict::wrong, why, "", ""};
    const auto remains = checker.entrance().remains();
    if (!remains.error_tail.empty())
        finding.seen += "\nthe end of its standard error:\n" + remains.error_tail;
    if (const auto unseen = checker.entrance().unseen(); remains.exit && !unseen.empty()) {
        finding.verdict = Verdict::not_tried;
        finding.seen += "\n" + unseen;
        return finding;
    }
    switch (checker.entrance().comes()) {
        case Comes::on_stdio:
            finding.expected = "a login on its standard output within " +
                               base::milliseconds(in_us(checker.terms().start_within)) +
                               " of its launch";
            finding.advice =
                "answer the line of type \"hello\" with a login and flush the output, as in "
                "print(json.dumps(login), flush=True). A bot that dials the address in "
                "REFEREE_ADDRESS is checked by --dials-in; what it reads beside its own program is "
                "named by --reads FOLDER";
            break;
        case Comes::dials_in:
            finding.expected = "a connection to the address in REFEREE_ADDRESS, and a login there";
            finding.advice =
                "take the address from the environment variable REFEREE_ADDRESS, such as "
                "127.0.0.1:7777, and log in as soon as \"hello\" is there. A bot that speaks on "
                "its "
                "standard input and output is checked without --dials-in";
            break;
        case Comes::by_hand:
            finding.expected = "a connection to " + checker.entrance().address() + ", and a login";
            finding.advice = "start the bot with the address, name and token that are told above";
    }
    return finding;
}

void judge_names(const BotChecker& checker, BotReport& report) {
    const auto& login = checker.login();
    const auto& terms = checker.terms();
    CornerFinding finding{"login", "", Verdict::good, "as " + login.name + ", with its token",
                          "",      ""};
    if (login.name != terms.name) {
        finding.verdict = Verdict::wrong;
        finding.seen = "it logged in as \"" + login.name + "\"";
        finding.expected = "the name that it was given: \"" + terms.name + "\"";
        finding.advice =
            "take the name from the environment variable REFEREE_NAME: a referee refuses others";
    } else if (login.token != terms.token) {
        finding.verdict = Verdict::wrong;
        finding.seen = login.token.empty() ? "it logged in without a token"
                                           : "it logged in with another token than it was given";
        finding.expected = "the token that it was given";
        finding.advice =
            "send what the environment variable REFEREE_TOKEN holds as \"token\": without it the "
            "answer is wrong_token";
    }
    report.findings.push_back(std::move(finding));
}

// False where there is no game to go on with.
bool judge_games(BotChecker& checker, BotReport& report) {
    const auto& login = checker.login();
    CornerFinding finding{"games", "", Verdict::good, "it plays " + listed(login.games), "", ""};
    report.games = checker.games();
    std::vector<std::string> missing;
    for (const auto& game : checker.terms().games) {
        if (std::count(login.games.begin(), login.games.end(), game) == 0) missing.push_back(game);
    }
    if (!missing.empty()) {
        finding.verdict = Verdict::wrong;
        finding.seen += ", and not " + listed(missing);
        finding.expected = "a login whose \"games\" name " + listed(checker.terms().games);
        finding.advice = R"(send "games":[")" + missing.front() + R"("] in the login)";
    } else if (report.games.empty()) {
        finding.verdict = Verdict::wrong;
        finding.expected = "games that a referee knows: " + listed(known_games(checker));
        finding.advice = R"(write them so in the login, as in "games":["walls"])";
    }
    report.findings.push_back(std::move(finding));
    return !report.games.empty();
}

void tell(const BotReport& report, std::size_t& told,
          const std::function<void(const CornerFinding&)>& on_finding) {
    for (; told < report.findings.size(); ++told) on_finding(report.findings[told]);
}

}  // namespace

const Position& plain_position(const std::string& game) {
    const auto all = positions();
    const auto found = std::find_if(
        all.begin(), all.end(), [&game](const auto& position) { return position.game == game; });
    REFEREE_ASSERT(found != all.end());
    return *found;
}

CornerFinding judged(std::string corner, const std::string& game, const PlayedTrial& played,
                     std::string seen, std::string expected, std::string advice) {
    if (played.went_well())
        return {std::move(corner), game, Verdict::good, std::move(seen), "", ""};
    return {std::move(corner), game, Verdict::wrong, played.why, std::move(expected),
            std::move(advice)};
}

bool try_login(BotChecker& checker, BotReport& report) {
    if (const auto failed = checker.connect()) {
        report.findings.push_back(start_up_failed(checker, *failed));
        report.hidden = report.findings.back().verdict == Verdict::not_tried;
        return false;
    }
    const auto took = base::milliseconds(in_us(checker.start_up()));
    if (checker.entrance().comes() == Comes::by_hand) {
        report.findings.push_back(
            {"start-up", "", Verdict::not_tried, "the bot was started by hand", "", ""});
    } else if (checker.start_up() > start_up_good) {
        report.findings.push_back(
            {"start-up", "", Verdict::could_be_better,
             "its login came " + took + " after its launch",
             "a login within a few seconds; a referee waits 30 s as a rule",
             "log in first, and load tables after \"start\", where 10 s are free until \"ready\""});
    } else {
        report.findings.push_back({"start-up", "", Verdict::good,
                                   "its login came " + took + " after its launch", "", ""});
    }
    judge_names(checker, report);
    return judge_games(checker, report);
}

BotReport examine(BotChecker& checker,
                  const std::function<void(const CornerFinding&)>& on_finding) {
    BotReport report;
    report.bot = checker.terms().name;
    report.program = checker.terms().program;
    std::size_t told = 0;
    const bool here = try_login(checker, report);
    tell(report, told, on_finding);
    if (!here) return report;
    const auto sound = try_games(checker, report);
    tell(report, told, on_finding);
    if (sound.empty()) {
        report.findings.push_back({"all further corners", "", Verdict::not_tried,
                                   "the bot did not get through a plain game", "", ""});
    } else {
        try_manners(checker, sound.front(), report);
        tell(report, told, on_finding);
        try_endings(checker, sound.front(), report);
    }
    judge_observations(checker, report);
    tell(report, told, on_finding);
    return report;
}

}  // namespace referee::check_bot
