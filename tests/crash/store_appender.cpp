#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <iostream>

#include "tests/referee/store/sample_records.h"

// Appends records to a store until it holds so many rounds of them, going on where it stopped; says
// on the standard output how many stood there, and each round that was told to be committed. To be
// killed by the tests at any moment.

namespace {

using namespace referee;
using namespace referee::store;

// One append of a round; a start and its game, and what has no key.
std::vector<records::Record> round_of(int number) {
    const auto match = static_cast<std::uint64_t>(number) + 1;
    return {records::StartRecord{{"friday", match, 1, 1}, 7, {"alice", "bob"}},
            sample_game(match, 1, 60), numbered(number)};
}

void say(const std::string& text) {
    const auto line = text + '\n';
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    boost::asio::io_context loop;
    StoreOptions options;
    options.now_ms = [] { return std::int64_t{1'700'000'000'000}; };
    options.log_frames_max = 20;
    options.reserved_bytes = 64 * 1024;
    auto opened = Store::open(argv[1], options, loop.get_executor());
    if (!opened) {
        std::cerr << opened.error().message << '\n';
        return 3;
    }
    auto store = *std::move(opened);
    int number = 0;
    int good = 0;
    const auto read = store->history([&](const StoredRecord& stored) {
        if (line_of(stored.record) == line_of(numbered(number))) ++number;
        ++good;
    });
    if (!read || good != number * static_cast<int>(round_of(0).size())) {
        std::cerr << "the store holds half a round\n";
        return 1;
    }
    say("found " + std::to_string(number));
    const int rounds = std::atoi(argv[2]);
    bool failed = false;
    for (; number < rounds && !failed; ++number) {
        store->append(round_of(number), [&, number](const records::Committed& committed) {
            failed = failed || !committed;
            if (committed) say("committed " + std::to_string(number + 1));
        });
        // Every third round waits for those before it; the others go out together.
        if (number % 3 != 2) continue;
        loop.restart();
        bool told = false;
        store->append({}, [&told](const records::Committed&) { told = true; });
        const auto keeps_running = boost::asio::require(
            loop.get_executor(), boost::asio::execution::outstanding_work.tracked);
        while (!told) loop.run_one();
    }
    store.reset();
    loop.restart();
    loop.run();
    return failed ? 1 : 0;
}
