#include <filesystem>
#include <sstream>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/game/trace/trace.h"
#include "referee/store/check.h"
#include "referee/store/opening.h"
#include "referee/store/records/record_line.h"

namespace referee::store {
namespace {

class VerifyRun {
 public:
    VerifyRun(const VerifyTask& task, Database& database,
              const std::function<void(const std::string&)>& on_progress)
        : task_(task), database_(database), on_progress_(on_progress) {}

    Verified run() {
        check_head();
        check_records();
        if (task_.plays_again || !task_.games.empty()) check_games();
        if (!report_.whole()) report_.remedy = remedy();
        return std::move(report_);
    }

 private:
    // Where the store must end at least.
    void check_head() {
        const auto head = HeadFile::read(task_.store);
        if (!head) {
            report_.add({0, true, head.error().message});
            is_head_damaged_ = head.error().trouble == StoreTrouble::corrupt;
            return;
        }
        if (!*head) return;
        try {
            check_told(database_, **head);
            report_.notes.push_back(
                fmt::format("it reaches as far as {}.head says, to record {} at least", task_.store,
                            (*head)->seq));
        } catch (const DatabaseError& error) {
            report_.add({(*head)->seq, true, error.what()});
        }
    }

    std::string remedy() const {
        if (!is_head_damaged_ || report_.damages_total > 1) return remedy_of_damage(task_.store);
        return fmt::format(
            "the store is whole beside its .head, which alone knew whether records are missing "
            "behind the last one, record {}; if that is the last one that you know of, remove "
            "{}.head and start again",
            report_.records, task_.store);
    }

    void check_records() {
        RecordCheck check(database_, RecordCheck::Depth::whole_file);
        const auto& seen = check.seen();
        std::uint64_t told = 0;
        while (!check.is_over()) {
            check.go_on(records_checked_at_once);
            if (seen.records >= told + records_between_check_news) {
                told = seen.records;
                on_progress_(fmt::format("{} of {} records", told, seen.records_in_all));
            }
        }
        for (const auto& damage : seen.damages) report_.add(damage);
        report_.damages_total += seen.damages_total - seen.damages.size();
        report_.records = seen.records;
        report_.replays = seen.replays;
        report_.replays_dropped = seen.replays_dropped;
        try {
            report_.origin = origin_of(database_);
        } catch (const DatabaseError& error) {
            report_.origin = error.what();
        }
    }

    // Those that are whole: the others are told already.
    void check_games() {
        std::uint64_t last = 0;
        while (true) {
            std::optional<StoredRecord> stored;
            try {
                LinkCursor links(database_, last);
                auto link = links.next();
                while (link && !link->digest.replay) link = links.next();
                if (!link) return;
                last = link->seq;
                stored = checked_record(database_, last);
            } catch (const DatabaseError& error) {
                if (!error.is_corrupt()) throw;
                if (!stored && !skip_damaged(last)) return;
                continue;
            }
            const auto* game = std::get_if<records::GameRecord>(&stored->record);
            if (game == nullptr || game->replay.empty()) continue;
            if (task_.plays_again) play_again(stored->seq, *game);
            if (!task_.games.empty()) compare_file(stored->seq, *game);
        }
    }

    // Whether there is a way on behind a record that can't be read.
    bool skip_damaged(std::uint64_t& last) {
        if (last == skipped_) return false;
        skipped_ = last;
        return true;
    }

    void play_again(std::uint64_t seq, const records::GameRecord& game) {
        const auto id = game_id(game.result.key);
        const auto what = fmt::format("record {}, game {}: ", seq, id);
        const auto told = records::game_of_replay(game.replay, game.result);
        if (!told) {
            report_.add({seq, false, what + told.error().message});
            return;
        }
        if (hasher_.digest(*told).record != hasher_.digest(game).record)
            report_.add({seq, true, what + "its replay tells another result"});
        std::istringstream replay(game.replay);
        const auto verdict = trace::check_replay(replay, id, registry_);
        if (!verdict) {
            report_.add({seq, false, what + verdict.error().message});
            return;
        }
        for (const auto& difference : verdict->differences)
            report_.add({seq, true, what + "played again it differs: " + difference});
        if (++report_.played_again % records_between_check_news == 0)
            on_progress_(std::to_string(report_.played_again) + " games played again");
    }

    void compare_file(std::uint64_t seq, const records::GameRecord& game) {
        const auto path =
            std::filesystem::path(task_.games) / (file_name_of(game.result.key) + ".ndjson");
        if (std::error_code none; !std::filesystem::exists(path, none)) {
            ++report_.files_missing;
            return;
        }
        ++report_.files;
        if (files::read_named_file(path.string(), game.replay.size()).value_or("") != game.replay)
            report_.add({seq, false,
                         path.string() +
                             " is another replay than the store's; remove it, and the next "
                             "start writes it again"});
    }

    const VerifyTask& task_;
    Database& database_;
    const std::function<void(const std::string&)>& on_progress_;
    Verified report_;
    std::uint64_t skipped_ = 0;
    bool is_head_damaged_ = false;
    engines::Registry registry_;
    ChainHasher hasher_;
};

}  // namespace

base::Result<Verified, StoreError> verify_store(
    const VerifyTask& task, const std::function<void(const std::string&)>& on_progress) {
    return result_of(task.store, [&] {
        auto opened = open_to_read(task.store, {});
        auto report = VerifyRun(task, opened.database, on_progress).run();
        opened.check_rest();
        return report;
    });
}

}  // namespace referee::store
