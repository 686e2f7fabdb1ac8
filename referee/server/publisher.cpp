#include "referee/server/publisher.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "referee/files/file.h"

namespace referee::server {
namespace {

// Standings aren't written more often than a person can read them. Writing them takes only a small
// share of the time, because bots need the processor too. On a busy machine a writing takes long by
// waiting alone; whoever looks at a page shouldn't see what is a minute old.
constexpr Duration gap_min = std::chrono::seconds(2);
constexpr Duration gap_max = std::chrono::seconds(20);
constexpr int gap_per_work = 50;

// What a game leaves in addition to its record.
struct DebugText {
    std::string bot;
    std::string text;
};

}  // namespace

Publisher::Publisher(report::OutputFolder folder, loop::Timers& timers, Beside beside,
                     SnapshotOf snapshot_of, HasFiles has_files, OnTrouble on_trouble)
    : folder_(std::move(folder)),
      timers_(timers),
      beside_(beside),
      snapshot_of_(std::move(snapshot_of)),
      has_files_(std::move(has_files)),
      on_trouble_(std::move(on_trouble)) {}

Publisher::~Publisher() {
    timers_.cancel(timer_);
}

void Publisher::folders(std::vector<pages::FolderLink> tournaments) {
    write(0, [folder = folder_, tournaments = std::move(tournaments)] {
        return folder.prepare(tournaments);
    });
}

void Publisher::on_game(const std::shared_ptr<const records::GameRecord>& game,
                        const table::Table* table) {
    const auto& key = game->result.key;
    const bool with_replay = has_files_(key.tournament);
    auto bytes = game->replay.size();
    std::vector<DebugText> debug;
    for (engines::Seat seat = 0; table != nullptr && seat < table->bots().size(); ++seat) {
        const auto& text = table->debug_text(seat);
        if (text.empty()) continue;
        bytes += text.size();
        debug.push_back({table->bots()[seat]->name(), text});
    }
    if (!with_replay && debug.empty()) return;
    write(bytes, [folder = folder_, game, debug = std::move(debug), with_replay] {
        auto written = with_replay ? folder.write_game(*game) : report::Written{};
        for (const auto& [bot, text] : debug) {
            auto also = folder.write_debug(game->result.key, bot, text);
            if (written) written = std::move(also);
            if (!with_replay) folder.drop_old_debug(game->result.key.tournament, bot);
        }
        return written;
    });
    if (with_replay) write_showing(key);
}

void Publisher::write_missing(store::Store& store, const std::vector<GameKey>& games) {
    for (const auto& key : games) {
        if (!has_files_(key.tournament)) continue;
        std::error_code ignored;
        const auto size = std::filesystem::file_size(folder_.replay_file(key), ignored);
        if (!ignored && size > 0) {
            if (!std::filesystem::exists(folder_.showing_file(key), ignored)) write_showing(key);
            continue;
        }
        store.replay(key, [this, key](const store::FoundReplay& found) {
            if (!found) return on_trouble_(found.error().message);
            if (*found && !(*found)->empty()) replay(key, **found);
        });
    }
}

void Publisher::replay(const GameKey& key, std::string text) {
    const auto bytes = text.size();
    write(bytes, [file = folder_.replay_file(key), text = std::move(text)] {
        return files::write_file(file, text);
    });
    write_showing(key);
}

void Publisher::write_showing(const GameKey& key) {
    showings_due_.push_back(key);
    write_next_showing();
}

// Never on the loop: an engine plays the game again for it. What is not written before the loop
// ends is missing, and is written by the next run.
void Publisher::write_next_showing() {
    if (writing_showing_ || showings_due_.empty() || closed_) return;
    writing_showing_ = true;
    const auto written = std::make_shared<report::Written>();
    beside_.games.run([folder = folder_, key = showings_due_.front(),
                       written] { *written = folder.write_showing(key); },
                      life_.while_it_lasts([this, written] {
                          writing_showing_ = false;
                          note_game(*written);
                          write_next_showing();
                          tell_written();
                      }));
    showings_due_.pop_front();
}

// When too much waits already, the loop itself writes the file. Then games come no faster than the
// disk can take them, and nothing is lost.
void Publisher::write(std::size_t bytes, std::function<report::Written()> work) {
    if (closed_ || bytes_waiting_ + bytes > file_bytes_waiting_max ||
        files_waiting_ == files_waiting_max)
        return note_game(work());
    ++files_waiting_;
    bytes_waiting_ += bytes;
    const auto written = std::make_shared<report::Written>();
    beside_.games.run([written, work = std::move(work)] { *written = work(); },
                      life_.while_it_lasts([this, written, bytes] {
                          --files_waiting_;
                          bytes_waiting_ -= bytes;
                          note_game(*written);
                          tell_written();
                      }));
}

void Publisher::changed(const std::string& tournament) {
    changed_.insert(tournament);
    write_later();
}

void Publisher::write_later() {
    if (timer_ != 0 || writing_ || closed_) return;
    timer_ = timers_.schedule(std::max(timers_.now(), not_before_), [this] {
        timer_ = 0;
        due_.merge(std::exchange(changed_, {}));
        write_next_standings();
    });
}

void Publisher::standings(const std::string& tournament) {
    changed_.erase(tournament);
    due_.insert(tournament);
    write_next_standings();
}

void Publisher::write_next_standings() {
    if (writing_ || due_.empty() || closed_) return;
    writing_ = true;
    const auto begun = timers_.now();
    const auto tournament = due_.extract(due_.begin()).value();
    const auto contest = std::make_shared<contests::ContestSnapshot>(snapshot_of_(tournament));
    const auto written = std::make_shared<report::Written>();
    beside_.standings.run(
        [folder = folder_, contest, written] {
            // The large snapshot is moved here, so that it is also destroyed here, where that may
            // take a while.
            const auto taken = std::move(*contest);
            *written = folder.write_standings(report::ledger_of(taken));
        },
        life_.while_it_lasts([this, tournament, written, begun] {
            on_standings_written(tournament, *written, timers_.now() - begun);
        }));
}

void Publisher::on_standings_written(const std::string& tournament, const report::Written& written,
                                     Duration took) {
    if (on_standings_) on_standings_(tournament);
    writing_ = false;
    worked_ += took;
    if (written) {
        stale_.erase(tournament);
    } else {
        stale_.insert(tournament);
    }
    tell(written);
    if (due_.empty()) {
        const auto worked = std::exchange(worked_, {});
        not_before_ = timers_.now() + std::clamp(gap_per_work * worked, gap_min, gap_max);
        if (!changed_.empty()) write_later();
    }
    write_next_standings();
    tell_written();
}

void Publisher::when_written(std::function<void()> then) {
    told_when_written_.push_back(std::move(then));
    tell_written();
}

void Publisher::tell_written() {
    if (writing_ || !due_.empty() || files_waiting_ > 0) return;
    if (!closed_ && (writing_showing_ || !showings_due_.empty())) return;
    for (const auto& then : std::exchange(told_when_written_, {})) then();
}

void Publisher::close() {
    closed_ = true;
    timers_.cancel(std::exchange(timer_, 0));
}

void Publisher::note_game(const report::Written& written) {
    if (!written) games_lack_files_ = true;
    tell(written);
}

void Publisher::tell(const report::Written& written) {
    if (written || written.error() == trouble_) return;
    trouble_ = written.error();
    on_trouble_(trouble_);
}

}  // namespace referee::server
