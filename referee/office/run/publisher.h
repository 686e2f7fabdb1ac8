#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/arena/scheduler/scheduler.h"
#include "referee/connections/runtime/background.h"
#include "referee/connections/runtime/life.h"
#include "referee/connections/runtime/timers.h"
#include "referee/office/report/output_folder.h"

namespace referee::run {

// Keeps the output folder's files up to date while tournaments are played: a game's files when it
// is over, the standings every now and then and at the end. It draws up and writes them beside the
// loop, which judges time meanwhile. Everything here can be made again from the store, so what
// can't be written is told, and nothing else comes of it.
class Publisher {
 public:
    using OnTrouble = std::function<void(const std::string& message)>;
    // How a tournament stands now, by its id.
    using SnapshotOf = std::function<scheduler::ContestSnapshot(const std::string& tournament)>;
    // Two, so that no game's files wait for standings that take long. Both outlive it.
    struct Beside {
        runtime::Background& standings;
        runtime::Background& games;
    };

    // The timers outlive it.
    Publisher(report::OutputFolder folder, runtime::Timers& timers, Beside beside,
              SnapshotOf snapshot_of, OnTrouble on_trouble);
    ~Publisher();
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;
    Publisher(Publisher&&) = delete;
    Publisher& operator=(Publisher&&) = delete;

    void game(const table::Table& table, std::shared_ptr<const journal::GameRecord> game);
    // Of a game that is over for long.
    void replay(const GameKey& key, std::string text);
    // The tournament stands differently now.
    void changed(const std::string& tournament);
    // As soon as can be. Standings are drawn up one tournament after the other, each as it stands
    // when its turn comes.
    void standings(const std::string& tournament);
    // Tells once, when all that was asked for is written or can't be; perhaps from inside the call.
    void when_written(std::function<void()> then);
    // The loop has ended: standings are written no more, and all else at once.
    void close();

    // What was told last.
    const std::string& trouble() const { return trouble_; }

 private:
    using Trouble = std::optional<std::string>;

    void write(std::size_t bytes, std::function<Trouble()> work);
    void write_later();
    void write_next_standings();
    void on_standings_written(const Trouble& trouble, Duration took);
    void note(const Trouble& wrong);
    void tell_written();

    report::OutputFolder folder_;
    runtime::Timers& timers_;
    Beside beside_;
    SnapshotOf snapshot_of_;
    OnTrouble on_trouble_;
    runtime::Life life_;
    bool closed_ = false;
    // Standings.
    std::set<std::string> changed_;  // to be written when the rest is over
    std::set<std::string> due_;      // to be written now
    bool writing_ = false;           // those of one tournament
    Duration worked_{};              // since the last rest
    runtime::Timers::Id timer_ = 0;
    Instant not_before_{};
    // Files of games that wait to be written.
    std::size_t files_waiting_ = 0;
    std::size_t bytes_waiting_ = 0;
    std::vector<std::function<void()>> told_when_written_;
    std::string trouble_;
};

}  // namespace referee::run
