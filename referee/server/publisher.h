#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/report/output_folder.h"
#include "referee/store/store.h"
#include "referee/tournament/referee.h"

namespace referee::server {

// Files of games, and bytes of them, that wait to be written beside the loop: memory is finite. A
// disk that is slower than that keeps the games waiting.
inline constexpr std::size_t files_waiting_max = 100'000;
inline constexpr std::size_t file_bytes_waiting_max = 64 * 1024 * 1024;

// Keeps the output folder's files up to date while tournaments are played: writes a game's files
// when the game is over, and the standings now and then and at the end. It makes and writes them
// beside the loop, which measures bots' time meanwhile. All of it can be made again from the store,
// so a file that can't be written is only reported.
class Publisher final : public tournament::RefereeObserver {
 public:
    using OnTrouble = std::function<void(const std::string& message)>;
    // The present state of a tournament, by its id.
    using SnapshotOf = std::function<contests::ContestSnapshot(const std::string& tournament)>;
    // Whether its games leave files, by its id.
    using HasFiles = std::function<bool(const std::string& tournament)>;
    // Two threads, so that files of games don't wait for standings, which may take long. Both
    // outlive the publisher.
    struct Beside {
        loop::Background& standings;
        loop::Background& games;
    };

    // The timers outlive it.
    Publisher(report::OutputFolder folder, loop::Timers& timers, Beside beside,
              SnapshotOf snapshot_of, HasFiles has_files, OnTrouble on_trouble);
    ~Publisher() override;
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;

    // Is called when the files of a tournament's standings are written.
    void on_standings(std::function<void(const std::string& tournament)> call) {
        on_standings_ = std::move(call);
    }
    // The folders of these tournaments, and their pages; all that there are.
    void folders(std::vector<pages::FolderLink> tournaments);
    // Writes the files of games that a former run had no time to write; the store has all that is
    // needed. It outlives this.
    void write_missing(store::Store& store, const std::vector<GameKey>& games);
    void replay(const GameKey& key, std::string text);
    // The standings of the tournament have changed.
    void changed(const std::string& tournament);
    // Writes the standings as soon as possible. Tournaments are written one after the other, each
    // in the state that it has when its turn comes.
    void standings(const std::string& tournament);
    // Calls `then` once, when all that was asked for has been written or can't be; perhaps from
    // inside this call.
    void when_written(std::function<void()> then);
    // The loop has ended: from now on no standings are written, and all other files are written at
    // once.
    void close();

    // Whether the standings' files are not of now, or some of a game are not there.
    bool lacks_files() const { return games_lack_files_ || !stale_.empty(); }

    // What the bots said at the table is kept nowhere else.
    void on_game(const std::shared_ptr<const records::GameRecord>& game,
                 const table::Table* table) override;
    void on_match(const std::string& tournament, const formats::MatchResult& /*match*/) override {
        changed(tournament);
    }
    void on_dropped(const std::string& tournament, const std::string& /*reason*/) override {
        changed(tournament);
    }
    void on_state(const std::string& tournament, records::TournamentState /*state*/,
                  const std::string& /*reason*/) override {
        standings(tournament);
    }
    void on_withdrawn(const std::string& tournament, const std::string& /*bot*/,
                      const std::string& /*reason*/) override {
        changed(tournament);
    }
    void on_admitted(const std::string& tournament, const std::string& /*bot*/) override {
        changed(tournament);
    }
    void on_annulled(const std::string& tournament, const Annulled& /*annulled*/) override {
        changed(tournament);
    }
    void on_set_aside(const std::string& tournament) override { changed(tournament); }

 private:
    void write_showing(const GameKey& key);
    void write(std::size_t bytes, std::function<report::Written()> work);
    void write_next_showing();
    void write_later();
    void write_next_standings();
    void on_standings_written(const std::string& tournament, const report::Written& written,
                              Duration took);
    void note_game(const report::Written& written);
    void tell(const report::Written& written);
    void tell_written();

    report::OutputFolder folder_;
    loop::Timers& timers_;
    Beside beside_;
    SnapshotOf snapshot_of_;
    HasFiles has_files_;
    OnTrouble on_trouble_;
    std::function<void(const std::string&)> on_standings_;  // may be null
    loop::Life life_;
    bool closed_ = false;
    // Standings.
    std::set<std::string> changed_;  // to be written when the gap is over
    std::set<std::string> due_;      // to be written now
    bool writing_ = false;           // those of one tournament
    Duration worked_{};              // since the last gap
    loop::Timers::Id timer_ = 0;
    Instant not_before_{};
    // Files of games that wait to be written.
    std::size_t files_waiting_ = 0;
    std::size_t bytes_waiting_ = 0;
    // Games whose pages are to be written, one after the other. Their replays are written already,
    // or wait before them.
    std::deque<GameKey> showings_due_;
    bool writing_showing_ = false;
    std::vector<std::function<void()>> told_when_written_;
    std::set<std::string> stale_;  // whose standings could not be written
    bool games_lack_files_ = false;
    std::string trouble_;  // the last that was told
};

}  // namespace referee::server
