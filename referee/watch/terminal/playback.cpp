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

void obey(Playback& playback, KeyWish wish) {
    const auto stop = [&] { playback.running = RunningPlayback::stopped; };
    switch (wish) {
        case KeyWish::next:
            stop();
            step(playback, true);
            break;
        case KeyWish::previous:
            stop();
            step(playback, false);
            break;
        case KeyWish::first:
            stop();
            playback.frame = 0;
            break;
        case KeyWish::last:
            stop();
            playback.frame = playback.frames - 1;
            break;
        case KeyWish::run_forward:
            playback.running = RunningPlayback::forward;
            break;
        case KeyWish::run_backward:
            playback.running = RunningPlayback::backward;
            break;
        case KeyWish::faster:
            playback.speed = std::min(playback.speed + 1, speed_max);
            break;
        case KeyWish::slower:
            playback.speed = std::max(playback.speed - 1, speed_min);
            break;
        case KeyWish::pause:
            pause_or_go_on(playback);
            break;
        case KeyWish::next_fault:
            stop();
            go_to_fault(playback, true);
            break;
        case KeyWish::previous_fault:
            stop();
            go_to_fault(playback, false);
            break;
        case KeyWish::projector:
            playback.projector = !playback.projector;
            break;
        case KeyWish::debug:
            playback.debug = !playback.debug;
            break;
        case KeyWish::help:
            playback.help = !playback.help;
            break;
        case KeyWish::follow:
            playback.followed = (playback.followed + 1) % playback.seats;
            break;
        case KeyWish::choose:
        case KeyWish::close:
        case KeyWish::interrupt:
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
