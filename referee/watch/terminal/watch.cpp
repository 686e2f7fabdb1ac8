#include "referee/watch/terminal/watch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

#include "referee/watch/terminal/picture.h"
#include "referee/watch/terminal/playback.h"

namespace referee::terminal {
namespace {

using Clock = std::chrono::steady_clock;

// The frames of the turns in which there were faults.
std::vector<std::size_t> fault_frames_of(const showing::ReplayFrames& replay_frames) {
    std::vector<std::size_t> frames;
    for (const auto& fault : replay_frames.faults()) {
        if (const auto frame = replay_frames.frame_after(fault.turn)) frames.push_back(*frame);
    }
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

class Watching {
 public:
    Watching(const std::vector<std::unique_ptr<showing::ReplayFrames>>& films, Terminal& terminal)
        : films_(films), terminal_(terminal) {
        for (const auto& replay_frames : films)
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
        const auto size = terminal_.size();
        terminal_.draw(playback().help
                           ? help_picture(size)
                           : picture(*films_[chosen_], playback(), {chosen_, films_.size()}, size));
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
        if (press.wish == KeyAction::interrupt) ended_by_ = SIGINT;
        if (press.wish == KeyAction::close) {
            if (playback().help) {
                playback().help = false;
            } else {
                ended_by_ = 0;
            }
        }
        if (press.wish == KeyAction::choose && press.chosen < films_.size()) chosen_ = press.chosen;
        obey(playback(), press.wish);
        const bool changes_time = press.wish == KeyAction::faster ||
                                  press.wish == KeyAction::slower ||
                                  press.wish == KeyAction::choose;
        if (changes_time) due_.reset();
    }

    void run_on() {
        if (!due_ || Clock::now() < *due_) return;
        due_.reset();
        advance(playback());
    }

    const std::vector<std::unique_ptr<showing::ReplayFrames>>& films_;
    Terminal& terminal_;
    std::vector<Playback> playbacks_;
    std::size_t chosen_ = 0;
    std::optional<Clock::time_point> due_;
    std::optional<int> ended_by_;
};

}  // namespace

int watch(const std::vector<std::unique_ptr<showing::ReplayFrames>>& films, Terminal& terminal) {
    return Watching(films, terminal).run();
}

}  // namespace referee::terminal
