#include "referee/store/forget_in_store.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "referee/store/check.h"
#include "referee/store/opening.h"
#include "referee/store/reader.h"
#include "referee/store/records/record_line.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// All of the old store in its one file: a log that lies beside it would be taken for the new one's.
void bring_to_rest(const std::string& path) {
    {
        auto [database, head] = open_to_write(path, Making::never, {});
        database.end_tidily();
        head->remove();
    }
    if (!StoreAtRest::of(path))
        throw StoreFailure(StoreTrouble::in_use,
                           path +
                               " is being read by another program (an export, sqlite3?); end "
                               "that first, and try again");
    sync_folder(path);
}

bool has_replay(const records::Record& record) {
    const auto* game = std::get_if<records::GameRecord>(&record);
    return game != nullptr && !game->replay.empty();
}

// The records of the old store without the bot.
class RecordsWithout {
 public:
    RecordsWithout(Database& from, const records::Forgetting& forgetting,
                   const OnRewritten& on_rewritten)
        : forgetting_(forgetting),
          on_rewritten_(on_rewritten),
          reader_(from, RecordReader::Replays::read) {}

    // Nothing after the last one. Throws.
    std::optional<StoredRecord> next() {
        auto stored = is_at_end_ ? std::nullopt : reader_.next();
        if (stored) {
            forget_in(stored->record);
            time_ms_ = stored->time_ms;
        } else if (!std::exchange(is_at_end_, true) && !is_kept_out_) {
            stored = {reader_.tip().seq + 1, time_ms_, keep_out()};
        } else {
            return std::nullopt;
        }
        if (++rewritten_.records % store_batch_records_max == 0) on_rewritten_(rewritten_.records);
        return stored;
    }
    const Rewritten& rewritten() const { return rewritten_; }

 private:
    void forget_in(records::Record& record) {
        const bool had_replay = has_replay(record);
        record = records::forget(forgetting_, std::move(record));
        if (had_replay && !has_replay(record)) ++rewritten_.replays_lost;
        const auto* token = std::get_if<records::TokenRecord>(&record);
        if (token != nullptr && token->bot == forgetting_.of.placeholder()) is_kept_out_ = true;
    }

    // A token of its own, so that nobody registers the placeholder.
    records::TokenRecord keep_out() const {
        return {forgetting_.of.placeholder(), std::string(records::hash_of_forgotten),
                std::string(records::origin_of_forgotten)};
    }

    const records::Forgetting& forgetting_;
    const OnRewritten& on_rewritten_;
    ChainReader reader_;
    std::int64_t time_ms_ = 0;
    bool is_kept_out_ = false;
    bool is_at_end_ = false;
    Rewritten rewritten_;
};

// What was written is read once more before the old store goes. Throws.
void look_at_all(const std::string& path, const ChainTip& tip, std::uint64_t records,
                 const OnRewritten& on_rewritten) {
    Database database(path, Database::Access::read_at_rest, {});
    RecordCheck check(database, RecordCheck::Depth::whole_file);
    while (!check.is_over()) {
        check.go_on(records_checked_at_once);
        on_rewritten(records);
    }
    if (!check.seen().damages.empty()) corrupt(check.seen().damages.front().what);
    if (check.tip() != tip) corrupt("it ends elsewhere than what was written");
}

}  // namespace

base::Result<Mentions, StoreError> mentions_of(const std::string& path, const std::string& bot) {
    Mentions mentions;
    std::set<std::string> known;
    std::set<std::string> under_way;
    std::set<std::string> over;
    auto read = read_history(path, [&](const auto& record) {
        if (const auto* state = std::get_if<records::StateRecord>(&record)) {
            if (records::ended(state->state)) {
                over.insert(state->tournament);
            } else {
                over.erase(state->tournament);
            }
        }
        bool found = false;
        records::for_each_name(record, [&](const std::string& name) {
            known.insert(name);
            found = found || name == bot;
        });
        if (!found) return;
        ++mentions.records;
        if (const auto* entry = std::get_if<records::EntryRecord>(&record))
            under_way.insert(entry->tournament);
        if (std::holds_alternative<records::GameRecord>(record)) ++mentions.games;
    });
    if (!read) return base::failure(std::move(read.error()));
    mentions.known.assign(known.begin(), known.end());
    std::set_difference(under_way.begin(), under_way.end(), over.begin(), over.end(),
                        std::back_inserter(mentions.under_way));
    return mentions;
}

base::Result<Rewritten, StoreError> rewrite_without(const std::string& path,
                                                    const records::Forgetting& forgetting,
                                                    const OnRewritten& on_rewritten) {
    return result_of(path, [&] {
        bring_to_rest(path);
        auto old = open_to_read(path, {});
        const PartFile part(path);
        check_no_foreign_rows(old.database);
        RecordsWithout without(old.database, forgetting, on_rewritten);
        const auto duplicate = [&path](const records::Record& record) {
            return StoreFailure(StoreTrouble::corrupt,
                                path + ": " + records::identity(record) + " is there twice");
        };
        const auto tip = make_store(
            part, origin_of_rewritten, [&without] { return without.next(); }, duplicate);
        look_at_all(part.name(), tip, without.rewritten().records, on_rewritten);
        old.check_rest();
        part.replace();
        return without.rewritten();
    });
}

}  // namespace referee::store
