#include "referee/watch/terminal/player.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"

namespace referee::terminal {
namespace {

using base::visible_line;
using showing::ReplayFrames;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t us_per_ms = 1000;
constexpr std::int64_t us_per_s = 1'000'000;
constexpr std::int64_t frame_us_at_first = 500'000;
// 64 times as fast as at first is 128 frames a second: a terminal shows no more. An eighth is one
// in four seconds: slow enough to talk about each.
constexpr int speed_max = 6;
constexpr int speed_min = -3;

void go_to_fault(Playback& playback, bool forward) {
    const auto& faults = playback.fault_frames;
    if (forward) {
        const auto next = std::upper_bound(faults.begin(), faults.end(), playback.frame);
        if (next != faults.end()) playback.frame = *next;
    } else {
        const auto here = std::lower_bound(faults.begin(), faults.end(), playback.frame);
        if (here != faults.begin()) playback.frame = *std::prev(here);
    }
}

void step(Playback& playback, bool forward) {
    if (forward && playback.frame + 1 < playback.frames) ++playback.frame;
    if (!forward && playback.frame > 0) --playback.frame;
}

void pause_or_go_on(Playback& playback) {
    if (playback.running == RunningPlayback::stopped) {
        playback.running = playback.paused;
    } else {
        playback.paused = playback.running;
        playback.running = RunningPlayback::stopped;
    }
}

std::string with_tenths(std::int64_t tenths) {
    constexpr std::int64_t tenths_of_one = 10;
    return fmt::format("{}.{}", tenths / tenths_of_one, tenths % tenths_of_one);
}

// "18 us", "1.2 ms", "3.0 s".
std::string short_time(std::int64_t us) {
    constexpr std::int64_t tenths = 10;
    if (us >= us_per_s) return with_tenths(us * tenths / us_per_s) + " s";
    if (us >= us_per_ms) return with_tenths(us * tenths / us_per_ms) + " ms";
    return std::to_string(us) + " us";
}

std::string joined_names(const ReplayFrames& replay_frames) {
    return base::joined(replay_frames.bots(), ", ", visible_line);
}

std::string turn_of(const ReplayFrames& replay_frames, std::size_t frame) {
    const auto& facts = replay_frames.facts(frame);
    auto text = fmt::format("turn {} of {}", facts.turn, replay_frames.turns());
    if (facts.forfeit) text += ", forfeit";
    return text;
}

// How it ended, where the frame is the last one.
std::string told_status(const ReplayFrames& replay_frames, std::size_t frame) {
    if (frame + 1 != replay_frames.frames()) return {};
    std::string text = visible_line(replay_frames.result().find("status").text());
    const auto scores = replay_frames.result().find("outcome").find("scores");
    for (std::size_t seat = 0; const auto score : scores.elements()) {
        text += (seat == 0 ? ", scores " : " : ") + visible_line(score.json_text());
        ++seat;
    }
    return text;
}

// What was played in the turn that led to the frame, its faults, what else the engine noted, and
// what the bots said.
std::vector<Line> turn_lines(const ReplayFrames& replay_frames, std::size_t frame) {
    const auto& facts = replay_frames.facts(frame);
    const auto name_of = [&](engines::Seat seat) {
        return visible_line(replay_frames.bots()[seat]);
    };
    std::vector<Line> lines;
    for (std::size_t seat = 0; seat < facts.moves.size(); ++seat) {
        if (facts.moves[seat].empty() && facts.used_us[seat] == 0) continue;
        lines.push_back(
            {{name_of(seat), Paint::strong},
             {": " + (facts.moves[seat].empty() ? "no move" : visible_line(facts.moves[seat])) +
              ", " + short_time(facts.used_us[seat])}});
    }
    if (facts.forfeit)
        lines.push_back({{name_of(*facts.forfeit) + " is out of the game", Paint::bad}});
    for (const auto fault : replay_frames.faults()) {
        if (fault.find("turn").integer() != facts.turn || frame == 0) continue;
        const auto told = [&fault](std::string_view member) {
            return visible_line(fault.find(member).text());
        };
        const auto seat = fault.find("seat").unsigned_integer().value_or(0);
        lines.push_back(
            {{"fault of " + name_of(seat) + ": " + told("code") + " (" + told("consequence") + ")",
              Paint::bad},
             {"  " + told("message")}});
    }
    for (const auto& note : facts.notes) {
        if (note.is_fault) continue;  // the fault tells it
        lines.push_back({{name_of(note.seat) + ": " + visible_line(note.message)}});
    }
    for (std::size_t seat = 0; seat < facts.debug.size(); ++seat) {
        if (facts.debug[seat].empty()) continue;
        lines.push_back(
            {{name_of(seat) + " says: ", Paint::strong}, {visible_line(facts.debug[seat])}});
    }
    return lines;
}

std::vector<Line> help_lines() {
    std::vector<Line> lines;
    const auto text = help_text();
    for (std::string_view rest = text; !rest.empty();)
        lines.push_back({{std::string(base::next_line(rest))}});
    return lines;
}

std::string running_text(RunningPlayback running) {
    if (running == RunningPlayback::stopped) return "";
    return running == RunningPlayback::forward ? "running, " : "running back, ";
}

// What a screen shows of a game: its title line, the board, and below it what the turn was.
std::vector<Line> picture(ReplayFrames& replay_frames, const Playback& playback,
                          const std::string& which_game, const engines::Screen& screen) {
    constexpr std::int64_t tenths = 10;
    std::vector<Line> below;
    for (const auto& line : turn_lines(replay_frames, playback.frame))
        std::ranges::move(wrapped(line, screen.columns), std::back_inserter(below));
    below.push_back({{with_tenths(us_per_s * tenths / frame_us(playback)) + " frames a second, " +
                          running_text(playback.running) + "h help, q close",
                      Paint::faint}});
    const auto title_lines = std::min<std::size_t>(1, screen.lines);
    const engines::Screen room{
        screen.columns, screen.lines - title_lines - std::min(below.size(), screen.lines / 2)};
    const auto& state = replay_frames.state(playback.frame);
    const auto text = state.render_for(playback.followed, room);
    const auto other = (playback.followed + 1) % playback.seats;
    const bool is_part = other != playback.followed && state.render_for(other, room) != text;
    if (is_part && !below.empty())
        below.back().push_back(
            {fmt::format("; around {} (seat {}, v: the next)",
                         visible_line(replay_frames.bots()[playback.followed]), playback.followed),
             Paint::strong});
    auto lines = position_lines(text);
    lines.resize(std::min(lines.size(), room.lines));
    // On a low screen the board comes first, then what was played, and last what was said of it.
    const auto most = static_cast<std::ptrdiff_t>(screen.lines - title_lines - lines.size());
    if (std::ssize(below) > most)
        below.erase(below.begin() + std::max<std::ptrdiff_t>(most - 1, 0),
                    below.end() - (most > 0 ? 1 : 0));
    if (title_lines > 0) {
        auto facts = "  " + turn_of(replay_frames, playback.frame) + "  " +
                     visible_line(replay_frames.game_id()) + "  " + joined_names(replay_frames) +
                     which_game;
        if (const auto status = told_status(replay_frames, playback.frame); !status.empty())
            facts += "  " + status;
        lines.insert(lines.begin(), {{std::string(replay_frames.info().title), Paint::strong},
                                     {std::move(facts)}});
    }
    std::move(below.begin(), below.end(), std::back_inserter(lines));
    return lines;
}

// The frames of the turns in which there were faults.
std::vector<std::size_t> fault_frames_of(const ReplayFrames& replay_frames) {
    std::vector<std::size_t> frames;
    for (const auto fault : replay_frames.faults()) {
        const auto turn = fault.find("turn").integer().value_or(0);
        if (const auto frame = replay_frames.frame_after(turn)) frames.push_back(*frame);
    }
    std::ranges::sort(frames);
    return frames;
}

class Player {
 public:
    Player(const std::vector<std::unique_ptr<ReplayFrames>>& replays, Terminal& terminal)
        : replays_(replays), terminal_(terminal) {
        for (const auto& replay_frames : replays)
            playbacks_.push_back({replay_frames->frames(), fault_frames_of(*replay_frames),
                                  replay_frames->bots().size()});
    }

