#include "referee/watch/terminal/playback.h"

#include <algorithm>

namespace referee::terminal {
namespace {

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

}  // namespace

void obey(Playback& playback, KeyAction wish) {
    const auto stop = [&] { playback.running = RunningPlayback::stopped; };
    switch (wish) {
        case KeyAction::next:
            stop();
            step(playback, true);
            break;
        case KeyAction::previous:
            stop();
            step(playback, false);
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
            stop();
            go_to_fault(playback, true);
            break;
        case KeyAction::previous_fault:
            stop();
            go_to_fault(playback, false);
            break;
        case KeyAction::projector:
            playback.projector = !playback.projector;
            break;
        case KeyAction::debug:
            playback.debug = !playback.debug;
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
    const bool forward = playback.running == RunningPlayback::forward;
    if (playback.running == RunningPlayback::stopped) return;
    step(playback, forward);
    if (playback.frame == (forward ? playback.frames - 1 : 0))
        playback.running = RunningPlayback::stopped;
}

std::int64_t frame_us(const Playback& playback) {
    return playback.speed >= 0 ? frame_us_at_first >> playback.speed
                               : frame_us_at_first << -playback.speed;
}

}  // namespace referee::terminal
