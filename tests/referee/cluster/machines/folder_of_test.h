#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tests {

// A folder that goes with the test.
struct FolderOfTest {
    FolderOfTest() : path(::testing::TempDir() + "machines-XXXXXX") {
        EXPECT_NE(::mkdtemp(path.data()), nullptr);
    }
    ~FolderOfTest() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    FolderOfTest(const FolderOfTest&) = delete;
    FolderOfTest& operator=(const FolderOfTest&) = delete;
    FolderOfTest(FolderOfTest&&) = delete;
    FolderOfTest& operator=(FolderOfTest&&) = delete;

    std::string path;
};

}  // namespace tests
