#include "referee/files/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "protocol/json/document.h"
#include "tests/folder_of_test.h"

namespace referee::files {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OthersTest : public ::testing::Test {
 protected:
    void SetUp() override {
        fs::create_directory(inner_ = folder_ + "/inner");
        std::ofstream(file_ = inner_ + "/file") << "text";
        fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write);
        fs::permissions(inner_, fs::perms::owner_all);
    }

    // In a folder where everybody may make files.
    const tests::FolderOfTest made_;
    const std::string& folder_ = made_.path;
    std::string inner_;
    std::string file_;
};

TEST_F(OthersTest, NobodyMayWriteToWhatIsThisUsersOwn) {
    EXPECT_THAT(others_who_may_write(file_), IsEmpty());
    EXPECT_THAT(others_who_may_write(inner_), IsEmpty());
    EXPECT_THAT(others_who_may_write("/usr/bin"), IsEmpty());
    EXPECT_THAT(others_who_may_write(folder_ + "/not-there"), IsEmpty());
}

TEST_F(OthersTest, WhoMayWriteToItOrToAFolderOnTheWayIsTold) {
    fs::permissions(file_, fs::perms::group_write, fs::perm_options::add);
    EXPECT_THAT(others_who_may_write(file_), HasSubstr("its group may write to"));
    fs::permissions(file_, fs::perms::group_write, fs::perm_options::remove);
    fs::permissions(inner_, fs::perms::others_write, fs::perm_options::add);
    EXPECT_THAT(others_who_may_write(file_), HasSubstr("everybody may write to"));
    EXPECT_THAT(others_who_may_write(file_),
                HasSubstr("chmod go-w " + fs::canonical(inner_).string()));
}

TEST_F(OthersTest, WhereEverybodyMakesFilesOfHisOwnOthersAreSafe) {
    fs::permissions(inner_, fs::perms::all | fs::perms::sticky_bit);
    EXPECT_THAT(others_who_may_write(file_), IsEmpty());
    EXPECT_THAT(others_who_may_write(inner_), HasSubstr("everybody may write to"));
}

TEST_F(OthersTest, ALinkIsFollowed) {
    fs::create_symlink(inner_, folder_ + "/link");
    fs::permissions(inner_, fs::perms::others_write, fs::perm_options::add);
    EXPECT_THAT(others_who_may_write(folder_ + "/link"), HasSubstr("inner"));
}

TEST_F(OthersTest, WhatBelongsToAnotherUserIsHis) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
    constexpr uid_t another = 64999;
    ASSERT_EQ(::chown(inner_.c_str(), another, another), 0);
    EXPECT_THAT(others_who_may_write(file_), HasSubstr("belongs to another user (number 64999)"));
}

TEST(PlacedFile, IsWholeAndOfItsModeWhateverTheMaskIs) {
    const tests::FolderOfTest folder;
    const auto file = folder.path + "/file";
    std::ofstream(file + ".part") << "half of another writing";
    const auto mask = ::umask(0077);
    EXPECT_EQ(place_file(file, "first"), 0);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
    EXPECT_EQ(place_file(file, "second", {.mode = 0644, .syncs = true}), 0);
    ::umask(mask);
    EXPECT_EQ(fs::status(file).permissions(), fs::perms(0644));
    EXPECT_EQ(*read_named_file(file, 100), "second");
    EXPECT_FALSE(is_there(file + ".part"));
    EXPECT_EQ(place_file(folder.path + "/none/file", "text"), ENOENT);
}

TEST(PlacedFile, ReplacesNoneWhereItMustNot) {
    const tests::FolderOfTest folder;
    const auto file = folder.path + "/file";
    EXPECT_EQ(place_file(file, "first", {.replaces = false}), 0);
    EXPECT_EQ(place_file(file, "second", {.replaces = false}), EEXIST);
    EXPECT_EQ(*read_named_file(file, 100), "first");
    fs::create_symlink(folder.path + "/none", folder.path + "/link");
    EXPECT_EQ(place_file(folder.path + "/link", "text", {.replaces = false}), EEXIST);
    for (const auto& entry : fs::directory_iterator(folder.path))
        EXPECT_NE(entry.path().extension(), ".part");
}

