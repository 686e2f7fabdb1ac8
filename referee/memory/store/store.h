#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "referee/limits.h"
#include "referee/memory/journal/journal.h"
#include "referee/memory/store/opening.h"
#include "referee/memory/store/record_writer.h"
#include "referee/memory/store/store_error.h"

// All that must not be lost, in one SQLite file that people can read: see README.md.

namespace referee::store {

// What a run's store is called in its output folder.
inline constexpr std::string_view name_in_output_folder = "referee.db";

struct StoreOptions {
    Making making = Making::where_missing;
    // The wall clock in milliseconds since 1970; empty: the machine's.
    std::function<std::int64_t()> now_ms{};
    std::uint64_t ballast_bytes = limits::store_ballast_bytes;
    std::size_t batch_records_max = limits::store_batch_records_max;
    int log_frames_max = limits::store_log_frames_max;
    std::chrono::milliseconds retry_after = std::chrono::seconds(1);  // where the disk is full
    // SQLite's name of a file system, for tests; its files have no lock, permissions or ballast.
    std::string vfs{};
};

using OnRecord = std::function<void(const StoredRecord& record)>;
// Nothing in it where no such play has ended.
using FoundReplay = std::variant<std::optional<std::string>, StoreError>;
using OnReplay = std::function<void(const FoundReplay& replay)>;

// The journal of a daemon. Only one process writes a store at a time; any number may read it.
//
// What is appended while a commit is under way is committed together with the next one; the records
// of one append() are never torn apart. Where the disk is full, what waits is kept, the ballast
// beside the store is thrown out, whoever watches is told, and it is tried again until there is
// room; the strain ends when the ballast is back. After an error of the disk nothing is written any
// more and everything fails: what a sync says after one that failed can't be believed.
class Store final : public journal::Journal {
 public:
    using Opened = std::variant<std::unique_ptr<Store>, StoreError>;
    // `loop` runs the callbacks. What can be read then is safe from a power cut.
    static Opened open(const std::string& path, StoreOptions options,
                       boost::asio::any_io_executor loop);

    // Commits all that was appended, as far as that can be done at once; callbacks that are due are
    // posted still, with a failure where their records were not written.
    ~Store() override;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    Store(Store&&) = delete;
    Store& operator=(Store&&) = delete;

    // All records in their order, games without their replays. Requires: nothing was appended or
    // asked for yet.
    std::optional<StoreError> history(const OnRecord& on_record);

    void append(std::vector<journal::Record> records, OnCommitted on_committed) override;
    void watch(OnStrain on_strain) override;

    // Answered on the loop's thread.
    void replay(GameKey key, OnReplay on_replay);

 private:
    class Impl;
    explicit Store(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

// Reads a store, beside a daemon or without one; writes nothing.
class StoreReader {
 public:
    using Opened = std::variant<StoreReader, StoreError>;
    static Opened open(const std::string& path, const std::string& vfs = {});

    // All records as they stood at one moment, in their order.
    std::optional<StoreError> history(const OnRecord& on_record) { return read(on_record, false); }
    std::optional<StoreError> history_with_replays(const OnRecord& on_record) {
        return read(on_record, true);
    }
    FoundReplay replay(const GameKey& key);
    int version();

 private:
    StoreReader(Database database, std::string path)
        : database_(std::move(database)), path_(std::move(path)) {}
    std::optional<StoreError> read(const OnRecord& on_record, bool with_replays);

    Database database_;
    std::string path_;
};

}  // namespace referee::store
