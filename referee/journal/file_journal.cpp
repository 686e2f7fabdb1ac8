#include "referee/journal/file_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "referee/journal/record_line.h"

namespace referee::journal {
namespace {

constexpr mode_t file_mode = 0644;

}  // namespace

FileJournal::FileJournal(const std::string& path, boost::asio::any_io_executor loop)
    : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, file_mode)),
      path_(path),
      loop_(std::move(loop)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), path);
    thread_ = std::thread([this] { run(); });
}

FileJournal::~FileJournal() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
    close(file_);
}

void FileJournal::append(std::vector<Record> records, OnCommitted on_committed) {
    std::string lines;
    for (const auto& record : records) {
        const auto key = identity(record);
        if (key.empty() || written_.insert(key).second) write_record(lines, record);
    }
    {
        const std::lock_guard lock(mutex_);
        waiting_.lines += lines;
        waiting_.told.push_back(std::move(on_committed));
    }
    changed_.notify_one();
}

void FileJournal::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stopping_ || !waiting_.told.empty(); });
        if (waiting_.told.empty()) return;
        auto batch = std::exchange(waiting_, {});
        lock.unlock();
        if (!failure_) failure_ = write(batch.lines);
        boost::asio::post(loop_, [told = std::move(batch.told), failure = failure_] {
            for (const auto& on_committed : told) on_committed(failure);
        });
        lock.lock();
    }
}

std::optional<JournalFailure> FileJournal::write(const std::string& lines) const {
    std::string_view rest = lines;
    const auto failure = [this](const char* what) {
        return JournalFailure{std::string(what) + " " + path_ + ": " + std::strerror(errno)};
    };
    while (!rest.empty()) {
        const auto done = ::write(file_, rest.data(), rest.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failure("can't write to");
        rest.remove_prefix(static_cast<std::size_t>(done));
    }
    if (fdatasync(file_) != 0) return failure("can't sync");
    return std::nullopt;
}

}  // namespace referee::journal
