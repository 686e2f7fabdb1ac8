#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "referee/store/committer.h"
#include "referee/store/schema.h"
#include "tests/referee/store/store_room.h"

namespace referee::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class OpenTest : public StoreRoom {
 protected:
    StoreError refused(StoreOptions options = {}) {
        const auto result = try_open(std::move(options));
        EXPECT_FALSE(result) << "was opened";
        return result ? StoreError{} : result.error();
    }
    void make_database(const std::string& sql) const {
        change(sql);
        chmod(path().c_str(), 0600);
    }
};

TEST_F(OpenTest, OnlyWhatIsAskedForIsMade) {
    EXPECT_EQ(refused({.making = Making::never}).trouble, StoreTrouble::missing);
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "and nothing stays behind";
    EXPECT_NE(opened({.making = Making::always}), nullptr);
    EXPECT_EQ(refused({.making = Making::always}).trouble, StoreTrouble::exists);
    EXPECT_NE(opened({.making = Making::never}), nullptr);
    EXPECT_FALSE(std::filesystem::exists(path() + ".lock")) << "one file";
    struct stat status {};
    ASSERT_EQ(stat(path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & (S_IWGRP | S_IWOTH | S_IROTH), 0U);
}

TEST_F(OpenTest, AFileThatWasEmptiedIsNotBegunAnew) {
    std::ofstream(path()).flush();
    chmod(path().c_str(), 0600);
    for (const auto& told : {std::optional<ChainTip>(), std::optional(ChainTip{3, {}}),
                             std::optional(root_of(origin_of_new))}) {
        if (told) HeadFile::make(path(), *told);
        const auto emptied = refused();
        EXPECT_EQ(emptied.trouble, StoreTrouble::corrupt);
        EXPECT_THAT(emptied.message, HasSubstr("is empty: the file was cut off"));
        EXPECT_THAT(emptied.message, HasSubstr("of a backup"));
    }
}

TEST_F(OpenTest, AMakingThatWasCutShortIsBegunAnew) {
    std::ofstream(path() + ".new") << "half a store";
    HeadFile::make(path(), root_of(origin_of_new));
    EXPECT_NE(opened(), nullptr);
    EXPECT_FALSE(std::filesystem::exists(path() + ".new"));
    std::filesystem::remove(path());
    make_database("PRAGMA journal_mode = WAL");
    EXPECT_NE(opened(), nullptr) << "a database in which nothing was made";
}

TEST_F(OpenTest, AStoreThatIsGoneFromAmongItsFilesIsToldAndNotBegunAnew) {
    StoreOptions options{.reserved_bytes = 0};
    auto store = opened(options);
    append(*store, sample_records());
    run_until_told(1);
    std::filesystem::create_directory(path("gone"));
    for (const auto* ending : {"-wal", "-shm", ".head"})
        std::filesystem::copy_file(path() + ending, path("gone/store") + ending);
    store.reset();
    const auto name = path("gone/store");
    const auto words = AllOf(HasSubstr(name + " is gone"),
                             HasSubstr(name + ".head, " + name + "-wal, " + name + "-shm."),
                             HasSubstr("Put the file back beside them"));
    const auto refused_to_write = [&] {
        return Store::open(name, {}, loop_.get_executor()).error();
    };
    EXPECT_EQ(refused_to_write().trouble, StoreTrouble::corrupt);
    EXPECT_THAT(refused_to_write().message, words);
    const auto reader = StoreReader::open(name);
    ASSERT_FALSE(reader);
    EXPECT_THAT(reader.error().message, words);
    EXPECT_GT(std::filesystem::file_size(name + "-wal"), 0U) << "and nothing is wiped";
    std::filesystem::remove(name + "-wal");
    std::filesystem::remove(name + "-shm");
    EXPECT_EQ(refused_to_write().trouble, StoreTrouble::corrupt) << ".head alone";
    std::ofstream(name + ".head") << "rubbish";
    EXPECT_EQ(refused_to_write().trouble, StoreTrouble::corrupt) << "a head that is damaged";
    HeadFile::make(name, root_of(origin_of_new));
    EXPECT_TRUE(Store::open(name, options, loop_.get_executor())) << "a making that was cut short";
}

TEST_F(OpenTest, ForeignFilesAreRefusedAndLeftAlone) {
    std::ofstream(path()) << std::string(5000, 'x');
    chmod(path().c_str(), 0600);
    EXPECT_EQ(refused().trouble, StoreTrouble::foreign);
    EXPECT_EQ(std::filesystem::file_size(path()), 5000U);
    EXPECT_FALSE(std::filesystem::exists(path() + ".lock"));
    std::filesystem::remove(path());
    make_database("CREATE TABLE somebodys (thing)");
    EXPECT_EQ(refused().trouble, StoreTrouble::foreign);
    std::filesystem::remove(path());
    std::filesystem::create_directory(path());
    const auto error = refused();
    EXPECT_EQ(error.trouble, StoreTrouble::foreign);
    EXPECT_THAT(error.message, HasSubstr("is a folder or a device; expected the file of a store"));
}

TEST_F(OpenTest, OtherTablesHaveAnotherVersion) {
    base::Hasher hasher;
    hasher.add(all_tables());
    EXPECT_EQ(base::hex_of(hasher.finish()),
              "8400c6779a77245787bfc5c14800a72387564f084a29bfdb458df48b2c1b6183")
        << "raise schema_version, and put the new digest here: the tables have changed";
    EXPECT_EQ(schema_version, 13);
}

TEST_F(OpenTest, AStoreOfAnotherVersionIsRefusedAndLeftAlone) {
    opened();
    // Another version has other tables, and says so.
    make_database("ALTER TABLE games ADD COLUMN weather TEXT; PRAGMA user_version = 99");
    const auto words =
        AllOf(HasSubstr(path() + " is a store of version 99, and this referee reads only version " +
                        std::to_string(schema_version)),
              HasSubstr("use the referee that wrote it"));
    const auto error = refused();
    EXPECT_EQ(error.trouble, StoreTrouble::other_version);
    EXPECT_THAT(error.message, words);
    const auto reader = StoreReader::open(path());
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().trouble, StoreTrouble::other_version);
    EXPECT_THAT(reader.error().message, words);
    make_database("PRAGMA user_version = 10");
    EXPECT_EQ(refused().trouble, StoreTrouble::other_version) << "an older one is no better";
    Database database(path(), Database::Access::read, {});
    EXPECT_EQ(version_of(database), 10);
}