    int run() {
        while (!ended_by_) {
            draw();
            const auto happened = terminal_.wait(time_left_us());
            if (happened.ended_by != 0) return happened.ended_by;
            if (happened.input_is_over) return SIGHUP;
            for (const auto& press : happened.keys) take(press);
            run_on();
        }
        return *ended_by_;
    }

 private:
    Playback& playback() { return playbacks_[chosen_]; }

    void draw() {
        std::string which_game;
        if (replays_.size() > 1)
            which_game = fmt::format("  (game {} of {})", chosen_ + 1, replays_.size());
        terminal_.draw(playback().help
                           ? help_lines()
                           : picture(*replays_[chosen_], playback(), which_game, screen_size()));
    }

    // Until the next frame is due; below zero where none is.
    std::int64_t time_left_us() {
        if (playback().running == RunningPlayback::stopped || playback().help) {
            due_.reset();
            return -1;
        }
        if (!due_) due_ = Clock::now() + std::chrono::microseconds(frame_us(playback()));
        const auto left =
            std::chrono::duration_cast<std::chrono::microseconds>(*due_ - Clock::now());
        return std::max<std::int64_t>(left.count(), 0);
    }

    void take(const KeyPress& press) {
        if (press.action == KeyAction::interrupt) ended_by_ = SIGINT;
        if (press.action == KeyAction::close) {
            if (!playback().help) ended_by_ = 0;
            playback().help = false;
        }
        if (press.action == KeyAction::choose && press.chosen < replays_.size())
            chosen_ = press.chosen;
        obey(playback(), press.action);
        const bool changes_time = press.action == KeyAction::faster ||
                                  press.action == KeyAction::slower ||
                                  press.action == KeyAction::choose;
        if (changes_time) due_.reset();
    }

