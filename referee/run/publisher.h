#pragma once

#include <functional>
#include <set>
#include <string>

#include "referee/report/output_folder.h"
#include "referee/runtime/timers.h"
#include "referee/scheduler/scheduler.h"

namespace referee::run {

// Keeps the output folder's files up to date while tournaments are played: a game's files when it
// is over, the standings every now and then and at the end. Everything here can be made again from
// the store, so what can't be written is told, and nothing else comes of it.
class Publisher {
 public:
    using OnTrouble = std::function<void(const std::string& message)>;
    // How a tournament stands now, by its id.
    using SnapshotOf = std::function<scheduler::ContestSnapshot(const std::string& tournament)>;

    // The folder and the timers outlive it.
    Publisher(const report::OutputFolder& folder, runtime::Timers& timers, SnapshotOf snapshot_of,
              OnTrouble on_trouble);
    ~Publisher();
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;
    Publisher(Publisher&&) = delete;
    Publisher& operator=(Publisher&&) = delete;

    void game(const table::Table& table, const journal::GameRecord& game);
    // The tournament stands differently now.
    void changed(const std::string& tournament);
    // At once, whatever was changed.
    void standings(const std::string& tournament);
    void all_changed();

    // What was told last.
    const std::string& trouble() const { return trouble_; }

 private:
    void note(const std::optional<std::string>& wrong);
    void write_later();

    const report::OutputFolder& folder_;
    runtime::Timers& timers_;
    SnapshotOf snapshot_of_;
    OnTrouble on_trouble_;
    std::set<std::string> changed_;
    runtime::Timers::Id timer_ = 0;
    Instant not_before_{};
    std::string trouble_;
};

}  // namespace referee::run