TEST(NamesIn, AreThoseOfAllThatLiesThereSorted) {
    const tests::FolderOfTest folder;
    for (const auto* const name : {"b", "a-1", ".hidden", "a"}) folder.write(name, "text");
    fs::create_directories(folder.path + "/c/below");
    fs::create_symlink("none", folder.path + "/link");
    const std::vector<std::string> all{".hidden", "a", "a-1", "b", "c", "link"};
    std::error_code error = std::make_error_code(std::errc::io_error);
    EXPECT_EQ(names_in(folder.path, error), all);
    EXPECT_FALSE(error);
    EXPECT_EQ(names_in(folder.path), all);
}

TEST(NamesIn, AreNoneWhereNothingCanBeReadAndAnErrorTellsWhy) {
    const tests::FolderOfTest folder;
    folder.write("file", "text");
    std::error_code error;
    EXPECT_THAT(names_in(folder.at("none"), error), IsEmpty());
    EXPECT_EQ(error, std::errc::no_such_file_or_directory);
    EXPECT_THAT(names_in(folder.at("file"), error), IsEmpty());
    EXPECT_EQ(error, std::errc::not_a_directory);
    EXPECT_THAT(names_in(folder.at("file")), IsEmpty());
}

TEST(RealPath, IsThatOfWhatLinksLeadToAsFarAsItExists) {
    const tests::FolderOfTest folder;
    const auto real = fs::canonical(folder.path).string();
    fs::create_directory(folder.path + "/a");
    fs::create_symlink("a", folder.path + "/link");
    EXPECT_EQ(real_path(folder.path + "/link/none/"), real + "/a/none");
    EXPECT_EQ(real_path("/"), "/");
}

TEST(Lock, IsHeldByOneWhoIsNamed) {
    const tests::FolderOfTest folder;
    const auto file = folder.path + "/lock";
    auto held = take_lock(file, 0600);
    ASSERT_TRUE(held);
    const auto refused = take_lock(file, 0600);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().error, EWOULDBLOCK);
    EXPECT_EQ(refused.error().holder, "process " + std::to_string(::getpid()));
    held->reset();
    EXPECT_TRUE(take_lock(file, 0600));
}

TEST(Lock, OfALinkOrInNoFolderIsRefused) {
    const tests::FolderOfTest folder;
    std::filesystem::create_symlink(folder.path + "/elsewhere", folder.path + "/link");
    EXPECT_EQ(take_lock(folder.path + "/link", 0600).error().error, ELOOP);
    EXPECT_FALSE(std::filesystem::exists(folder.path + "/elsewhere"));
    const auto none = take_lock(folder.path + "/none/lock", 0600);
    EXPECT_EQ(none.error().error, ENOENT);
    EXPECT_EQ(none.error().holder, "");
}

// The same of every file of JSON that somebody names.
TEST(NamedJson, NestsNoDeeperThanAMessage) {
    const tests::FolderOfTest folder;
    protocol::json::Document document;
    const auto error_of = [&](const std::string& text) {
        const auto read =
            read_named_json(folder.write("a.json", text), 1000, "expected JSON", document);
        return read ? std::string() : read.error();
    };
    for (const std::size_t depth : {32U, 33U}) {
        const auto deep = std::string(depth, '[') + std::string(depth, ']');
        EXPECT_EQ(error_of(deep), depth > 32 ? folder.at("a.json") + ": expected JSON" : "");
    }
    EXPECT_EQ(error_of(std::string(1001, ' ')), folder.at("a.json") + " has more than 1000 bytes");
}

}  // namespace
}  // namespace referee::files
