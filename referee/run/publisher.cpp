#include "referee/run/publisher.h"

#include <algorithm>
#include <utility>

#include "referee/report/contest_ledger.h"

namespace referee::run {
namespace {

// Standings aren't written more often than a person can read them, and what it takes to write them
// is a small share of the time: games must not wait for files.
constexpr Duration rest_min = std::chrono::seconds(2);
constexpr int rest_per_work = 50;

}  // namespace

Publisher::Publisher(const report::OutputFolder& folder, runtime::Timers& timers,
                     SnapshotOf snapshot_of, OnTrouble on_trouble)
    : folder_(folder),
      timers_(timers),
      snapshot_of_(std::move(snapshot_of)),
      on_trouble_(std::move(on_trouble)) {}

Publisher::~Publisher() {
    timers_.cancel(timer_);
}

void Publisher::game(const table::Table& table, const journal::GameRecord& game) {
    note(folder_.write_game(game));
    for (engines::Seat seat = 0; seat < table.bots().size(); ++seat) {
        const auto& text = table.debug_text(seat);
        if (!text.empty())
            note(folder_.write_debug(game.result.key, table.bots()[seat]->name(), text));
    }
}

void Publisher::changed(const std::string& tournament) {
    changed_.insert(tournament);
    write_later();
}

void Publisher::write_later() {
    if (timer_ != 0) return;
    timer_ = timers_.schedule(std::max(timers_.now(), not_before_), [this] {
        timer_ = 0;
        all_changed();
    });
}

void Publisher::standings(const std::string& tournament) {
    changed_.erase(tournament);
    note(folder_.write_standings(report::ledger_of(snapshot_of_(tournament))));
}

void Publisher::all_changed() {
    const auto begun = timers_.now();
    for (const auto& tournament : std::exchange(changed_, {})) standings(tournament);
    const auto ended = timers_.now();
    not_before_ = ended + std::max(rest_min, rest_per_work * (ended - begun));
}

void Publisher::note(const std::optional<std::string>& wrong) {
    if (!wrong || *wrong == trouble_) return;
    trouble_ = *wrong;
    on_trouble_(trouble_);
}

}  // namespace referee::run
