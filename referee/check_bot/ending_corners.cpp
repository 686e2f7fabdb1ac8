#include "protocol/codec.h"
#include "referee/check_bot/bot_checker.h"
#include "referee/net/loop/timers.h"

namespace referee::check_bot {
namespace {

using loop::monotonic_now;

// A bot may wait a while before it dials again.
constexpr Duration come_back_max = std::chrono::seconds(20);
// An interpreter takes its time to end; a referee kills what is left.
constexpr Duration end_max = std::chrono::seconds(10);
constexpr std::size_t cut_in_turn = 2;  // of its own: by then it has a past

const char* const come_back_expected =
    "that it dials again, logs in with the same name and token, and goes on from the \"turn\" that "
    "it is sent";
const char* const come_back_advice =
    "take the \"start\" with \"resumed\":true as a game that is on, pass over \"history\" where "
    "you don't need it, and answer the \"turn\" that follows";

bool dials(BotChecker& checker) {
    return checker.entrance().connects_by() != ConnectsBy::on_stdio;
}

// The connection is cut when a turn has been sent; what comes of it is told in `cut`.
struct Cut {
    bool done = false;
    std::optional<std::string> failed;  // why it did not come back
};

TrialGame::OnTurn cutting(BotChecker& checker, Cut& cut) {
    return [&checker, &cut](TrialGame& trial_game, std::size_t nth) {
        if (nth != cut_in_turn || cut.done) return;
        cut.done = true;
        checker.connection().close();
        if (!dials(checker)) checker.entrance().await_exit(monotonic_now() + end_max);
        const auto came =
            checker.come_back(dials(checker) ? come_back_max : checker.options().start_within);
        if (!came) {
            cut.failed = came.error();
            trial_game.give_up(TrialEnding::gone, "it did not come back: " + *cut.failed);
            return;
        }
        trial_game.resume();
    };
}

CornerFinding reconnect(BotChecker& checker, const std::string& game) {
    const char* const corner = dials(checker) ? "lost connection" : "resumed game";
    const auto name = checker.login().name;
    Cut cut;
    auto played = checker.play(plain_case(game), {}, cutting(checker, cut));
    if (!cut.done) {
        return {corner, game, Verdict::not_tried, "the game was over before its second turn"};
    }
    if (cut.failed && dials(checker)) {
        checker.drop();
        return {corner,
                game,
                Verdict::could_be_better,
                played.why,
                come_back_expected,
                "dial again in a loop until \"bye\" has come, with a pause of a second; else it "
                "loses each game in which its link fails"};
    }
    if (played.went_well() && checker.login().name != name) {
        return {corner,
                game,
                Verdict::wrong,
                "it came back as \"" + checker.login().name + "\"",
                come_back_expected,
                "log in as before"};
    }
    return judged(
        corner, game, played,
        dials(checker) ? "it came back and played on" : "launched again in mid-game, it played on",
        come_back_expected, come_back_advice);
}

std::string_view last_words(protocol::ByeReason reason) {
    return reason == protocol::ByeReason::shutdown
               ? "the referee stops; games that were on are played again"
               : "the tournament is over, thank you for playing";
}

// Says goodbye, and tells what the bot did: it ended, it dialled again, or neither.
struct AfterBye {
    std::optional<process::ExitStatus> exit;
    bool came_again = false;
};

AfterBye part(BotChecker& checker, protocol::ByeReason reason) {
    protocol::Bye bye;
    bye.reason = protocol::name_of(reason);
    bye.message = last_words(reason);
    std::string line;
    protocol::encode(line, bye);
    checker.connection().say(line);
    checker.connection().close();
    AfterBye after_bye;
    if (checker.entrance().connects_by() == ConnectsBy::by_hand) return after_bye;
    const bool may_return = reason == protocol::ByeReason::shutdown &&
                            checker.entrance().connects_by() == ConnectsBy::dials_in;
    after_bye.exit =
        checker.entrance().await_exit(monotonic_now() + (may_return ? come_back_max : end_max));
    after_bye.came_again = checker.entrance().has_waiting_connection();
    checker.drop();
    return after_bye;
}

bool ended_well(const AfterBye& after_bye) {
    return after_bye.exit && after_bye.exit->how == process::ExitStatus::How::exited &&
           after_bye.exit->code == 0;
}

CornerFinding goodbye(BotChecker& checker, const char* corner, protocol::ByeReason reason) {
    if (checker.entrance().connects_by() == ConnectsBy::by_hand) {
        return {corner, "", Verdict::not_tried,
                "how a program ends that was started by hand can't be seen from here"};
    }
    const bool returns = reason == protocol::ByeReason::shutdown;
    const auto after_bye = part(checker, reason);
    if (after_bye.came_again && returns) return {corner, "", Verdict::good, "it dials again"};
    if (!after_bye.came_again && ended_well(after_bye))
        return {corner, "", Verdict::good, "it ends, with exit status 0"};
    CornerFinding finding{corner, "", Verdict::could_be_better};
    if (after_bye.came_again) {
        finding.seen = "it dials again";
        finding.expected = "that it ends: the tournament is over";
        finding.advice =
            "end where \"reason\" is \"finished\", \"replaced\", \"refused\" or \"released\"";
        return finding;
    }
    finding.expected = std::string("that it ends with exit status 0") +
                       (returns ? ", or dials again after a while" : "");
    if (after_bye.exit) {
        finding.seen = "it ends with " + after_bye.exit->text();
        finding.advice = "leave the loop at \"bye\" and return, without an error";
        return finding;
    }
    finding.verdict = Verdict::wrong;
    finding.seen = "it went on running";
    finding.advice =
        "end the program when \"bye\" comes or the stream ends, as `for line in file` does; what "
        "is left of a bot is killed";
    return finding;
}

}  // namespace

void try_endings(BotChecker& checker, const std::string& game, BotReport& report) {
    if (comes_for(checker, "lost connection", {}, report)) report.add(reconnect(checker, game));
    for (const auto& [corner, reason] :
         {std::pair("bye, the referee stops", protocol::ByeReason::shutdown),
          std::pair("bye, the end", protocol::ByeReason::finished)}) {
        if (comes_for(checker, corner, {}, report)) report.add(goodbye(checker, corner, reason));
    }
}

}  // namespace referee::check_bot
