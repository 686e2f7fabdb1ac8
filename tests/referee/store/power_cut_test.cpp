#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "tests/referee/store/sample_records.h"
#include "tests/referee/store/simulated_disk.h"
#include "tests/sample.h"

// A store on a simulated disk. The power is cut in each operation that a workload makes, and each
// operation fails once. What was told as committed must be there afterwards, whole and in order,
// and no record without those before it.

namespace referee::store {
namespace {

using namespace records;
using testing::HasSubstr;

constexpr const char* file_name = "cut.store";
constexpr int log_frames_max = 24;  // so that a short workload moves its log

// Sanitizers look for other faults, at a tenth of the speed: of all cuts they try a share, in a
// whole run too.
#ifdef REFEREE_SANITIZED
constexpr std::uint64_t cuts_sampled_of = 32;
constexpr std::uint64_t cuts_whole_of = 8;
#else
constexpr std::uint64_t cuts_sampled_of = 4;
constexpr std::uint64_t cuts_whole_of = 1;
#endif

// What was handed over, an entry an append, and how much of it was told to be safe.
struct Handed {
    std::vector<std::vector<std::string>> appends;
    std::size_t told = 0;
    std::vector<std::string> failures;
};

StoreOptions options_on(const SimulatedDisk& disk) {
    StoreOptions options;
    options.vfs = disk.name();
    options.log_frames_max = log_frames_max;
    options.retry_after = std::chrono::milliseconds(1);
    options.now_ms = [] { return std::int64_t{1'700'000'000'000}; };
    return options;
}

// Appends, and returns once it is committed, unless at most `ahead` appends are waited for.
class Session {
 public:
    Session(SimulatedDisk& disk, Handed& handed) : handed_(handed) {
        auto opened = Store::open(file_name, options_on(disk), loop_.get_executor());
        if (opened) {
            store_ = *std::move(opened);
        } else {
            error_ = opened.error();
        }
    }
    ~Session() {
        store_.reset();
        loop_.restart();
        loop_.run();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Store* store() { return store_.get(); }
    const std::optional<StoreError>& error() const { return error_; }

    void append(const std::vector<Record>& records, std::size_t ahead = 0) {
        handed_.appends.push_back(lines_without_replays(records));
        ++due_;
        store_->append(records, [this](const records::Committed& committed) {
            --due_;
            if (!committed) {
                handed_.failures.push_back(committed.error().message);
            } else {
                EXPECT_TRUE(handed_.failures.empty()) << "a commit behind a failure";
                ++handed_.told;
            }
        });
        loop_.restart();
        const auto keeps_running = boost::asio::require(
            loop_.get_executor(), boost::asio::execution::outstanding_work.tracked);
        while (due_ > ahead) loop_.run_one();
    }

 private:
    Handed& handed_;
    boost::asio::io_context loop_;
    std::unique_ptr<Store> store_;
    std::optional<StoreError> error_;
    std::size_t due_ = 0;
};

// Makes a store, writes enough to move its log, closes it, opens it again, writes on.
void work(SimulatedDisk& disk, Handed& handed, std::size_t ahead = 0) {
    std::uint64_t match = 1;
    for (int opening = 0; opening < 2; ++opening) {
        Session session(disk, handed);
        if (session.store() == nullptr) return;
        if (opening == 0) session.append(sample_records(), ahead);
        for (int i = 0; i < 4 && handed.failures.empty(); ++i) {
            match += 10;
            session.append({StartRecord{{"friday", match, 1, 1}, 7, {"alice", "bob"}}, numbered(i)},
                           ahead);
            session.append({sample_game(match, 1, 300)}, ahead);
        }
    }
}

std::uint64_t operations_of_work() {
    SimulatedDisk disk("undisturbed");
    Handed handed;
    work(disk, handed);
    return disk.operations();
}

// In which operations, each `step` of them, something happens: a sample, the first and the last.
std::vector<std::uint64_t> tried_operations(std::uint64_t last, std::uint64_t step = 1) {
    std::vector<std::uint64_t> tried;
    for (std::uint64_t i = 1; i <= last; ++i) {
        if (i == 1 || i == last ||
            tests::in_sample(i, step * cuts_sampled_of, step * cuts_whole_of))
            tried.push_back(i);
    }
    return tried;
}

std::vector<std::string> history_of(SimulatedDisk& disk) {
    auto reader = StoreReader::open(file_name, disk.name());
    if (!reader) return {"can't be opened: " + reader.error().message};
    std::vector<std::string> lines;
    const auto read = reader->history(
        [&lines](const StoredRecord& stored) { lines.push_back(line_of(stored.record)); });
    if (!read) lines.push_back("can't be read: " + read.error().message);
    return lines;
}

std::string integrity(SimulatedDisk& disk) {
    Database database(file_name, Database::Access::read, disk.name());
    Statement check(database, "PRAGMA integrity_check");
    return check.step() ? check.text(0) : "nothing";
}

// The history consists of whole appends, from the first one on, and has all that were told.
void check_history(const std::vector<std::string>& lines, const Handed& handed,
                   const std::string& where) {
    std::size_t appends = 0;
    std::size_t position = 0;
    while (appends < handed.appends.size()) {
        if (position == lines.size() && !handed.appends[appends].empty()) break;
        for (const auto& line : handed.appends[appends]) {
            ASSERT_LT(position, lines.size()) << where << ": an append was torn apart";
            ASSERT_EQ(lines[position], line) << where;
            ++position;
        }
        ++appends;
    }
    ASSERT_EQ(position, lines.size()) << where << ": more than was appended: " << lines[position];
    ASSERT_GE(appends, handed.told) << where << ": what was told is lost";
}

// The store is opened, read, and is a store like any other.
void check_after_cut(SimulatedDisk& disk, const Handed& handed, const std::string& where) {
    std::vector<std::string> lines;
    Handed more;
    {
        Session session(disk, more);
        ASSERT_NE(session.store(), nullptr) << where << ": " << session.error()->message;
        const auto read = session.store()->history(
            [&lines](const StoredRecord& stored) { lines.push_back(line_of(stored.record)); });
        ASSERT_TRUE(read) << where << ": " << read.error().message;
        check_history(lines, handed, where);
        session.append({numbered(1000)});
    }
    EXPECT_EQ(more.told, 1U) << where;
    EXPECT_EQ(integrity(disk), "ok") << where;
    lines.push_back(line_of(numbered(1000)));
    EXPECT_EQ(history_of(disk), lines) << where;
}

TEST(PowerCutTest, InEveryOperationNothingToldIsLost) {
    constexpr unsigned outcomes = 2;  // that are tried of each cut
    const auto last = operations_of_work();
    ASSERT_GT(last, 200U) << "the workload is too small to mean anything";
    const auto tried = tried_operations(last);
    for (const auto operation : tried) {
        SimulatedDisk disk("cut");
        Handed handed;
        disk.stop_in(operation);
        work(disk, handed);
        const auto files = disk.files();
        for (unsigned seed = 0; seed < outcomes; ++seed) {
            const auto where =
                "operation " + std::to_string(operation) + ", seed " + std::to_string(seed);
            std::mt19937_64 random(operation * outcomes + seed);
            disk.set_files(files);
            disk.cut_power(random);
            check_after_cut(disk, handed, where);
            if (HasFailure()) return;
        }
    }
    std::cout << "cut in " << tried.size() << " of " << last << " operations, " << outcomes
              << " outcomes each\n";
}

// Results that come in crowds, cut anywhere, cut again while it is opened.
TEST(PowerCutTest, CrowdsAndSecondCuts) {
    const auto seeds = tests::sampled_stretch(150, cuts_sampled_of, cuts_whole_of);
    for (auto seed = seeds.first + 1; seed <= seeds.first + seeds.count; ++seed) {
        const auto where = "seed " + std::to_string(seed);
        std::mt19937_64 random(seed);
        SimulatedDisk disk("crowd");
        Handed handed;
        disk.stop_in(1 + random() % 300);
        work(disk, handed, 1 + random() % 8);
        disk.cut_power(random);
        for (int again = 0; again < 3; ++again) {
            disk.stop_in(1 + random() % 40);
            Handed none;
            { const Session session(disk, none); }
            disk.cut_power(random);
        }
        check_after_cut(disk, handed, where);
        if (HasFailure()) return;
    }
}

// A process that was killed leaves what it wrote in memory only. The next process may tell somebody
// what it reads there: so a later power cut must not lose it.
TEST(PowerCutTest, WhatWasReadAfterAKillIsSafe) {
    for (const auto operation : tried_operations(operations_of_work(), 3)) {
        SimulatedDisk disk("kill");
        Handed handed;
        disk.stop_in(operation);
        work(disk, handed);
        disk.restart();
        std::vector<std::string> lines;
        {
            Handed none;
            Session session(disk, none);
            ASSERT_NE(session.store(), nullptr) << session.error()->message;
            ASSERT_TRUE(session.store()->history(
                [&lines](const StoredRecord& stored) { lines.push_back(line_of(stored.record)); }));
            disk.stop_in(1);
        }
        std::mt19937_64 random(operation);
        disk.cut_power(random);
        check_history(lines, handed, "operation " + std::to_string(operation));
        { const Session session(disk, handed); }  // a reader can't finish what was half made
        ASSERT_EQ(history_of(disk), lines) << "operation " << operation;
    }
}

// After a failed sync the kernel forgets what it should have written, and says that the next sync
// succeeded.
TEST(PowerCutTest, ASyncThatFailedIsNeverTriedAgain) {
    bool failed = true;
    std::uint64_t failures = 0;
    for (std::uint64_t sync = 1; failed; ++sync) {
        const auto where = "sync " + std::to_string(sync);
        SimulatedDisk disk("sync");
        Handed handed;
        disk.fail_sync_in(sync);
        {
            Session session(disk, handed);
            if (session.store() == nullptr) {
                EXPECT_EQ(session.error()->trouble, StoreTrouble::io) << session.error()->message;
            } else {
                for (int i = 0; i < 8 && !disk.has_failed_sync(); ++i)
                    session.append({sample_game(static_cast<std::uint64_t>(i) + 1, 1, 300)});
                // Nothing is written after a failed sync, whatever the sync was for: even one
                // that only moved the log after a commit.
                if (disk.has_failed_sync()) {
                    ++failures;
                    session.append({numbered(1)});
                    const auto operations = disk.operations();
                    session.append({numbered(2)});
                    EXPECT_EQ(disk.operations(), operations)
                        << where << ": something is written behind a failure";
                    ASSERT_GE(handed.failures.size(), 2U) << where;
                    EXPECT_THAT(handed.failures.back(), HasSubstr("disk I/O error")) << where;
                }
            }
        }
        failed = disk.has_failed_sync();
        std::mt19937_64 random(sync);
        disk.cut_power(random);
        check_after_cut(disk, handed, where);
        if (HasFailure()) return;
    }
    EXPECT_GT(failures, 8U);
}

TEST(PowerCutTest, AnErrorInAnyOperationLosesNothingTold) {
    std::uint64_t last = 0;
    for (const auto operation : tried_operations(operations_of_work(), 2)) {
        const auto where = "operation " + std::to_string(operation);
        SimulatedDisk disk("error");
        Handed handed;
        disk.fail_in(operation);
        work(disk, handed);
        if (disk.operations() < operation) break;
        last = operation;
        disk.restart();
        check_after_cut(disk, handed, where);
        if (HasFailure()) return;
    }
    EXPECT_GT(last, 100U);
}

TEST(PowerCutTest, AFullDiskIsWaitedForAndNothingIsLost) {
    SimulatedDisk disk("full");
    Handed handed;
    {
        Session session(disk, handed);
        session.append(sample_records());
        session.append({});  // told after all work of the first: the size stays as it is now
        disk.set_room(disk.size() + 9000);
        std::vector<std::string> troubles;
        session.store()->watch([&](const JournalTrouble& told) {
            troubles.push_back(told.trouble);
            if (!told.trouble.empty()) disk.set_room(0);
        });
        for (int i = 1; i < 30; ++i)
            session.append({sample_game(static_cast<std::uint64_t>(i) * 100, 1, 300)});
        session.append({}, 0);
        // Each change is told once, also where room is made just while the store tries again.
        ASSERT_GE(troubles.size(), 2U);
        for (std::size_t i = 0; i < troubles.size(); ++i) {
            EXPECT_EQ(troubles[i].find("disk full") != std::string::npos, i % 2 == 0)
                << troubles[i];
            EXPECT_EQ(troubles[i].empty(), i % 2 == 1) << troubles[i];
        }
        EXPECT_EQ(troubles.back(), "") << "all is well in the end";
    }
    EXPECT_EQ(handed.told, handed.appends.size());
    check_history(history_of(disk), handed, "full");
}

}  // namespace
}  // namespace referee::store
