#include "referee/check_bot/bot_checker.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/launch/process/bot_process.h"

namespace referee::check_bot {
namespace {

constexpr Duration start_up_good = std::chrono::seconds(10);

std::string known_games(const BotChecker& checker) {
    return base::joined(checker.registry().games(), ", ",
                        [](const auto& game) { return game->info().id; });
}

// What helps a bot that was launched, and ended or said something else in place of a login. Empty:
// neither.
std::string advice_on(const BotChecker& checker, bool has_ended, bool on_stdio) {
    if (has_ended)
        return "see why it ends: start it by hand in this folder" +
               (on_stdio ? ", as in echo '{\"type\":\"hello\"}' | " + checker.options().program +
                               ". A bot that dials the address in REFEREE_ADDRESS is checked by "
                               "--dials-in"
                         : std::string()) +
               "; what it reads beside its own program is named by --reads FOLDER";
    if (checker.said_something_else())
        return "let its first line be the login, and print for people on standard error, as in "
               "print(text, file=sys.stderr)";
    return {};
}

CornerFinding start_up_failed(BotChecker& checker, const std::string& why) {
    CornerFinding finding{"start-up", "", Verdict::wrong, why};
    if (checker.entrance().never_started()) {  // behind what is wrong stands what helps
        const auto end = why.find("; ");
        finding.seen = why.substr(0, end);
        finding.expected = "a command that can be started here, such as python3 my_bot.py";
        finding.advice = end == std::string::npos ? "see whether it starts by hand, in this folder"
                                                  : why.substr(end + 2);
        return finding;
    }
    const auto& remains = checker.remains();
    if (!remains.error_tail.empty())
        finding.seen += "\nthe end of its standard error:\n" + remains.error_tail;
    if (const auto unseen = checker.entrance().hidden_by_sandbox();
        remains.exit && !unseen.empty()) {
        finding.verdict = Verdict::not_tried;
        finding.seen += "\n" + unseen;
        return finding;
    }
    switch (checker.entrance().connects_by()) {
        case ConnectsBy::on_stdio:
            finding.expected = "a login on its standard output within " +
                               round_time(checker.options().start_within) +
                               " of its launch, and that it goes on until \"bye\"";
            finding.advice =
                "answer the line of type \"hello\" with a login and flush the output, as in "
                "print(json.dumps(login), flush=True). A bot that dials the address in "
                "REFEREE_ADDRESS is checked by --dials-in; what it reads beside its own program is "
                "named by --reads FOLDER";
            break;
        case ConnectsBy::dials_in:
            finding.expected = "a connection to the address in REFEREE_ADDRESS, and a login there";
            finding.advice =
                "take the address from the environment variable REFEREE_ADDRESS, such as "
                "127.0.0.1:7777, and log in as soon as \"hello\" is there. A bot that speaks on "
                "its standard input and output is checked without --dials-in";
            break;
        case ConnectsBy::by_hand:
            finding.expected = "a connection to " + checker.entrance().address() + ", and a login";
            finding.advice = "start the bot with the address, name and token that are told above";
    }
    const bool on_stdio = checker.entrance().connects_by() == ConnectsBy::on_stdio;
    if (auto advice = advice_on(checker, remains.exit.has_value(), on_stdio); !advice.empty())
        finding.advice = std::move(advice);
    return finding;
}

void judge_names(const BotChecker& checker, BotReport& report) {
    const auto& login = checker.login();
    const auto& options = checker.options();
    CornerFinding finding{"login", "", Verdict::good, "as " + login.name + ", with its token"};
    if (login.name != options.name) {
        finding.verdict = Verdict::wrong;
        finding.seen = "it logged in as \"" + login.name + "\"";
        finding.expected = "the name that it was given: \"" + options.name + "\"";
        finding.advice =
            "take the name from the environment variable REFEREE_NAME: a referee refuses others";
    } else if (login.token != options.token) {
        finding.verdict = Verdict::wrong;
        finding.seen = login.token.empty() ? "it logged in without a token"
                                           : "it logged in with another token than it was given";
        finding.expected = "the token that it was given";
        finding.advice =
            "send what the environment variable REFEREE_TOKEN holds as \"token\": without it the "
            "answer is wrong_token";
    }
    report.add(std::move(finding));
}

// False where there is no game to go on with.
bool judge_games(BotChecker& checker, BotReport& report) {
    const auto& login = checker.login();
    CornerFinding finding{"games", "", Verdict::good, "it plays " + base::joined(login.games)};
    report.games = checker.games();
    auto missing = checker.options().games;
    std::erase_if(missing, [&](const auto& game) { return base::contains(login.games, game); });
    if (!missing.empty()) {
        finding.verdict = Verdict::wrong;
        finding.seen += ", and not " + base::joined(missing);
        finding.expected = "a login whose \"games\" name " + base::joined(checker.options().games);
        finding.advice = R"(send "games":[")" + missing.front() + R"("] in the login)";
    } else if (report.games.empty()) {
        finding.verdict = Verdict::wrong;
        finding.expected = "games that a referee knows: " + known_games(checker);
        finding.advice = R"(write them so in the login, as in "games":["walls"])";
    }
    report.add(std::move(finding));
    return !report.games.empty();
}

constexpr double near_budget = 0.8;  // who comes so near is late on a busy day
constexpr Duration ready_good = std::chrono::seconds(5);
// What a bot prints for people is kept at its end alone; so much of it slows the bot itself.
constexpr std::uint64_t error_bytes_good = std::uint64_t{1} << 20;

Duration mean_of(const std::vector<BotObservations::Answer>& answers) {
    Duration all{};
    for (const auto& answer : answers) all += answer.took;
    return all / static_cast<std::int64_t>(answers.size());
}

CornerFinding readiness(const BotObservations& observations) {
    const auto longest =
        std::ranges::max_element(observations.starts, {}, &BotObservations::Start::took);
    CornerFinding finding{"ready", "", Verdict::good,
                          "at most " + ms_text(longest->took) + " after \"start\""};
    if (longest->took > ready_good) {
        finding.verdict = Verdict::could_be_better;
        finding.expected = "\"ready\" well within 10 s of \"start\"";
        finding.advice = "load what is large once, before the login or after \"welcome\"";
    }
    return finding;
}

CornerFinding of_lines(const char* corner, const std::vector<BotObservations::Odd>& odd,
                       std::string good, const char* expected, const char* advice) {
    if (odd.empty()) return {corner, "", Verdict::good, std::move(good)};
    return {corner,
            "",
            Verdict::wrong,
            base::counted(odd.size(), "line") + ", the first: " + odd.front().line + "\n" +
                odd.front().why,
            expected,
            advice};
}

}  // namespace

const TrialCase& plain_case(const std::string& game) {
    const auto all = trial_cases();
    const auto found = std::ranges::find(all, game, &TrialCase::game);
    REFEREE_ASSERT(found != all.end());
    return *found;
}

CornerFinding not_connected(std::string corner, const std::string& game, const std::string& why) {
    return {std::move(corner), game, Verdict::not_tried, "the bot did not come: " + why};
}

bool comes_for(BotChecker& checker, const char* corner, const std::string& game,
               BotReport& report) {
    const auto came = checker.connect();
    if (!came) report.add(not_connected(corner, game, came.error()));
    return came.has_value();
}

CornerFinding judged(std::string corner, const std::string& game, const PlayedTrial& played,
                     std::string seen, std::string expected, std::string advice) {
    if (played.went_well()) return {std::move(corner), game, Verdict::good, std::move(seen)};
    if (played.program_ended)
        advice = "see why its program ended: look at what it printed to standard error";
    if (played.ending == TrialEnding::silent)
        advice.insert(0,
                      played.misnumbered.empty()
                          ? "it thinks too long, loops for ever, or doesn't flush its answer; else "
                          : "give the \"turn\" back that came, and no count of your own: ");
    return {std::move(corner), game, Verdict::wrong, played.why, std::move(expected),
            std::move(advice)};
}

bool try_login(BotChecker& checker, BotReport& report) {
    if (const auto came = checker.connect(); !came) {
        report.add(start_up_failed(checker, came.error()));
        report.hidden = report.findings.back().verdict == Verdict::not_tried;
        return false;
    }
    auto seen = "its login came " + ms_text(checker.start_up()) + " after its launch";
    if (checker.entrance().connects_by() == ConnectsBy::by_hand) {
        report.add({"start-up", "", Verdict::not_tried, "the bot was started by hand"});
    } else if (checker.start_up() > start_up_good) {
        report.add(
            {"start-up", "", Verdict::could_be_better, std::move(seen),
             "a login within a few seconds; a referee waits 30 s as a rule",
             "log in first, and load tables after \"start\", where 10 s are free until \"ready\""});
    } else {
        report.add({"start-up", "", Verdict::good, std::move(seen)});
    }
    judge_names(checker, report);
    return judge_games(checker, report);
}

BotReport examine(BotChecker& checker, std::function<void(const CornerFinding&)> on_finding) {
    BotReport report;
    report.bot = checker.options().name;
    report.program = checker.options().program;
    report.on_finding = std::move(on_finding);
    if (!try_login(checker, report)) return report;
    const auto sound = try_games(checker, report);
    if (sound.empty()) {
        report.add({"all further corners", "", Verdict::not_tried,
                    "the bot did not get through a plain game"});
    } else {
        try_manners(checker, sound.front(), report);
        try_endings(checker, sound.front(), report);
    }
    judge_observations(checker, report);
    return report;
}

CornerFinding judged_times(const engines::GameInfo& info,
                           std::vector<BotObservations::Answer> answers, std::size_t unanswered) {
    CornerFinding finding{"answers in time", std::string(info.id), Verdict::good};
    std::ranges::sort(answers, {}, &BotObservations::Answer::took);
    const auto& longest = answers.back();
    const auto late =
        std::ranges::count_if(answers, [](const auto& answer) { return answer.late; });
    const auto turns = base::counted(answers.size(), "turn");
    finding.seen = "median " + ms_text(answers[answers.size() / 2].took) + ", longest " +
                   ms_text(longest.took) + " of " + turns;
    const bool has_budget = longest.budget > Duration::zero();
    if (has_budget) finding.seen += ", budget " + round_time(longest.budget);
    const auto mean_max =
        info.clock.kind == clock::ClockKind::none ? from_us(info.clock.budget_us) : Duration{};
    const auto mean = mean_of(answers);
    if (late > 0) {
        finding.verdict = Verdict::wrong;
        const auto over = [](const auto& answer) {
            return answer.late ? answer.took - answer.budget : Duration::min();
        };
        const auto& latest = *std::ranges::max_element(answers, {}, over);
        finding.seen = fmt::format(
            "{} of {}{} late, the latest answered {} after it was sent{}; {}", late, turns,
            late == 1 ? " was" : " were", ms_text(latest.took),
            latest.budget > Duration::zero() ? ", " + ms_text(over(latest)) + " too late" : "",
            finding.seen);
        finding.expected = "each answer within \"budget_us\" of its turn";
    } else if (mean_max > Duration::zero() && mean > mean_max) {
        finding.verdict = Verdict::wrong;
        finding.seen += ", mean " + ms_text(mean);
        finding.expected = "a mean of " + round_time(mean_max) +
                           " a turn at most: the rules end a player's game above it; where the "
                           "referee launches the bot they count processor time alone";
        finding.advice = "think less than " + round_time(mean_max) + " in most turns";
    } else if (has_budget &&
               longest.took > std::chrono::duration_cast<Duration>(longest.budget * near_budget)) {
        finding.verdict = Verdict::could_be_better;
        finding.expected = "answers well within the budget: on a busy machine these are late";
    }
    if (unanswered > 0) {
        finding.verdict = Verdict::wrong;
        finding.seen =
            base::counted(unanswered, "turn") + " had no answer; of the others: " + finding.seen;
        finding.expected = "each answer within \"budget_us\" of its turn";
    }
    if (finding.verdict != Verdict::good && finding.advice.empty())
        finding.advice =
            "stop thinking at half of the turn's \"budget_us\", and send the best move so far";
    return finding;
}

void judge_observations(BotChecker& checker, BotReport& report) {
    const auto& observations = checker.observations();
    if (!observations.starts.empty()) report.add(readiness(observations));
    for (const auto& game : report.games) {
        auto answers = observations.answers;
        std::erase_if(answers, [&](const auto& answer) { return answer.game != game; });
        const auto unanswered =
            static_cast<std::size_t>(std::ranges::count(observations.unanswered, game));
        if (!answers.empty())
            report.add(judged_times(checker.registry().find(game)->info(), std::move(answers),
                                    unanswered));
    }
    report.add(of_lines(
        "standard output", observations.texts, "nothing but messages came",
        "lines that are JSON objects, and nothing else: standard output belongs to the protocol, "
        "and so does the connection of a bot that dials in",
        "print for people on standard error: print(text, file=sys.stderr), "
        "System.err.println(text), fprintf(stderr, ...), console.error(text)"));
    report.add(of_lines(
        "messages", observations.mistakes, "all were as the protocol has them",
        "messages as protocol/PROTOCOL.md has them",
        "let a JSON library write each line, and compare it with the example on that page"));
    report.add(of_lines(
        "nothing unasked", observations.unasked, "each message was asked for",
        "one \"ready\" for each \"start\" and one \"move\" for each \"turn\", with its \"game_id\" "
        "and its number",
        "answer messages of type \"turn\" alone; give \"game_id\" and \"turn\" back as they came"));
    const auto remains = checker.entrance().program_state();
    if (checker.entrance().connects_by() != ConnectsBy::by_hand) {
        const bool much = remains.error_bytes > error_bytes_good;
        report.add({"standard error", "", much ? Verdict::could_be_better : Verdict::good,
                    std::to_string(remains.error_bytes) + " bytes in its last launch",
                    much ? fmt::format("a few lines a turn: a referee keeps the last {} KiB",
                                       process::OutputTail::bytes_max / 1024)
                         : "",
                    much ? "print less, or send it as \"debug\" with the move" : ""});
    }
}

}  // namespace referee::check_bot
