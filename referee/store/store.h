#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "protocol/base/result.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/mutex.h"
#include "referee/store/check.h"
#include "referee/store/committer.h"
#include "referee/store/database.h"
#include "referee/store/opening.h"
#include "referee/store/reader.h"
#include "referee/store/records/records.h"
#include "referee/store/store_error.h"
#include "referee/store/store_files.h"

// All that must not be lost, in one SQLite file that people can read. See README.md.

namespace referee::store {

struct StoreOptions {
    Making making = Making::where_missing;
    // The wall clock in milliseconds since 1970; empty: the machine's.
    std::function<std::int64_t()> now_ms{};
    // Kept free for the store beside it: what thousands of running games come to fits in when the
    // disk is full, and nobody misses so much.
    std::uint64_t reserved_bytes = 8 * 1024 * 1024;
    std::size_t batch_records_max = store_batch_records_max;
    int log_frames_max = store_log_frames_max;
    std::uint64_t replay_bytes_max = UINT64_MAX;  // of all replays, packed
    // Is called on the loop's thread when replays were dropped to stay within that; may be null.
    std::function<void(const DroppedReplays& dropped)> on_dropped{};
    std::chrono::milliseconds retry_after = std::chrono::seconds(1);  // while the disk is full
    std::chrono::milliseconds check_pause{20};  // between `records_checked_at_once`
    // Whether the store's files still have their names is looked at before each commit, and so
    // often where nothing is written: two calls that cost some microseconds.
    std::chrono::milliseconds look_pause{5000};
    // SQLite's name of a file system, for tests; its files have no lock, permissions or reserve.
    std::string vfs{};
};

using OnCheck = std::function<void(const StoreCheck& check)>;
using OnReplay = std::function<void(const FoundReplay& replay)>;

// The journal of a daemon. Only one process writes a store at a time; any number may read it.
//
// What is appended during a commit is committed together by the next one; the records of one
// append() are never torn apart. When the disk is full, appended records wait, the reserve beside
// the store is deleted, the watcher is told, and the commit is tried again until there is room; the
// trouble ends when the reserve is back. Every record is checked when it is read (chain.h). After
// an error of the disk nothing is written any more and everything fails: a sync that succeeds after
// a failed one proves nothing.
class Store final : public records::Journal {
 public:
    using Opened = base::Result<std::unique_ptr<Store>, StoreError>;
    // `loop` runs the callbacks. All that can be read once the store is open is safe from a power
    // cut.
    static Opened open(const std::string& path, StoreOptions options,
                       const boost::asio::any_io_executor& loop);

    // Commits all that was appended, as far as that can be done at once. Callbacks that are due are
    // still posted, with a failure where their records were not written.
    ~Store() override;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // All records in their order, games without their replays. Requires: nothing was appended and
    // no replay was asked for yet.
    base::Result<void, StoreError> history(const OnRecord& on_record);

    void append(std::vector<records::Record> records, OnCommitted on_committed) override;
    void watch(OnTrouble on_trouble) override;

    // Looks at all records and replays that were there when it was opened, some at a time, where
    // nothing is to be committed. `on_check` is called on the loop's thread now and then, for each
    // damage, and at the end. Where a record is damaged that counts, nothing can be written down
    // any more: the file is not what the tournaments were read from.
    void check_all(OnCheck on_check);

    // The answer comes on the loop's thread.
    void replay(GameKey key, OnReplay on_replay);

 private:
    struct ReplayRequest {
        GameKey key;
        OnReplay on_replay;
    };

    Store(std::string path, StoreOptions options, std::optional<StoreLock> lock,
          OpenedToWrite opened, ReservedSpace reserve, const boost::asio::any_io_executor& loop);

    void start_thread();
    void run();
    bool has_work() const REFEREE_REQUIRES(mutex_) {
        return stopping_ || !waiting_.empty() || !asked_.empty() || (on_check_ && !check_);
    }
    bool checks() const { return check_ && !check_->is_over() && !failure_; }
    void check_some();
    void check_names();
    void fail(const std::string& why);
    void take_batch() REFEREE_REQUIRES(mutex_);
    void answer(const std::vector<ReplayRequest>& requests);
    void work();
    void take_outcome(const Commit& commit);
    void on_full_disk(const std::string& what);
    void give_up();
    void tell_batch(const records::Committed& committed);
    void tell_trouble(std::string trouble);
    void end_trouble();

    std::string path_;
    StoreOptions options_;
    std::optional<StoreLock> lock_;
    // The loop's side puts work in a queue; from the first call on, only a thread of its own uses
    // the connection.
    Database database_;
    ReservedSpace reserve_;
    Committer committer_;
    std::uint64_t last_of_earlier_runs_;  // record
    loop::LoopInbox inbox_;

    // Of the thread, once it runs.
    std::vector<Append> batch_;  // taken from the queue and not committed yet
    std::optional<records::JournalFailure> failure_;
    bool has_reserve_ = false;
    bool lost_reserve_ = false;
    bool retry_at_once_ = false;
    std::optional<RecordCheck> check_;
    std::optional<HeldFiles> held_;

    loop::Mutex mutex_;
    loop::Condition changed_;
    std::deque<Append> waiting_ REFEREE_GUARDED_BY(mutex_);
    std::vector<ReplayRequest> asked_ REFEREE_GUARDED_BY(mutex_);
    OnTrouble on_trouble_ REFEREE_GUARDED_BY(mutex_);
    OnCheck on_check_ REFEREE_GUARDED_BY(mutex_);
    std::string trouble_ REFEREE_GUARDED_BY(mutex_);
    bool stopping_ REFEREE_GUARDED_BY(mutex_) = false;
    std::thread thread_;
};

}  // namespace referee::store
