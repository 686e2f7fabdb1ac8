#include <algorithm>
#include <chrono>
#include <filesystem>

#include "referee/net/loop/machine.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"

// What a server takes over from former runs.

namespace referee::server {

base::Result<void, Ending> Server::recover_past() {
    const auto now = timers_.now();
    const auto now_ms = loop::wall_clock_ms();
    const auto remember = [&](const store::StoredRecord& stored) {
        const auto then = now - std::chrono::milliseconds(now_ms - stored.time_ms);
        if (const auto* game = std::get_if<records::GameRecord>(&stored.record))
            referee_->queries().know(game->result, then);
        if (const auto* annulled = std::get_if<records::AnnulmentRecord>(&stored.record)) {
            referee_->queries().annul(annulled->key, annulled->reason, false);
            filed_games_.annul(annulled->key, annulled->reason);
        }
        if (const auto* restored = std::get_if<records::RestorationRecord>(&stored.record)) {
            referee_->queries().annul(restored->key, restored->reason, true);
            filed_games_.count_again(restored->key);
        }
        if (const auto* opening = std::get_if<records::OpeningRecord>(&stored.record))
            referee_->remember_opening(opening->tournament, then);
    };
    auto recovery = referee_->recover([&](const auto& take) -> base::Result<void, std::string> {
        return store_
            ->history([&](const store::StoredRecord& stored) {
                take(stored.record);
                remember(stored);
            })
            .map_error([](const store::StoreError& error) { return error.message; });
    });
    if (!recovery) return base::failure(Ending{exit_bad_input, recovery.error()});
    recovery_ = std::move(*recovery);
    return {};
}

void Server::check_store() {
    store_->check_all([this](const store::StoreCheck& check) {
        for (auto i = store_check_.damages.size(); i < check.damages.size(); ++i) {
            log::error("{} is damaged: {}; {}", store_file_, check.damages[i].what,
                       store::remedy_of_damage(store_file_));
        }
        store_check_ = check;
        if (check.is_over) log::debug("{} is checked: {}", store_file_, store_check());
    });
}

// Writes the files of games that a former run had no time to write; the store has all that is
// needed.
void Server::write_missing_games(const std::vector<GameKey>& games) {
    for (const auto& key : games) {
        if (!has_files(key.tournament)) continue;
        std::error_code ignored;
        const auto size = std::filesystem::file_size(folder_.replay_file(key), ignored);
        if (!ignored && size > 0) {
            if (!std::filesystem::exists(folder_.showing_file(key), ignored))
                publisher_.showing(key);
            continue;
        }
        store_->replay(key, [this, key](const store::FoundReplay& found) {
            if (!found) return log::error("{}", found.error().message);
            const auto& replay = *found;
            if (!replay || replay->empty()) return;
            publisher_.replay(key, *replay);
        });
    }
}

bool Server::has_files(const std::string& tournament) const {
    const auto& all = config().tournaments;
    const auto found =
        std::ranges::find_if(all, [&tournament](const auto& one) { return one.id == tournament; });
    return found == all.end() ? config().game_files != config::GameFiles::none
                              : config().has_files_of(found->format);
}

bool Server::has_played(const std::string& tournament) const {
    const auto statuses = referee_->scheduler().statuses();
    return std::ranges::any_of(
        statuses, [&tournament](const auto& contest) { return contest.config->id == tournament; });
}

}  // namespace referee::server