TEST_F(OpenTest, ASecondWriterIsRefusedAndToldWhoIsThere) {
    const auto store = opened();
    for (const auto& name : {path(), path("link")}) {
        if (name != path()) std::filesystem::create_symlink(path(), name);
        const auto result = Store::open(name, {}, loop_.get_executor());
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().trouble, StoreTrouble::in_use);
        EXPECT_THAT(result.error().message, HasSubstr("process " + std::to_string(getpid()) + ":"));
    }
    EXPECT_TRUE(StoreReader::open(path())) << "readers are welcome";
}

TEST_F(OpenTest, AWriterThatWasKilledHoldsNothing) {
    const auto child = fork();
    if (child == 0) {
        const auto store = Store::open(path(), {}, loop_.get_executor());
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_NE(opened(), nullptr);
}

TEST_F(OpenTest, PermissionsThatAreTooWideAreToldWithTheirCure) {
    opened();
    for (const mode_t mode : {0660U, 0606U, 0666U}) {
        chmod(path().c_str(), mode);
        const auto error = refused();
        EXPECT_EQ(error.trouble, StoreTrouble::permissions);
        EXPECT_THAT(error.message, HasSubstr("chmod go-w '" + path() + "'"));
    }
    chmod(path().c_str(), 0644);
    EXPECT_NE(opened(), nullptr);
}

// What a user without rights is told. The test must be root to become another user.
TEST_F(OpenTest, WhatIsNotOursToWriteIsToldWithItsCure) {
    if (geteuid() != 0) GTEST_SKIP() << "not root: can't become another user";
    constexpr uid_t nobody = 65534;
    opened();
    chmod(folder_.c_str(), 0777);
    std::ofstream(path() + ".lock").flush();
    ASSERT_EQ(seteuid(nobody), 0);
    auto error = refused();
    EXPECT_EQ(error.trouble, StoreTrouble::permissions);
    EXPECT_THAT(error.message, HasSubstr("lock")) << "that one is root's";
    ASSERT_EQ(seteuid(0), 0);
    std::filesystem::remove(path() + ".lock");
    ASSERT_EQ(seteuid(nobody), 0);
    error = refused();
    EXPECT_EQ(error.trouble, StoreTrouble::permissions);
    EXPECT_THAT(error.message, AllOf(HasSubstr("chown "), HasSubstr("'" + path() + "'")));
    ASSERT_EQ(seteuid(0), 0);
    chmod(folder_.c_str(), 0755);
    std::filesystem::remove(path());
    ASSERT_EQ(seteuid(nobody), 0);
    error = refused();
    EXPECT_EQ(error.trouble, StoreTrouble::permissions);
    ASSERT_EQ(seteuid(0), 0);
    EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(OpenTest, WhatIsNotOursToReadIsToldWithoutAWordOfWriting) {
    if (geteuid() != 0) GTEST_SKIP() << "not root: can't become another user";
    constexpr uid_t nobody = 65534;
    opened();
    chmod(folder_.c_str(), 0755);
    chmod(path().c_str(), 0600);
    ASSERT_EQ(seteuid(nobody), 0);
    const auto reader = StoreReader::open(path());
    ASSERT_EQ(seteuid(0), 0);
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().trouble, StoreTrouble::permissions);
    EXPECT_EQ(reader.error().message, path() +
                                          ": Permission denied; nobody may not read it; give the "
                                          "command as its owner, root");
}

TEST_F(OpenTest, AFolderThatIsMissingIsTold) {
    const auto result = Store::open(path("nowhere/friday.store"), {}, loop_.get_executor());
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("nowhere"));
}

