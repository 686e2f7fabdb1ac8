#include <algorithm>
#include <cstddef>
#include <string>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "referee/check_bot/bot_checker.h"
#include "referee/net/loop/timers.h"

namespace referee::check_bot {
namespace {

constexpr Duration stays_for = std::chrono::milliseconds(300);

// Moves that the rules of the game don't allow, in all games of a kind.
struct Moves {
    std::size_t malformed = 0;
    std::size_t illegal = 0;
    std::string example;

    void add(const PlayedTrial& played) {
        for (const auto& fault : played.faults) {
            const bool form = fault.code == FaultCode::malformed;
            if (!form && fault.code != FaultCode::illegal) continue;
            ++(form ? malformed : illegal);
            if (example.empty() || (form && malformed == 1))
                example =
                    fault.message + "; it sent " + fault.evidence.received.value_or("nothing");
        }
    }
};

CornerFinding judge_moves(const std::string& game, const std::string& move_example,
                          const Moves& moves) {
    if (moves.malformed == 0 && moves.illegal == 0)
        return {"moves", game, Verdict::good, "all were legal"};
    const bool wrong = moves.malformed > 0;
    const auto count = wrong ? moves.malformed : moves.illegal;
    CornerFinding finding{"moves", game, wrong ? Verdict::wrong : Verdict::could_be_better};
    finding.seen = fmt::format(
        "{}{}{}", count,
        wrong ? " without the form of a move, such as: " : " against the rules, such as: ",
        moves.example);
    finding.expected = wrong ? "moves such as " + move_example : "moves that the rules allow";
    finding.advice =
        "compare with engines/" + game + "/RULES.md" +
        (wrong ? "; \"move\" is the move itself: {\"type\":\"move\",...,\"move\":" + move_example +
                     "}"
               : "; look at the state of this very turn");
    return finding;
}

// The connection stays open between games.
CornerFinding judge_end(BotChecker& checker, const std::string& game) {
    checker.connection().pause(stays_for);
    static_cast<void>(checker.connection().hear({}));
    if (checker.connected() && !checker.connection().said_goodbye())
        return {"end of a game", game, Verdict::good, "it waits for the next game"};
    checker.drop();
    checker.one_game_a_launch();
    return {
        "end of a game",
        game,
        Verdict::wrong,
        "it left when its game was over",
        "that it stays connected: the next game comes on the same connection",
        "go on reading after \"end\" and \"match_end\", until \"bye\" comes or the stream ends"};
}

// Whether a bot chooses by chance shows where it plays a game again whose other players do the same
// as before, as long as it does.
std::string same_moves_text(const engines::GameInfo& info, const PlayedTrial& first,
                            const PlayedTrial& second) {
    const auto both = std::min(first.moves.size(), second.moves.size());
    const auto differ = std::ranges::mismatch(first.moves, second.moves).in1;
    const auto alike = static_cast<std::size_t>(differ - first.moves.begin());
    // After a fault the two games may be at different positions.
    if (both == 0 || !first.faults.empty() || !second.faults.empty()) return {};
    if (alike < both)
        return fmt::format(
            "; its move {} differed from that of the first game, in the same position", alike + 1);
    return "; all its " + base::counted(both, "move was that", "moves were those") +
           " of the first game from the same start" +
           (info.seats_max == 1
                ? std::string()
                : ": against another bot without chance it would play the same game again, which "
                  "counts as little evidence (whoever sets a tournament up can let its starts "
                  "vary: \"setups\", and \"starts\": \"drawn\" in \"match\")");
}

CornerFinding second_match(BotChecker& checker, const std::string& game, const PlayedTrial& first) {
    if (!checker.connected())
        return {"second match", game, Verdict::not_tried, "it leaves at the end of a game"};
    if (const auto came = checker.connect(); !came)
        return not_connected("second match", game, came.error());
    const auto played = checker.play(plain_case(game));
    if (!played.went_well()) checker.one_game_a_launch();
    return judged("second match", game, played,
                  "played on the same connection" +
                      same_moves_text(checker.registry().find(game)->info(), first, played),
                  "a second game on the same connection",
                  "forget all of a game at its \"end\", and begin anew with each \"start\": it has "
                  "a \"game_id\" of its own");
}

CornerFinding odd_states(BotChecker& checker, const std::string& game, Moves& moves) {
    if (checker.options().plain_games_only)
        return {"odd states", game, Verdict::not_tried,
                "a handout's program knows its setup alone"};
    CornerFinding finding{"odd states", game, Verdict::good};
    for (const auto& trial : trial_cases()) {
        if (trial.game != game || &trial == &plain_case(game)) continue;
        if (const auto came = checker.connect(); !came)
            return not_connected("odd states", game, came.error());
        const auto played = checker.play(trial);
        moves.add(played);
        if (!played.went_well()) {
            return {"odd states",
                    game,
                    Verdict::wrong,
                    std::string(trial.what) + ": " + played.why,
                    "an answer in each turn of every game that the rules allow",
                    "play it yourself: referee play " + game + " --params '" +
                        std::string(trial.params) +
                        "' --bot ..., and look at what the bot says on its standard error"};
        }
        finding.seen += (finding.seen.empty() ? "" : "; ") + std::string(trial.what);
    }
    finding.seen = "played: " + finding.seen;
    return finding;
}

// A style in which the referee may speak, and what a bot that can't bear it has to learn.
struct MannerCorner {
    const char* corner;
    SendingStyle style;
    const char* seen;
    const char* expected;
    const char* advice;
};

constexpr MannerCorner manner_corners[] = {
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
    auto played = checker.play(plain_case(game), {}, [](TrialGame& trial_game, std::size_t nth) {
        if (nth == 1) trial_game.spoil_answer();
    });
    if (played.went_well() && checker.connect()) played = checker.play(plain_case(game));
    return judged(corner, game, played, "it plays on", expected, advice);
}

// An id that a number with a fraction can't hold.
constexpr std::uint64_t ping_id = UINT64_MAX;
constexpr Duration pong_max = std::chrono::seconds(5);

CornerFinding ping(BotChecker& checker) {
    CornerFinding finding{"ping",
                          "",
                          Verdict::wrong,
                          "",
                          "a pong of the same id",
                          R"(answer {"type":"ping","id":7} with {"type":"pong","id":7})"};
    std::string line;
    protocol::encode(line, protocol::Ping{ping_id});
    checker.connection().say(line);
    const auto until = loop::monotonic_now() + pong_max;
    while (const auto heard = checker.connection().hear(until)) {
        const auto* pong = std::get_if<protocol::Pong>(&heard->message);
        if (pong == nullptr) continue;
        if (pong->id == ping_id) return {"ping", "", Verdict::good, "it answers"};
        const auto id = std::to_string(ping_id);
        finding.seen = fmt::format("its pong has the id {}, and the ping had {}", pong->id, id);
        finding.expected = "the same id: any integer from 0 to 2^64 - 1";
        finding.advice =
            "give the id back as text where your numbers have a fraction: "
            "{\"type\":\"pong\",\"id\":" +
            id + "}";
        return finding;
    }
    if (!checker.connected()) {
        checker.drop();
        finding.seen = "its connection ended when it was sent a ping";
        return finding;
    }
    finding.verdict = Verdict::could_be_better;
    finding.seen = "it does not answer a ping";
    finding.expected += ": without it a second program of yours takes this one's place";
    return finding;
}

// Played by whole states, as after a reconnect; and again by changes, where that went worse.
CornerFinding delta(BotChecker& checker, const std::string& game) {
    const char* const corner = "changes instead of states";
    if (!checker.login().delta)
        return {corner, game, Verdict::not_tried, "its login doesn't ask for them"};
    const auto bad_by_changes = [&] {
        return checker.connect() && !checker.play(plain_case(game)).faults.empty();
    };
    const bool bad = bad_by_changes();
    if (const auto came = checker.connect(); !came)
        return not_connected(corner, game, came.error());
    const auto played = checker.play(plain_case(game), {}, nullptr, true);
    if (played.went_well() && played.faults.empty() && bad && bad_by_changes()) {
        return {corner,
                game,
                Verdict::wrong,
                "its moves are good where it is sent whole states, and bad where it is sent what "
                "changed",
                "the same moves either way",
                "apply the operations of \"delta\" in their order to the state that you had, or "
                "leave \"state\":\"delta\" out of the login"};
    }
    return judged(corner, game, played, "it takes changes, and whole states in between",
                  "that a turn with a whole \"state\" is taken too, as it comes after a reconnect",
                  "look whether the turn has \"state\" or \"delta\"");
}

}  // namespace

std::vector<std::string> try_games(BotChecker& checker, BotReport& report) {
    std::vector<std::string> sound;
    for (const auto& game : report.games) {
        if (!comes_for(checker, "a plain game", game, report)) continue;
        Moves moves;
        const auto played = checker.play(plain_case(game));
        moves.add(played);
        report.add(judged(
            "a plain game", game, played, base::counted(played.answers, "turn") + " answered",
            "\"ready\" after \"start\", and a move for each \"turn\"",
            "answer each line of type \"turn\" with "
            "{\"type\":\"move\",\"game_id\":...,\"turn\":...,\"move\":...} and a line feed, "
            "flushed at once; protocol/PROTOCOL.md has a bot of 20 lines"));
        if (played.went_well()) {
            sound.push_back(game);
            report.add(judge_end(checker, game));
            report.add(second_match(checker, game, played));
            report.add(odd_states(checker, game, moves));
        }
        const auto& info = checker.registry().find(game)->info();
        if (played.answers > 0)
            report.add(judge_moves(game, std::string(info.move_example), moves));
    }
    return sound;
}

void try_manners(BotChecker& checker, const std::string& game, BotReport& report) {
    for (const auto& one : manner_corners) {
        if (!comes_for(checker, one.corner, game, report)) continue;
        const auto played = checker.play(plain_case(game), one.style);
        report.add(judged(one.corner, game, played, one.seen, one.expected, one.advice));
    }
    if (comes_for(checker, "fault notice", game, report)) report.add(fault_notice(checker, game));
    if (comes_for(checker, "ping", game, report)) report.add(ping(checker));
    if (comes_for(checker, "changes instead of states", game, report))
        report.add(delta(checker, game));
}

}  // namespace referee::check_bot
