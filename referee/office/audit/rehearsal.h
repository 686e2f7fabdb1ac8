#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/games/play/play.h"
#include "referee/office/audit/recording.h"
#include "referee/office/exam/talk.h"

namespace referee::audit {

// How a bot was led through a recorded game.
enum class RunEnd : std::uint8_t {
    whole,      // to the last turn that is recorded of its seat
    not_ready,  // no `ready` came in time
    silent,     // turns were not answered, again and again
    gone,       // its connection ended
    strayed,    // the record's own times don't fit its clock: it can't be given again
};

// What it answered: one for each turn in which its seat was to move.
struct Asked {
    std::int64_t turn = 0;
    std::string recorded;            // JSON text; empty: no move came in time
    std::optional<std::string> now;  // the same; nothing: none came
};

// What it did in the turn in which the record takes its seat out of the game.
enum class TakenOut : std::uint8_t {
    not_recorded,  // its seat played to the end
    gone_again,    // its connection ended there, as it may have then
    silent_again,  // it said nothing there
    not_again,     // it answered
};

struct Run {
    RunEnd end = RunEnd::whole;
    TakenOut taken_out = TakenOut::not_recorded;
    std::int64_t taken_out_turn = 0;  // where it is recorded
    std::string why;                  // in words, where it didn't come to its end
    std::vector<Asked> turns;
    // Whether it was also told the same times as then: of a turn that ran out, what it is charged
    // can differ.
    bool same_times = true;
};

// Gives a bot the turns of a recorded game again. It is told what the bot in its seat was told
// then: the states, the faults, and the times that were charged. What it answers is noted, and
// what is recorded is played.
class Rehearsal {
 public:
    struct Setup {
        engines::Seat seat = 0;
        bool delta = false;                          // what the bot asked for
        std::function<void()> begin_turn = nullptr;  // of a bot that we launched
    };
    // `talk` is that of a bot that has logged in. Both references outlive this.
    Rehearsal(exam::Talk& talk, const Recording& recording, Setup setup);
    Rehearsal(const Rehearsal&) = delete;
    Rehearsal& operator=(const Rehearsal&) = delete;
    Rehearsal(Rehearsal&&) = delete;
    Rehearsal& operator=(Rehearsal&&) = delete;
    ~Rehearsal() = default;

    Run run();

 private:
    bool goes_on() const { return run_.end == RunEnd::whole && !done_ && !play_.finished(); }
    void perform();
    void perform(const play::Action& action);
    void begin_game();
    void ask();
    std::string recorded_now() const;
    bool taken_out_now() const;
    void play_recorded_turn();
    void answer_as_recorded(engines::Seat seat, const play::PastTurn& turn);
    void let_pass(engines::Seat seat);
    void take_out(engines::Seat seat);
    void break_off(RunEnd end, std::string why);
    play::Arrival arrival_at(Instant at, Duration used) const;
    // The next good message of the game that is one of `Wanted`, until then.
    template <typename Wanted>
    std::optional<exam::Talk::Heard> hear(Instant until);
    std::string why_silent(const std::string& what) const;

    exam::Talk& talk_;
    const Recording& recording_;
    Setup setup_;
    play::Play play_;
    play::Actions actions_;
    Instant now_;           // of the recorded game: it stands while the bot is waited for
    std::size_t next_ = 0;  // of the recorded turns
    bool done_ = false;     // nothing more is recorded
    std::size_t unanswered_in_a_row_ = 0;
    std::map<engines::Seat, Instant> deadlines_;
    Run run_;
};

}  // namespace referee::audit
