#include "referee/submit/archives/archives.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/limits.h"
#include "tests/folder_of_test.h"
#include "tests/referee/submit/archives/made_archive.h"

namespace referee::archives {
namespace {

namespace fs = std::filesystem;
using tests::MadeEntry;

constexpr UnpackLimits small_limits{20, 1000};

class UnpackTest : public testing::Test {
 protected:
    base::Result<Unpacked, UnpackError> unpack_made(const std::string& name,
                                                    const std::vector<MadeEntry>& entries,
                                                    const UnpackLimits& limits = small_limits) {
        tests::make_archive((root_ / name).string(), entries);
        return unpack_file(name, limits);
    }
    base::Result<Unpacked, UnpackError> unpack_file(const std::string& name,
                                                    const UnpackLimits& limits = small_limits) {
        fs::remove_all(root_ / "out");
        fs::create_directory(root_ / "out");
        return unpack((root_ / name).string(), (root_ / "out").string(), limits);
    }
    std::string text_of(const std::string& path) const { return folder_.read("out/" + path); }
    // All that was written below the folder, and beside it.
    std::size_t files_in(const fs::path& folder) const {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            count += entry.is_directory() ? 0 : 1;
        return count;
    }

    const tests::FolderOfTest folder_;
    const fs::path root_{folder_.path};
};

TEST_F(UnpackTest, ReadsEachFormatWithNamesTimesAndTheRightToRun) {
    for (const std::string format : {"a.zip", "a.tar", "a.tar.gz", "a.7z"}) {
        // The library writes no such name into a 7z in the locale of tests.
        const std::string name =
            format == "a.7z" ? "src/resume.txt" : "src/r\xC3\xA9sum\xC3\xA9.txt";
        const auto unpacked =
            unpack_made(format, {{"src", "", 'd', 0755, 0},
                                 {"src/main.c", "int x;\n", 'f', 0644, 1'700'000'000},
                                 {name, "yes", 'f', 0644, 0},
                                 {"run.sh", "#!/bin/sh\n", 'f', 04755, 0}});
        ASSERT_TRUE(unpacked) << format << ": " << unpacked.error().message;
        ASSERT_EQ(unpacked->files.size(), 3U) << format;
        EXPECT_EQ(unpacked->files[0].path, "run.sh");
        EXPECT_EQ(unpacked->files[1].path, "src/main.c");
        EXPECT_EQ(unpacked->files[1].changed_s, 1'700'000'000) << format;
        EXPECT_EQ(text_of("src/main.c"), "int x;\n");
        EXPECT_EQ(text_of(name), "yes") << format;
        struct stat status {};
        ASSERT_EQ(::stat((root_ / "out/run.sh").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07100, 0100U)
            << format << ": it runs, and has no owner's rights";
        EXPECT_TRUE(unpacked->refused.empty()) << describe(unpacked->refused.front());
    }
}

// With a file a.py as it is. No tool of Debian's makes one.
TEST_F(UnpackTest, ReadsARarAndRefusesACutOne) {
    const std::string hex =
        "526172211a0700cf907300000d00000000000000b8067400802400080000000800000003234eeccd0060a15c14"
        "300400a4810000612e70797072696e7428290ac43d7b00400700";
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    std::ofstream(root_ / "a.rar", std::ios::binary) << bytes;
    ASSERT_TRUE(unpack_file("a.rar"));
    EXPECT_EQ(text_of("a.py"), "print()\n");
    std::ofstream(root_ / "cut.rar", std::ios::binary) << bytes.substr(0, bytes.size() - 10);
    EXPECT_FALSE(unpack_file("cut.rar"));
}

TEST_F(UnpackTest, AttacksAreLeftOutAndTold) {
    struct Case {
        MadeEntry entry;
        std::string told;
    };
    const std::vector<Case> cases = {
        {{"../evil.c", "x"}, "../evil.c leads out of its folder"},
        {{"a/../../evil.c", "x"}, "leads out of its folder"},
        {{"/etc/evil", "x"}, "/etc/evil has an absolute path"},
        {{"C:/evil", "x"}, "C:/evil names a drive"},
        {{"a\\..\\evil", "x"}, "has a backslash in its name"},
        {{"link", "/etc/passwd", 'l'}, "link is a symbolic link"},
        {{"hard", "good.c", 'h'}, "hard is a hard link"},
        {{"pipe", "", 'p'}, "pipe is neither a file nor a folder"},
        {{"good.c", "again"}, "good.c is in the archive twice"},
        {{"Good.C", "again"}, "Good.C differs from good.c only in capitals"},
        {{"good.c/below", "x"}, "has a file where its folder good.c should be"},
        {{"folder", "x"}, "folder is a folder and a file at once"},
        {{std::string(300, 'n'), "x"}, "has a name of more than 255 bytes"},
    };
    for (const auto& [entry, told] : cases) {
        const auto unpacked = unpack_made(
            "attack.tar", {{"good.c", "good"}, {"folder/x.c", "x"}, entry, {"last.c", "last"}});
        ASSERT_TRUE(unpacked) << entry.name << unpacked.error().message;
        ASSERT_EQ(unpacked->refused.size(), 1U) << entry.name;
        EXPECT_NE(describe(unpacked->refused[0]).find(told), std::string::npos)
            << describe(unpacked->refused[0]);
        EXPECT_EQ(unpacked->files.size(), 3U) << entry.name;
        EXPECT_EQ(text_of("good.c"), "good");
        EXPECT_EQ(text_of("last.c"), "last");
        EXPECT_EQ(files_in(root_), 4U) << "three below the folder, and the archive";
    }
}

TEST_F(UnpackTest, AZipThatSlipsIsRefusedToo) {
    const auto unpacked = unpack_made("slip.zip", {{"../../evil.c", "x"}, {"good.c", "good"}});
    ASSERT_TRUE(unpacked);
    ASSERT_EQ(unpacked->refused.size(), 1U);
    EXPECT_EQ(files_in(root_), 2U);
}

TEST_F(UnpackTest, NamesThatAreNoTextAreReplacedAndTold) {
    const auto unpacked =
        unpack_made("odd.tar", {{"a\xFFz.c", "x"}, {"b\x1B[2J.c", "y"}, {"c\nd.c", "z"}});
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(text_of("a_z.c"), "x");
    EXPECT_EQ(text_of("b_[2J.c"), "y");
    EXPECT_EQ(text_of("c_d.c"), "z");
    EXPECT_EQ(unpacked->remarks.size(), 3U);
}

TEST_F(UnpackTest, WhatSystemsAddIsNotThere) {
    const auto unpacked = unpack_made(
        "mac.zip", {{"a.c", "x"}, {"__MACOSX/._a.c", "junk"}, {"sub/.DS_Store", "junk"}});
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(unpacked->files.size(), 1U);
}

TEST_F(UnpackTest, LimitsAreCountedWhileBytesAreUnpacked) {
    const auto full = unpack_made("full.tar.gz", {{"a", std::string(1000, 'a')}});
    EXPECT_TRUE(full) << "the limit itself is allowed";
    const auto bomb = unpack_made("bomb.zip", {{"a", std::string(5'000'000, 'a')}});
    ASSERT_FALSE(bomb);
    EXPECT_EQ(bomb.error().kind, UnpackError::Kind::too_much);
    EXPECT_NE(bomb.error().message.find("more than 1000 bytes"), std::string::npos);
    std::vector<MadeEntry> many;
    for (int i = 0; i < 21; ++i) many.push_back({"f" + std::to_string(i), "x"});
    const auto crowd = unpack_made("crowd.zip", many);
    ASSERT_FALSE(crowd);
    EXPECT_EQ(crowd.error().kind, UnpackError::Kind::too_much);
    EXPECT_NE(crowd.error().message.find("more than 20 files"), std::string::npos);
}

TEST_F(UnpackTest, TenThousandFiles) {
    std::vector<MadeEntry> many;
    for (int i = 0; i < 10'000; ++i)
        many.push_back({"d" + std::to_string(i % 100) + "/f" + std::to_string(i), "x"});
    const auto refused =
        unpack_made("many.tar", many, {limits::submission_files_max, limits::submission_bytes_max});
    ASSERT_FALSE(refused) << "no submission has so many";
    EXPECT_EQ(refused.error().kind, UnpackError::Kind::too_much);
    const auto unpacked =
        unpack_file("many.tar", {limits::export_files_max, limits::export_bytes_max});
    ASSERT_TRUE(unpacked) << "an export may";
    EXPECT_EQ(unpacked->files.size(), 10'000U);
}

TEST_F(UnpackTest, WhatIsNoArchive) {
    std::ofstream(root_ / "text.zip") << "this is no archive";
    std::ofstream(root_ / "empty.zip") << "";
    tests::make_archive((root_ / "whole.zip").string(), {{"a", std::string(900, 'a')}});
    std::string bytes;
    {
        std::ifstream whole(root_ / "whole.zip", std::ios::binary);
        std::stringstream text;
        text << whole.rdbuf();
        bytes = text.str();
    }
    std::ofstream(root_ / "cut.zip", std::ios::binary) << bytes.substr(0, bytes.size() / 4);
    for (const std::string name : {"text.zip", "empty.zip", "cut.zip", "missing.zip"}) {
        const auto unpacked = unpack_file(name);
        if (unpacked) {
            EXPECT_TRUE(unpacked->files.empty()) << name;
            ADD_FAILURE() << name << " was read";
            continue;
        }
        EXPECT_EQ(unpacked.error().kind, UnpackError::Kind::unreadable) << name;
        EXPECT_FALSE(unpacked.error().message.empty());
    }
}

}  // namespace
}  // namespace referee::archives
