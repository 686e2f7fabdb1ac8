#include "referee/store/store.h"

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/net/loop/machine.h"

namespace referee::store {
namespace {

// Bytes of replays that one transaction takes, for the same reason as `store_batch_records_max`.
constexpr std::size_t store_batch_bytes_max = 16 * 1024 * 1024;

constexpr std::uint64_t megabyte = 1024 * 1024;

}  // namespace

Store::Store(std::string path, StoreOptions options, std::optional<StoreLock> lock,
             OpenedToWrite opened, ReservedSpace reserve, const boost::asio::any_io_executor& loop)
    : path_(std::move(path)),
      options_(std::move(options)),
      lock_(std::move(lock)),
      database_(std::move(opened.database)),
      reserve_(std::move(reserve)),
      committer_(database_, std::move(opened.head), options_.log_frames_max,
                 options_.replay_bytes_max),
      last_of_earlier_runs_(committer_.tip().seq),
      inbox_(loop) {
    has_reserve_ = reserve_.is_wanted() && reserve_.make();
    if (options_.vfs.empty()) held_.emplace(path_);
}

Store::~Store() {
    if (thread_.joinable()) {
        {
            const loop::Lock guard(mutex_);
            stopping_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    if (!failure_) {
        try {
            database_.end_tidily();
            committer_.remove_head();
        } catch (const DatabaseError&) {
            // The log stays beside the file, and is read when the store is opened again.
        }
    }
    if (has_reserve_) reserve_.drop();
}

void Store::start_thread() {
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void Store::append(std::vector<records::Record> records, OnCommitted on_committed) {
    start_thread();
    {
        const loop::Lock guard(mutex_);
        waiting_.push_back({options_.now_ms(), std::move(records), std::move(on_committed)});
    }
    changed_.notify_one();
}

void Store::watch(OnTrouble on_trouble) {
    const loop::Lock guard(mutex_);
    on_trouble_ = std::move(on_trouble);
    if (!trouble_.empty())
        inbox_.post([told = on_trouble_, trouble = trouble_] { told({trouble}); });
}

void Store::replay(GameKey key, OnReplay on_replay) {
    start_thread();
    {
        const loop::Lock guard(mutex_);
        asked_.push_back({std::move(key), std::move(on_replay)});
    }
    changed_.notify_one();
}

void Store::run() {
    loop::Lock guard(mutex_);
    while (true) {
        if (batch_.empty() && trouble_.empty()) {
            changed_.wait_for(guard, checks() ? options_.check_pause : options_.look_pause,
                              [this]() REFEREE_REQUIRES(mutex_) { return has_work(); });
        } else if (!std::exchange(retry_at_once_, false)) {
            // A batch that can't be committed holds up all that was appended after it.
            changed_.wait_for(guard, options_.retry_after, [this]() REFEREE_REQUIRES(mutex_) {
                return stopping_ || !asked_.empty() || (batch_.empty() && !waiting_.empty());
            });
        }
        take_batch();
        const auto asked = std::exchange(asked_, {});
        const bool is_last = stopping_;
        guard.unlock();
        work();
        answer(asked);
        if (!is_last) check_some();
        if (is_last && !batch_.empty() && !retry_at_once_) give_up();
        guard.lock();
        if (stopping_ && batch_.empty() && waiting_.empty() && asked_.empty()) return;
    }
}

void Store::take_batch() {
    if (!batch_.empty()) return;
    std::size_t records = 0;
    std::size_t bytes = 0;
    while (!waiting_.empty() && records < options_.batch_records_max &&
           bytes < store_batch_bytes_max) {
        records += waiting_.front().records.size();
        bytes += replay_bytes(waiting_.front());
        batch_.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
}

void Store::check_all(OnCheck on_check) {
    start_thread();
    {
        const loop::Lock guard(mutex_);
        on_check_ = std::move(on_check);
    }
    changed_.notify_one();
}

void Store::check_some() {
    {
        const loop::Lock guard(mutex_);
        if (failure_ || !on_check_ || !trouble_.empty()) return;
    }
    if (!check_)
        check_.emplace(database_, RecordCheck::Depth::records_and_keys, last_of_earlier_runs_);
    const auto news = check_->go_on_in_use();
    if (news) {
        const loop::Lock guard(mutex_);
        inbox_.post([told = on_check_, check = *news] { told(check); });
    }
    // What is in memory is right, for it was checked when it was read; but a file that rots takes
    // nothing more.
    if (const auto damage = check_->damage_that_counts())
        fail(damage->what + ": the store is damaged; nothing is written to it any more; " +
             remedy_of_damage(path_));
}

void Store::fail(const std::string& why) {
    failure_ = records::JournalFailure{path_ + ": " + why};
    tell_trouble(failure_->message);
}

void Store::answer(const std::vector<ReplayRequest>& requests) {
    for (const auto& request : requests)
        inbox_.post([told = request.on_replay, found = result_of(path_, [&] {
                                                   return find_replay(database_, request.key);
                                               })] { told(found); });
}

// Told as damage, too: there is nobody else who would notice.
void Store::check_names() {
    const auto fault = failure_ || !held_ ? std::nullopt : held_->fault();
    if (!fault) return;
    const Damage damage{0, true, *fault,
                        "what was recorded is in it wherever it lies now: give it back its name "
                        "and folder, or name the new ones, and start again"};
    fail(damage.what + "; nothing is written to it any more; " + damage.remedy);
    const loop::Lock guard(mutex_);
    if (on_check_) inbox_.post([told = on_check_, damage] { told({0, 0, true, {damage}, 1}); });
}

void Store::work() {
    check_names();
    if (failure_) {
        tell_batch(base::failure(*failure_));
        return;
    }
    const auto commit = batch_.empty() ? Commit{} : committer_.commit(batch_);
    take_outcome(commit);
    if (commit.ended != Commit::Ended::committed) return;
    const auto tidied = committer_.tidy_log();
    take_outcome(tidied);
    if (tidied.ended != Commit::Ended::committed) return;
    end_trouble();
    DroppedReplays dropped;
    take_outcome(committer_.drop_replays(dropped));
    if (dropped.any() && options_.on_dropped)
        inbox_.post([told = options_.on_dropped, dropped] { told(dropped); });
}

void Store::take_outcome(const Commit& commit) {
    switch (commit.ended) {
        case Commit::Ended::committed:
            tell_batch({});
            return;
        case Commit::Ended::no_room:
            on_full_disk(commit.message);
            return;
        case Commit::Ended::busy:
            tell_trouble(
                path_ +
                " is being written by another program (sqlite3 with an open transaction?): nothing "
                "can be written down until that ends");
            return;
        case Commit::Ended::failed:
            failure_ = records::JournalFailure{
                "can't write down any more: " + commit.message +
                "; it is not tried again, for what the disk says after an error can't be believed"};
            tell_batch(base::failure(*failure_));
            return;
    }
}

void Store::on_full_disk(const std::string& what) {
    const auto needed = std::max(reserve_.needed_bytes(), megabyte) / megabyte;
    tell_trouble(fmt::format(
        "disk full: {}: {} MB needed on its file system; no game begins until there is room", what,
        needed));
    if (!std::exchange(has_reserve_, false)) return;
    lost_reserve_ = true;
    retry_at_once_ = reserve_.drop();
}

// The process ends before there was room again.
void Store::give_up() {
    if (!failure_) {
        const loop::Lock guard(mutex_);
        failure_ = records::JournalFailure{trouble_};
    }
    tell_batch(base::failure(*failure_));
}

void Store::tell_batch(const records::Committed& committed) {
    // Each is a handler of its own, for each may begin a game, and deadlines are judged in between.
    // The loop's thread made the records, so it frees them too: else both would meet at the lock of
    // the loop's memory.
    for (auto& append : batch_)
        inbox_.post([told = std::move(append), committed] { told.on_committed(committed); });
    batch_.clear();
}

void Store::tell_trouble(std::string trouble) {
    const loop::Lock guard(mutex_);
    if (trouble_ == trouble) return;
    trouble_ = std::move(trouble);
    if (on_trouble_) inbox_.post([told = on_trouble_, now = trouble_] { told({now}); });
}

// Requires: nothing waits to be committed. The trouble ends only when lost reserved space is there
// again: otherwise the next game would meet a full disk without reserved space.
void Store::end_trouble() {
    if (lost_reserve_) {
        has_reserve_ = reserve_.make();
        if (!has_reserve_) return;
        lost_reserve_ = false;
    }
    tell_trouble({});
}

Store::Opened Store::open(const std::string& path, StoreOptions options,
                          const boost::asio::any_io_executor& loop) {
    if (!options.now_ms) options.now_ms = loop::wall_clock_ms;
    std::optional<StoreLock> lock;
    const bool is_real = options.vfs.empty();
    const auto place = is_real ? file_of_store(path) : path;
    if (is_real) {
        if (options.making == Making::never && !files::is_there(place))
            return base::failure(no_store(path).error());
        auto taken = StoreLock::take(place);
        if (!taken) return base::failure(std::move(taken.error()));
        lock.emplace(*std::move(taken));
    }
    const ReservedSpace reserve(place + ".reserve", is_real ? options.reserved_bytes : 0);
    const auto open_it = [&] { return open_to_write(place, options.making, options.vfs); };
    auto opened = result_of(place, open_it);
    // Only the store's own reserve is deleted to make room for it, and only once.
    if (!opened && opened.error().trouble == StoreTrouble::disk_full && reserve.is_wanted() &&
        reserve.drop()) {
        if (options.making == Making::always) options.making = Making::where_missing;
        opened = result_of(place, open_it);
    }
    if (!opened) return base::failure(std::move(opened.error()));
    return result_of(path, [&] {
        return std::unique_ptr<Store>(new Store(place, std::move(options), std::move(lock),
                                                *std::move(opened), reserve, loop));
    });
}

base::Result<void, StoreError> Store::history(const OnRecord& on_record) {
    REFEREE_ASSERT(!thread_.joinable());
    return result_of(path_,
                     [&] { read_records(database_, RecordReader::Replays::left_out, on_record); });
}

}  // namespace referee::store
