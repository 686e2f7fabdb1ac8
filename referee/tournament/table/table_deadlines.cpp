#include <algorithm>

#include "referee/game/play/play.h"
#include "referee/tournament/table/table.h"

// When a table looks for answers.

namespace referee::table {
namespace {

// A bot may think on several cores at once. Looks at its processor time come so often that on no
// more than these it doesn't pass its budget by more than the last look's time.
constexpr int cores_of_a_bot = 8;
constexpr Duration cpu_look_least = std::chrono::milliseconds(1);

}  // namespace

void Table::arm(const play::ArmDeadline& deadline) {
    disarm(deadline.seat);
    auto& place = places_[deadline.seat];
    place.deadline = {0, deadline.at, deadline.look_every, deadline.cpu_budget};
    place.core_look = timers_.now() + play::core_look_every;
    if (deadline.cpu_budget == Duration::zero()) return wait(deadline.seat, std::nullopt);
    const bool just_sent = timers_.now() - play_.sent_at(deadline.seat) < cpu_look_least;
    wait(deadline.seat, cpu_in_turn(deadline.seat, just_sent));
}

void Table::wait(Seat seat, std::optional<Duration> cpu_used) {
    auto& deadline = *places_[seat].deadline;
    auto next = deadline.at;
    const auto look_in = [&](Duration time) { next = std::min(next, timers_.now() + time); };
    if (deadline.look_every > Duration::zero()) look_in(deadline.look_every);
    if (bots_[seat]->process() != nullptr) next = std::min(next, places_[seat].core_look);
    if (cpu_used)
        look_in(std::max(cpu_look_least, (deadline.cpu_budget - *cpu_used) / cores_of_a_bot));
    if (next < deadline.at) {
        deadline.timer = timers_.schedule(next, [this, seat] { look(seat); });
        return;
    }
    deadline.timer = timers_.schedule(deadline.at, [this, seat] {
        places_[seat].deadline.reset();
        on_deadline(seat);
    });
}

void Table::look(Seat seat) {
    auto& deadline = places_[seat].deadline;
    deadline->timer = 0;
    if (auto* connection = session(seat); connection != nullptr) connection->drain();
    // The answer may have been there; then there is no deadline now, or that of another turn.
    if (!deadline || deadline->timer != 0) return;
    if (bots_[seat]->process() != nullptr && timers_.now() >= places_[seat].core_look)
        core_wait_max(seat);
    const auto used =
        deadline->cpu_budget > Duration::zero() ? cpu_in_turn(seat, false) : std::nullopt;
    if (!used || *used < deadline->cpu_budget) return wait(seat, used);
    deadline.reset();
    on_deadline(seat);
}

void Table::disarm(Seat seat) {
    auto& deadline = places_[seat].deadline;
    if (!deadline) return;
    timers_.cancel(deadline->timer);
    deadline.reset();
}

std::optional<Instant> Table::deadline(Seat seat) const {
    const auto& deadline = places_[seat].deadline;
    return deadline ? std::optional(deadline->at) : std::nullopt;
}

void Table::on_deadline(Seat seat) {
    judging_ = true;
    judge(seat);
    judging_ = false;
    perform_afterwards();
}

void Table::judge(Seat seat) {
    // An answer may be in the kernel's buffer already: its stamp decides, and not whether we saw
    // the deadline or the answer first.
    if (auto* connection = session(seat); connection != nullptr) connection->drain();
    auto& place = places_[seat];
    if (play_.finished()) return;
    // Its process may have crashed while another of its processes keeps the connection open: then
    // it doesn't keep us waiting, it crashed.
    auto* process = bots_[seat]->process();
    if (process != nullptr && process->exited() && !place.crash_told) {
        book_disconnection(seat, session::CloseCause::left);
        if (play_.finished()) return;
    }
    auto arrival = arrival_of(seat, Stamp::exact(timers_.now()));
    if (process != nullptr && (play_.runs(seat) || play_.awaits_ready(seat)))
        arrival.waited = core_wait_max(seat);
    const auto met = process == nullptr ? std::string() : process->met();
    arrival.met = met;
    if (const auto* connection = session(seat); connection != nullptr)
        arrival.half_line = connection->half_line();
    if (process != nullptr && play_.runs(seat)) arrival.worked = process->worked_in_turn();
    // Where the answer was there, this changes nothing.
    play_.deadline(seat, arrival, actions_);
}

Duration Table::core_wait_max(Seat seat) {
    auto& place = places_[seat];
    const auto now = timers_.now();
    place.core_look = now + play::core_look_every;
    place.core_wait =
        std::max(place.core_wait, bots_[seat]->process()->core_wait_max(now - play_.sent_at(seat)));
    return place.core_wait;
}

std::optional<Duration> Table::cpu_in_turn(Seat seat, bool just_read) const {
    auto* process = bots_[seat]->process();
    const auto before = places_[seat].cpu_at_send;
    if (process == nullptr || !before) return std::nullopt;
    const auto now = just_read ? process->cpu_time_just_read() : process->cpu_time();
    if (!now) return std::nullopt;
    return *now >= *before ? *now - *before : *now;  // less: it was launched anew
}

}  // namespace referee::table
