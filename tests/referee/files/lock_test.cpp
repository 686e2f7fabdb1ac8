#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "referee/files/own_files.h"
#include "tests/folder_of_test.h"

namespace referee::files {
namespace {

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

}  // namespace
}  // namespace referee::files
