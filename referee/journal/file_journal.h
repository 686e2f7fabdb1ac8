#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "referee/journal/journal.h"

namespace referee::journal {

// A journal in one NDJSON file. A thread of its own writes and syncs; what is appended while it
// syncs goes out together with the next sync.
class FileJournal final : public Journal {
 public:
    // The file must not exist. Throws std::system_error where it can't be made.
    FileJournal(const std::string& path, boost::asio::any_io_executor loop);
    // Waits until all that was appended is written; callbacks that are due are posted still.
    ~FileJournal() override;
    FileJournal(const FileJournal&) = delete;
    FileJournal& operator=(const FileJournal&) = delete;
    FileJournal(FileJournal&&) = delete;
    FileJournal& operator=(FileJournal&&) = delete;

    void append(std::vector<Record> records, OnCommitted on_committed) override;

 private:
    struct Batch {
        std::string lines;
        std::vector<OnCommitted> told;
    };
    void run();
    std::optional<JournalFailure> write(const std::string& lines) const;
    std::optional<JournalFailure> failure_;  // of the thread: nothing is written behind half a line

    int file_ = -1;
    std::string path_;
    boost::asio::any_io_executor loop_;
    std::set<std::string> written_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Batch waiting_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace referee::journal