// The folder may be closed to a reader, like an archive on a read-only disk.
TEST_F(OpenTest, AReaderNeedsNoRightToWrite) {
    if (geteuid() != 0) GTEST_SKIP() << "not root: can't become another user";
    { const auto store = filled(); }
    chmod(path().c_str(), 0644);
    chmod(folder_.c_str(), 0755);
    ASSERT_EQ(seteuid(65534), 0);
    const auto lines = read_lines();
    ASSERT_EQ(seteuid(0), 0);
    EXPECT_EQ(lines, lines_of(sample_records()));
}

TEST_F(OpenTest, AReaderLeavesNothingBesideAStoreAtRest) {
    { const auto store = filled(); }
    const auto files = made_.names();
    EXPECT_EQ(read_lines(), lines_of(sample_records()));
    EXPECT_EQ(made_.names(), files);
}

TEST_F(OpenTest, AReaderSeesThroughALinkThatAStoreIsWritten) {
    const auto store = opened();
    append(*store, {numbered(1)});
    run_until_told(1);
    std::filesystem::create_symlink(path(), path("link"));
    EXPECT_EQ(read_lines(path("link")), lines_of({numbered(1)})) << "it is in the log still";
}

TEST_F(OpenTest, AReaderOfAStoreAtRestNoticesThatSomebodyBeginsToWrite) {
    { const auto store = filled(); }
    auto reader = StoreReader::open(path());
    ASSERT_TRUE(reader);
    const auto count = [](const StoredRecord& /*record*/) {};
    {
        Database other(path(), Database::Access::read, {});
        EXPECT_GT(other.integer("SELECT count(*) FROM sqlite_schema"), 0);
        EXPECT_TRUE(std::filesystem::exists(path() + "-wal"));
        EXPECT_TRUE(reader->history(count)) << "who reads while it may be written makes a log, too";
    }
    EXPECT_TRUE(reader->history(count));
    auto store = opened();
    const auto while_it_writes = reader->history(count);
    ASSERT_FALSE(while_it_writes);
    EXPECT_EQ(while_it_writes.error().trouble, StoreTrouble::in_use);
    EXPECT_THAT(while_it_writes.error().message, HasSubstr("try again"));
    EXPECT_FALSE(reader->replay({"friday", 1, 1, 1}));
    append(*store, {numbered(1)});
    store.reset();
    EXPECT_FALSE(reader->history(count)) << "it has changed since";
    EXPECT_THAT(read_lines(), SizeIs(sample_records().size() + 1)) << "one that begins now has all";
}

TEST_F(OpenTest, AReaderIsToldWhatIsNoStore) {
    EXPECT_EQ(StoreReader::open(path()).error().trouble, StoreTrouble::missing);
    std::ofstream(path()).flush();
    EXPECT_EQ(StoreReader::open(path()).error().trouble, StoreTrouble::foreign);
    std::ofstream(path()) << std::string(5000, 'x');
    EXPECT_EQ(StoreReader::open(path()).error().trouble, StoreTrouble::foreign);
}

}  // namespace
}  // namespace referee::store
