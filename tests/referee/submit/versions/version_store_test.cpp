// Where programs that were handed in are kept: what stays, whenever its writer is stopped.

#include "referee/submit/versions/version_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "protocol/limits.h"
#include "referee/files/file.h"
#include "tests/folder_of_test.h"

namespace referee::versions {
namespace {

namespace fs = std::filesystem;

Version version(unsigned number) {
    return {number,
            "bot " + std::to_string(number) + ".zip",
            3,
            std::string(64, 'a'),
            1'700'000'000 + number,
            std::nullopt};
}

class VersionStoreTest : public ::testing::Test {
 protected:
    std::vector<Owner> read() const {
        auto owners = versions_on_disk.read();
        EXPECT_TRUE(owners) << owners.error();
        return owners ? *owners : std::vector<Owner>();
    }

    const tests::FolderOfTest folder;
    const std::string& root = folder.path;
    VersionStore versions_on_disk{root + "/handed-in"};
};

TEST_F(VersionStoreTest, KeepsWhatItWasGiven) {
    EXPECT_TRUE(read().empty());
    ASSERT_TRUE(versions_on_disk.keep("Zoë", version(1), "abc"));
    ASSERT_TRUE(versions_on_disk.keep("../evil", version(1), "x"));
    ASSERT_TRUE(versions_on_disk.keep("Zoë", version(10), "abcd"));
    auto long_name = version(2);
    long_name.file = std::string(protocol::limits::file_name_bytes_max, 'x');
    ASSERT_TRUE(versions_on_disk.keep("Zoë", long_name, ""));
    ASSERT_TRUE(versions_on_disk.conclude("Zoë", 1, {true, "", "all good\n"}));
    ASSERT_TRUE(versions_on_disk.conclude("Zoë", 2, {false, "exit status 1", "no\n"}));
    ASSERT_TRUE(versions_on_disk.withdraw("Zoë", 2));
    const auto owners = read();
    ASSERT_EQ(owners.size(), 2U);
    const auto& zoe = owners[0].bot == "Zoë" ? owners[0] : owners[1];
    ASSERT_EQ(zoe.versions.size(), 3U);
    EXPECT_EQ(zoe.withdrawn, 2U);
    EXPECT_EQ(zoe.versions[0].number, 1U);
    EXPECT_EQ(zoe.versions[0].file, "bot 1.zip");
    EXPECT_EQ(zoe.versions[0].handed_in_s, 1'700'000'001);
    EXPECT_TRUE(zoe.versions[0].outcome->built);
    EXPECT_EQ(zoe.versions[0].outcome->output, "all good\n");
    EXPECT_FALSE(zoe.versions[1].outcome->built);
    EXPECT_EQ(zoe.versions[1].outcome->reason, "exit status 1");
    EXPECT_EQ(zoe.versions[2].number, 10U);
    EXPECT_FALSE(zoe.versions[2].outcome);
    EXPECT_EQ(files::first_bytes(versions_on_disk.file_of("Zoë", zoe.versions[2]), 9), "abcd");
    EXPECT_FALSE(fs::exists(root + "/evil")) << "a name is no path";
}

TEST_F(VersionStoreTest, TakesAwayWhatIsNotWhole) {
    ASSERT_TRUE(versions_on_disk.keep("ada", version(1), "abc"));
    // As a writer that was stopped leaves it, before the folder got its name.
    const auto unfinished = versions_on_disk.folder_of("ada") + "/.unfinished-2";
    fs::create_directories(unfinished + "/handed-in");
    std::ofstream(unfinished + "/version.json") << "{\"bot\":\"ada\",\"version\":2}";
    // And what is none of ours.
    fs::create_directories(versions_on_disk.folder_of("ada") + "/7");
    fs::create_directories(root + "/handed-in/stray");
    const auto owners = read();
    ASSERT_EQ(owners.size(), 1U);
    EXPECT_EQ(owners[0].versions.size(), 1U);
    EXPECT_FALSE(fs::exists(unfinished));
    ASSERT_TRUE(versions_on_disk.keep("ada", version(2), "abc"));
    EXPECT_EQ(read()[0].versions.size(), 2U);
    versions_on_disk.remove("ada", 1);
    EXPECT_EQ(read()[0].versions.size(), 1U);
}

TEST_F(VersionStoreTest, NotesNestNoDeeperThanAMessage) {
    ASSERT_TRUE(versions_on_disk.keep("ada", version(1), "abc"));
    ASSERT_TRUE(versions_on_disk.conclude("ada", 1, {true, "", ""}));
    ASSERT_TRUE(versions_on_disk.withdraw("ada", 1));
    std::vector<std::string> kept;
    for (const std::string note : {"withdrawn.json", "1/outcome.json", "1/version.json"}) {
        const auto file = "handed-in/" + files::folder_name_of("ada") + "/" + note;
        const auto text = folder.read(file);
        for (const std::size_t depth : {32U, 33U}) {
            const auto deep = std::string(depth - 1, '[') + std::string(depth - 1, ']');
            folder.write(file, "{\"deep\":" + deep + "," + text.substr(1));
            kept.emplace_back();
            for (const auto& owner : read()) {
                if (owner.withdrawn != 0) kept.back() += "withdrawn ";
                if (owner.versions.at(0).outcome) kept.back() += "built";
            }
        }
        folder.write(file, text);
    }
    EXPECT_EQ(kept, (std::vector<std::string>{"withdrawn built", "built", "withdrawn built",
                                              "withdrawn ", "withdrawn built", ""}));
}

TEST_F(VersionStoreTest, TellsWhatCantBeWritten) {
    std::ofstream(root + "/handed-in") << "a file";
    const auto kept = versions_on_disk.keep("ada", version(1), "abc");
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().find("can't be written"), std::string::npos) << kept.error();
}

}  // namespace
}  // namespace referee::versions
