#include "protocol/base/milliseconds.h"
#include "referee/check_bot/corners.h"
#include "referee/net/loop/system_timers.h"

namespace referee::check_bot {
namespace {

// A way in which the referee may speak, and what a bot that can't bear it has to learn.
struct Way {
    const char* corner;
    LineStyle manner;
    const char* seen;
    const char* expected;
    const char* advice;
};

constexpr Way ways[] = {
    {"unknown members",
     {.unknown_members = true},
     "it passes over members that it doesn't know",
     "that members which it doesn't know are passed over, in any order: later versions add some",
     "read the members that you need by their names, as in message[\"turn\"], and don't count or "
     "check the others"},
    {"unknown messages",
     {.unknown_messages = true},
     "it passes over messages of a type that it doesn't know",
     "that messages of a type which it doesn't know are passed over",
     "do nothing where \"type\" is none that you know; don't raise an error there"},
    {"messages in pieces",
     {.in_pieces = true},
     "it waits for the line feed, also where a line comes in pieces or several come at once",
     "that a message ends at its line feed, whatever comes together or apart",
     "read whole lines, as `for line in file` does; what recv() brings may be half a line or "
     "three"},
};

// The bot is told of a fault of its own: the game goes on, or is over, and it plays the next.
CornerFinding fault_notice(BotChecker& checker, const std::string& game) {
    const char* const corner = "fault notice";
    const char* const expected = "that it plays on when it is told of a fault of its own";
    const char* const advice =
        "a \"fault\" needs no answer: print it to standard error for yourself, and go on with the "
        "next \"turn\"";
    auto played =
        checker.play(plain_position(game), {}, [](TrialGame& trial_game, std::size_t nth) {
            if (nth == 1) trial_game.spoil_answer();
        });
    if (played.went_well() && !checker.connect()) played = checker.play(plain_position(game));
    return judged(corner, game, played, "it plays on", expected, advice);
}

// An id that a number with a fraction can't hold.
constexpr std::uint64_t ping_id = UINT64_MAX;
constexpr Duration pong_max = std::chrono::seconds(5);

CornerFinding ping(BotChecker& checker) {
    std::string line;
    protocol::encode(line, protocol::Ping{ping_id});
    checker.connection().say(line);
    const auto until = loop::monotonic_now() + pong_max;
    while (const auto heard = checker.connection().hear(until)) {
        const auto* pong = std::get_if<protocol::Pong>(&heard->message);
        if (pong == nullptr) continue;
        if (pong->id == ping_id) return {"ping", "", Verdict::good, "it answers", "", ""};
        return {"ping",
                "",
                Verdict::wrong,
                "its pong has the id " + std::to_string(pong->id) + ", and the ping had " +
                    std::to_string(ping_id),
                "the same id: any integer from 0 to 2^64 - 1",
                "give the id back as text where your numbers have a fraction: {\"type\":\"pong\","
                "\"id\":" +
                    std::to_string(ping_id) + "}"};
    }
    if (!checker.connected()) {
        checker.drop();
        return {"ping",
                "",
                Verdict::wrong,
                "its connection ended when it was sent a ping",
                "a pong of the same id",
                R"(answer {"type":"ping","id":7} with {"type":"pong","id":7})"};
    }
    return {"ping",
            "",
            Verdict::could_be_better,
            "it does not answer a ping",
            "a pong of the same id: without it a second program of yours takes this one's place",
            R"(answer {"type":"ping","id":7} with {"type":"pong","id":7})"};
}

// Played by whole states, as after a reconnect; and again by changes, where that went worse.
CornerFinding delta(BotChecker& checker, const std::string& game) {
    if (!checker.login().delta) {
        return {"changes instead of states",      game, Verdict::not_tried,
                "its login doesn't ask for them", "",   ""};
    }
    const auto bad_by_changes = [&] {
        return !checker.connect() && !checker.play(plain_position(game)).faults.empty();
    };
    const bool bad = bad_by_changes();
    if (const auto failed = checker.connect()) {
        return {"changes instead of states",        game, Verdict::not_tried,
                "the bot did not come: " + *failed, "",   ""};
    }
    const auto played = checker.play(plain_position(game), {}, nullptr, true);
    if (played.went_well() && played.faults.empty() && bad && bad_by_changes()) {
        return {"changes instead of states",
                game,
                Verdict::wrong,
                "its moves are good where it is sent whole states, and bad where it is sent what "
                "changed",
                "the same moves either way",
                "apply the operations of \"delta\" in their order to the state that you had, or "
                "leave \"state\":\"delta\" out of the login"};
    }
    return judged("changes instead of states", game, played,
                  "it takes changes, and whole states in between",
                  "that a turn with a whole \"state\" is taken too, as it comes after a reconnect",
                  "look whether the turn has \"state\" or \"delta\"");
}

}  // namespace

void try_manners(BotChecker& checker, const std::string& game, BotReport& report) {
    const auto reachable = [&](const char* corner) {
        const auto failed = checker.connect();
        if (failed)
            report.findings.push_back(
                {corner, game, Verdict::not_tried, "the bot did not come: " + *failed, "", ""});
        return !failed;
    };
    for (const auto& way : ways) {
        if (!reachable(way.corner)) continue;
        report.findings.push_back(judged(way.corner, game,
                                         checker.play(plain_position(game), way.manner), way.seen,
                                         way.expected, way.advice));
    }
    if (reachable("fault notice")) report.findings.push_back(fault_notice(checker, game));
    if (reachable("ping")) report.findings.push_back(ping(checker));
    if (reachable("changes instead of states")) report.findings.push_back(delta(checker, game));
}

}  // namespace referee::check_bot
