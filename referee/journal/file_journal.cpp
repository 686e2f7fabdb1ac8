#include "referee/journal/file_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "referee/play/replay_writer.h"

namespace referee::journal {
namespace {

namespace json = protocol::json;

constexpr mode_t file_mode = 0644;

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

void write_names(json::Writer& writer, const std::vector<std::string>& names) {
    writer.key("bots").begin_array();
    for (const auto& name : names) writer.string(name);
    writer.end_array();
}

void write_game(json::Writer& writer, const GameRecord& game) {
    const auto& result = game.result;
    writer.member("record", "game")
        .member("tournament", result.key.tournament)
        .member("match", result.key.match)
        .member("number", result.key.number)
        .member("attempt", result.key.attempt)
        .member("game", result.game)
        .member("seed", result.seed);
    writer.key("params").raw(result.params);
    write_names(writer, result.bots);
    writer.key("result");
    play::write_result(writer, result);
    writer.member("replay", game.replay);
}

}  // namespace

void write_record(std::string& out, const Record& record) {
    json::Writer writer(out);
    writer.begin_object();
    std::visit(Overloaded{
                   [&writer](const EntryRecord& entry) {
                       writer.member("record", "entry").member("tournament", entry.tournament).member("bot", entry.bot);
                   },
                   [&writer](const PairingRecord& pairing) {
                       writer.member("record", pairing.match == 0 ? "bye" : "pairing")
                           .member("tournament", pairing.tournament)
                           .member("match", pairing.match)
                           .member("round", pairing.round);
                       write_names(writer, pairing.bots);
                   },
                   [&writer](const GameRecord& game) { write_game(writer, game); },
                   [&writer](const FinishRecord& finish) {
                       writer.member("record", "finish").member("tournament", finish.tournament);
                   },
               },
               record);
    writer.end_object();
    out += '\n';
}

std::string identity(const Record& record) {
    return std::visit(Overloaded{
                          [](const EntryRecord& entry) { return "entry " + entry.tournament + "/" + entry.bot; },
                          [](const PairingRecord& pairing) {
                              auto id = "pairing " + match_id(pairing.tournament, pairing.match);
                              if (pairing.match == 0) id += "/" + std::to_string(pairing.round) + "/" + pairing.bots.front();
                              return id;
                          },
                          [](const GameRecord& game) { return "game " + game_id(game.result.key); },
                          [](const FinishRecord& finish) { return "finish " + finish.tournament; },
                      },
                      record);
}

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
        if (written_.insert(identity(record)).second) write_record(lines, record);
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
