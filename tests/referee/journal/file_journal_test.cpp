#include "referee/journal/file_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace referee::journal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FileJournalTest : public testing::Test {
 protected:
    void SetUp() override {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "journal_test_XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path() const { return (folder_ / "journal.ndjson").string(); }

    std::vector<std::string> lines() const {
        std::ifstream stream(path());
        std::vector<std::string> found;
        for (std::string line; std::getline(stream, line);) found.push_back(line);
        return found;
    }

    // Runs the loop until so many callbacks have come.
    void run_until(const std::size_t& told, std::size_t count) {
        loop_.restart();  // an earlier run may have left it without work
        const auto keeps_running = boost::asio::require(
            loop_.get_executor(), boost::asio::execution::outstanding_work.tracked);
        while (told < count) ASSERT_GT(loop_.run_one(), 0U);
    }

    boost::asio::io_context loop_;
    std::filesystem::path folder_;
};

EntryRecord entry_of(std::string bot) { return {"friday", std::move(bot), 0, {}, 1}; }

std::vector<Record> entry(int number) { return {entry_of("bot" + std::to_string(number))}; }

OpeningRecord opening(std::string tournament) { return {std::move(tournament), "{}", "0.1.0"}; }

TEST_F(FileJournalTest, TellsOnceTheRecordsAreInTheFile) {
    FileJournal journal(path(), loop_.get_executor());
    std::size_t told = 0;
    std::vector<std::string> seen;
    journal.append({entry_of("alice"), entry_of("bob")},
                   [&](const auto& failure) {
                       EXPECT_FALSE(failure);
                       seen = lines();
                       ++told;
                   });
    EXPECT_EQ(told, 0U) << "never from inside append()";
    run_until(told, 1);
    EXPECT_THAT(seen, ElementsAre(HasSubstr("\"alice\""), HasSubstr("\"bob\"")));
}

TEST_F(FileJournalTest, TellsInTheOrderOfTheCalls) {
    constexpr int count = 300;
    FileJournal journal(path(), loop_.get_executor());
    std::size_t told = 0;
    for (int i = 0; i < count; ++i) {
        journal.append(entry(i), [&told, i, this](const auto& failure) {
            EXPECT_FALSE(failure);
            EXPECT_EQ(told, static_cast<std::size_t>(i));
            if (i % 50 == 0) {
                EXPECT_GT(lines().size(), static_cast<std::size_t>(i));
            }
            ++told;
        });
    }
    run_until(told, count);
    const auto all = lines();
    ASSERT_EQ(all.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        EXPECT_THAT(all[static_cast<std::size_t>(i)],
                    HasSubstr("\"bot" + std::to_string(i) + "\""));
}

TEST_F(FileJournalTest, WhatStandsThereIsNotWrittenTwice) {
    FileJournal journal(path(), loop_.get_executor());
    std::size_t told = 0;
    const auto counts = [&told](const auto& failure) {
        EXPECT_FALSE(failure);
        ++told;
    };
    journal.append({opening("friday"), opening("friday")}, counts);
    journal.append({opening("monday")}, counts);
    journal.append({opening("monday")}, counts);
    journal.append({}, counts);
    run_until(told, 4);
    EXPECT_THAT(lines(), testing::SizeIs(2));
    journal.append({entry_of("alice"), entry_of("alice")}, counts);
    run_until(told, 5);
    EXPECT_THAT(lines(), testing::SizeIs(4)) << "entries have no key";
}

TEST_F(FileJournalTest, ClosingWritesAllAndPostsWhatIsDue) {
    std::size_t told = 0;
    {
        FileJournal journal(path(), loop_.get_executor());
        for (int i = 0; i < 10; ++i) journal.append(entry(i), [&told](const auto&) { ++told; });
    }
    EXPECT_THAT(lines(), testing::SizeIs(10));
    EXPECT_EQ(told, 0U) << "on the loop's thread only";
    loop_.run();
    EXPECT_EQ(told, 10U);
}

TEST_F(FileJournalTest, AFileThatExistsIsRefusedAndLeftAlone) {
    std::ofstream(path()) << "precious\n";
    EXPECT_THROW(FileJournal(path(), loop_.get_executor()), std::system_error);
    EXPECT_THAT(lines(), ElementsAre("precious"));
    EXPECT_THROW(FileJournal((folder_ / "nowhere" / "journal").string(), loop_.get_executor()),
                 std::system_error);
}

// No file of this process grows beyond so many bytes while this lives.
class FileSizeLimit {
 public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    FileSizeLimit(FileSizeLimit&&) = delete;
    FileSizeLimit& operator=(FileSizeLimit&&) = delete;

 private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST_F(FileJournalTest, AFailureIsToldAndEverythingFailsAfterIt) {
    constexpr rlim_t size_max = 100;
    FileJournal journal(path(), loop_.get_executor());
    std::size_t told = 0;
    std::vector<std::string> failures;
    const auto notes = [&](const std::optional<JournalFailure>& failure) {
        failures.push_back(failure ? failure->message : "");
        ++told;
    };
    {
        const FileSizeLimit limit(size_max);
        journal.append(entry(1), notes);
        run_until(told, 1);
        journal.append({entry_of(std::string(2 * size_max, 'x'))}, notes);
        run_until(told, 2);
    }
    const auto size = std::filesystem::file_size(path());
    journal.append(entry(2), notes);
    run_until(told, 3);
    ASSERT_EQ(failures.size(), 3U);
    EXPECT_EQ(failures[0], "");
    EXPECT_THAT(failures[1], HasSubstr(path()));
    EXPECT_EQ(failures[2], failures[1]) << "though there would be room again";
    EXPECT_EQ(std::filesystem::file_size(path()), size) << "nothing is written behind half a line";
}

}  // namespace
}  // namespace referee::journal
