#include "referee/submit/archives/archives.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/folder_of_test.h"

namespace referee::archives {
namespace {

namespace fs = std::filesystem;

class PackTest : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(root_ / "bot"); }

    void write(const std::string& path, const std::string& text) const {
        folder_.write("bot/" + path, text);
    }
    base::Result<PackedArchive, std::string> packed(std::size_t files_max = 10,
                                                    std::uint64_t bytes_max = 1000) const {
        return pack((root_ / "bot").string(), files_max, bytes_max);
    }

    const tests::FolderOfTest folder_;
    const fs::path root_{folder_.path};
};

TEST_F(PackTest, WhatWasPackedIsUnpackedAgain) {
    write("main.c", "int main(void) { return 0; }\n");
    write("tables/größe.txt", "");
    write("run.sh", "#!/bin/sh\n");
    ::chmod((root_ / "bot/run.sh").c_str(), 0755);
    const auto made = packed();
    ASSERT_TRUE(made) << made.error();
    EXPECT_EQ(made->files, 3U);
    EXPECT_EQ(packed()->bytes, made->bytes) << "the same files, the same bytes";
    std::ofstream(root_ / "bot.zip", std::ios::binary) << made->bytes;
    fs::create_directory(root_ / "out");
    const auto unpacked =
        unpack((root_ / "bot.zip").string(), (root_ / "out").string(), {10, 1000});
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    EXPECT_TRUE(unpacked->refused.empty());
    EXPECT_EQ(unpacked->files.size(), 3U);
    EXPECT_EQ(fs::file_size(root_ / "out/main.c"), 29U);
    EXPECT_TRUE(fs::exists(root_ / "out/tables/größe.txt"));
    EXPECT_NE(fs::status(root_ / "out/run.sh").permissions() & fs::perms::owner_exec,
              fs::perms::none);
}

TEST_F(PackTest, LeavesOutWhatNobodyMeans) {
    write("bot.py", "pass\n");
    write(".git/config", "secret");
    write("lib/__pycache__/a.pyc", "x");
    fs::create_symlink("/etc/passwd", root_ / "bot/passwd");
    fs::create_directory_symlink("/etc", root_ / "bot/etc");
    const auto made = packed();
    ASSERT_TRUE(made) << made.error();
    EXPECT_EQ(made->files, 1U);
    EXPECT_EQ(made->left_out,
              (std::vector<std::string>{".git", "etc", "lib/__pycache__", "passwd"}));
    EXPECT_EQ(made->bytes.find("secret"), std::string::npos);
}

TEST_F(PackTest, TellsWhatIsTooMuch) {
    EXPECT_FALSE(packed()) << "nothing is in it";
    for (const auto* name : {"a", "b", "c"}) write(name, "12345");
    EXPECT_TRUE(packed(3, 15));
    const auto files = packed(2, 15);
    ASSERT_FALSE(files);
    EXPECT_NE(files.error().find("holds 3 files; expected at most 2"), std::string::npos);
    const auto bytes = packed(3, 14);
    ASSERT_FALSE(bytes);
    EXPECT_NE(bytes.error().find("/c has more than 4 bytes"), std::string::npos) << bytes.error();
    EXPECT_FALSE(pack((root_ / "none").string(), 10, 1000));
}

}  // namespace
}  // namespace referee::archives