    void run_on() {
        if (!due_ || Clock::now() < *due_) return;
        due_.reset();
        advance(playback());
    }

    const std::vector<std::unique_ptr<ReplayFrames>>& replays_;
    Terminal& terminal_;
    std::vector<Playback> playbacks_;
    std::size_t chosen_ = 0;
    std::optional<Clock::time_point> due_;
    std::optional<int> ended_by_;
};

}  // namespace

void obey(Playback& playback, KeyAction action) {
    const auto stop = [&] { playback.running = RunningPlayback::stopped; };
    switch (action) {
        case KeyAction::next:
        case KeyAction::previous:
            stop();
            step(playback, action == KeyAction::next);
            break;
        case KeyAction::first:
            stop();
            playback.frame = 0;
            break;
        case KeyAction::last:
            stop();
            playback.frame = playback.frames - 1;
            break;
        case KeyAction::run_forward:
            playback.running = RunningPlayback::forward;
            break;
        case KeyAction::run_backward:
            playback.running = RunningPlayback::backward;
            break;
        case KeyAction::faster:
            playback.speed = std::min(playback.speed + 1, speed_max);
            break;
        case KeyAction::slower:
            playback.speed = std::max(playback.speed - 1, speed_min);
            break;
        case KeyAction::pause:
            pause_or_go_on(playback);
            break;
        case KeyAction::next_fault:
        case KeyAction::previous_fault:
            stop();
            go_to_fault(playback, action == KeyAction::next_fault);
            break;
        case KeyAction::help:
            playback.help = !playback.help;
            break;
        case KeyAction::follow:
            playback.followed = (playback.followed + 1) % playback.seats;
            break;
        case KeyAction::choose:
        case KeyAction::close:
        case KeyAction::interrupt:
            break;
    }
}

void advance(Playback& playback) {
    if (playback.running == RunningPlayback::stopped) return;
    const bool forward = playback.running == RunningPlayback::forward;
    step(playback, forward);
    if (playback.frame == (forward ? playback.frames - 1 : 0))
        playback.running = RunningPlayback::stopped;
}

std::int64_t frame_us(const Playback& playback) {
    return playback.speed >= 0 ? frame_us_at_first >> playback.speed
                               : frame_us_at_first << -playback.speed;
}

std::string told_frame(ReplayFrames& replay_frames, std::size_t frame) {
    std::string text = std::string(replay_frames.info().title) + ", " +
                       visible_line(replay_frames.game_id()) + ": " + joined_names(replay_frames) +
                       "\n" + turn_of(replay_frames, frame) + "\n";
    text += replay_frames.state(frame).render();
    for (const auto& line : turn_lines(replay_frames, frame)) {
        for (const auto& piece : line) text += piece.text;
        text += '\n';
    }
    if (const auto status = told_status(replay_frames, frame); !status.empty())
        text += status + "\n";
    return text;
}

int watch(const std::vector<std::unique_ptr<ReplayFrames>>& replays, Terminal& terminal) {
    return Player(replays, terminal).run();
}

}  // namespace referee::terminal
