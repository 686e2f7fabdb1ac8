#include "referee/store/forget_in_store.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "referee/limits.h"
#include "referee/store/audit.h"
#include "referee/store/chain.h"
#include "referee/store/opening.h"
#include "referee/store/row_cursor.h"
#include "referee/store/store.h"
#include "referee/store/store_files.h"

namespace referee::store {
namespace {

// All of the old store in its one file: a log that lies beside it would be taken for the new one's.
base::Result<void, StoreError> bring_to_rest(const std::string& path) {
    auto opened = open_to_write(path, Making::never, {});
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto database = *std::move(opened);
        database.end_tidily();
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    if (!StoreAtRest::of(path)) {
        return base::failure(StoreError{
            StoreTrouble::in_use, path + " is being read by another program (an export, sqlite3?); "
                                         "end that first, and try again"});
    }
    unlink((path + ".head").c_str());
    return sync_folder(path);
}

// A token of its own, so that nobody registers the placeholder.
StoredRecord keep_out(const records::Placeholder& of, const ChainTip& tip, std::int64_t time_ms) {
    return {tip.seq + 1, time_ms,
            records::TokenRecord{of.placeholder(), std::string(records::hash_of_forgotten),
                                 std::string(records::origin_of_forgotten)}};
}

// Fills the new store. Throws.
class Refilling {
 public:
    Refilling(Database& from, Database& to, const records::Forgetting& forgetting,
              const OnRewritten& on_rewritten)
        : forgetting_(forgetting),
          on_rewritten_(on_rewritten),
          to_(to),
          reader_(from, RecordReader::Replays::read),
          writer_(to),
          chain_(to) {}

    Rewritten run() {
        Transaction beginning(to_);
        set_origin(to_, origin_of_rewritten);
        beginning.commit();
        tip_ = root_of(origin_of_rewritten);
        bool at_end = false;
        while (!at_end) {
            Transaction transaction(to_);
            for (std::size_t i = 0; i < limits::store_batch_records_max && !at_end; ++i)
                at_end = !take_next();
            if (at_end && !is_kept_out_) write(keep_out(forgetting_.of, tip_, time_ms_));
            transaction.commit();
            if (to_.log_frames() > limits::store_log_frames_max) to_.checkpoint();
            on_rewritten_(rewritten_.records);
        }
        return rewritten_;
    }

    const ChainTip& tip() const { return tip_; }

 private:
    bool take_next() {
        auto stored = reader_.next();
        if (!stored) return false;
        const bool had_replay = has_replay(stored->record);
        stored->record = records::forget(forgetting_, std::move(stored->record));
        if (had_replay && !has_replay(stored->record)) ++rewritten_.replays_lost;
        const auto* token = std::get_if<records::TokenRecord>(&stored->record);
        if (token != nullptr && token->bot == forgetting_.of.placeholder()) is_kept_out_ = true;
        write(*stored);
        return true;
    }

    static bool has_replay(const records::Record& record) {
        const auto* game = std::get_if<records::GameRecord>(&record);
        return game != nullptr && !game->replay.empty();
    }

    void write(const StoredRecord& stored) {
        if (!writer_.insert(stored.seq, stored.time_ms, stored.record))
            corrupt("record " + std::to_string(stored.seq) + " says the same as one before it");
        tip_ = chain_.append(tip_, stored.seq, stored.time_ms, stored.record);
        time_ms_ = stored.time_ms;
        ++rewritten_.records;
    }

    const records::Forgetting& forgetting_;
    const OnRewritten& on_rewritten_;
    Database& to_;
    ChainReader reader_;
    RecordWriter writer_;
    ChainWriter chain_;
    ChainTip tip_;
    std::int64_t time_ms_ = 0;
    bool is_kept_out_ = false;
    Rewritten rewritten_;
};

// What was written is read once more before the old store goes. Throws.
void look_at_all(const std::string& path, const ChainTip& tip, std::uint64_t records,
                 const OnRewritten& on_rewritten) {
    Database database(path, Database::Access::read_cold, {});
    Audit audit(database, Audit::Depth::whole_file);
    while (!audit.is_over()) {
        audit.go_on(limits::records_checked_at_once);
        on_rewritten(records);
    }
    if (!audit.damages().empty()) corrupt(audit.damages().front().what);
    if (audit.tip() != tip) corrupt("it ends elsewhere than what was written");
}

}  // namespace

base::Result<Mentions, StoreError> mentions_of(const std::string& path, const std::string& bot) {
    auto reader = StoreReader::open(path);
    if (!reader) return base::failure(std::move(reader.error()));
    Mentions mentions;
    std::set<std::string> known;
    std::set<std::string> under_way;
    std::set<std::string> over;
    auto read = reader->history([&](const StoredRecord& stored) {
        if (const auto* state = std::get_if<records::StateRecord>(&stored.record)) {
            if (records::ended(state->state)) {
                over.insert(state->tournament);
            } else {
                over.erase(state->tournament);
            }
        }
        bool found = false;
        records::for_each_name(stored.record, [&](const std::string& name) {
            known.insert(name);
            found = found || name == bot;
        });
        if (!found) return;
        ++mentions.records;
        if (const auto* entry = std::get_if<records::EntryRecord>(&stored.record))
            under_way.insert(entry->tournament);
        if (std::holds_alternative<records::GameRecord>(stored.record)) ++mentions.games;
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
    if (auto rests = bring_to_rest(path); !rests) return base::failure(std::move(rests.error()));
    auto old = open_to_read(path, {});
    if (!old) return base::failure(std::move(old.error()));
    const PartFile part(path);
    auto opened = open_to_write(part.name(), Making::always, {});
    if (!opened) return base::failure(std::move(opened.error()));
    Rewritten rewritten;
    try {
        ChainTip tip;
        {
            auto database = *std::move(opened);
            Refilling refilling(old->database, database, forgetting, on_rewritten);
            rewritten = refilling.run();
            tip = refilling.tip();
            database.end_tidily();
        }
        look_at_all(part.name(), tip, rewritten.records, on_rewritten);
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path));
    }
    if (old->at_rest) {
        if (auto rests = old->at_rest->check(); !rests)
            return base::failure(std::move(rests.error()));
    }
    if (auto replaced = part.replace(); !replaced)
        return base::failure(std::move(replaced.error()));
    return rewritten;
}

}  // namespace referee::store
