#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <sstream>

#include "referee/store/archive.h"
#include "tests/folder_of_test.h"
#include "tests/referee/store/sample_records.h"

namespace referee::store {

// A folder that is removed after the test, and a loop that runs a store's callbacks.
class StoreRoom : public testing::Test {
 protected:
    std::string path() const { return made_.at("friday.store"); }
    std::string path(const std::string& name) const { return made_.at(name); }

    Store::Opened try_open(StoreOptions options = {}) {
        if (!options.now_ms) options.now_ms = [this] { return ++now_ms_; };
        return Store::open(path(), std::move(options), loop_.get_executor());
    }
    std::unique_ptr<Store> opened(StoreOptions options = {}) {
        auto result = try_open(std::move(options));
        if (!result) {
            ADD_FAILURE() << result.error().message;
            return nullptr;
        }
        return *std::move(result);
    }
    // Appends, and counts in told_.
    void append(Store& store, std::vector<records::Record> records) {
        store.append(std::move(records), [this](const records::Committed& committed) {
            told_.push_back(committed ? "" : committed.error().message);
        });
    }
    template <typename Condition>
    void run_while(Condition condition) {
        loop_.restart();
        const auto keeps_running = boost::asio::require(
            loop_.get_executor(), boost::asio::execution::outstanding_work.tracked);
        while (condition()) ASSERT_GT(loop_.run_one(), 0U);
    }
    void run_until_told(std::size_t count) {
        run_while([&] { return told_.size() < count; });
    }
    // With a record of each kind.
    std::unique_ptr<Store> filled() {
        auto store = opened();
        append(*store, sample_records());
        return store;
    }
    void remove_store() const {
        for (const auto* ending : {"", "-wal", "-shm", ".head"})
            std::filesystem::remove(path() + ending);
    }
    // By somebody else.
    void change(const std::string& sql) const {
        Database database(path(), Database::Access::write, {});
        database.execute(sql);
    }
    ChainTip tip() const {
        Database database(path(), Database::Access::read, {});
        return tip_of(database);
    }
    static std::string exported(const std::string& from) {
        auto reader = StoreReader::open(from);
        std::ostringstream out;
        EXPECT_TRUE(export_archive(*reader, out));
        return out.str();
    }
    // All lines of a store's history, as another process would read them; why they can't be read.
    std::vector<std::string> read_lines() const { return read_lines(path()); }
    static std::vector<std::string> read_lines(const std::string& from) {
        std::vector<std::string> lines;
        auto reader = StoreReader::open(from);
        if (!reader) return {reader.error().message};
        const auto read = reader->history(
            [&lines](const StoredRecord& stored) { lines.push_back(line_of(stored.record)); },
            StoreReader::Replays::read);
        if (!read) lines.push_back(read.error().message);
        return lines;
    }

    const tests::FolderOfTest made_;
    const std::filesystem::path folder_{made_.path};
    boost::asio::io_context loop_;
    std::vector<std::string> told_;  // an entry a callback; empty: committed
    std::int64_t now_ms_ = 1'700'000'000'000;
};

}  // namespace referee::store
