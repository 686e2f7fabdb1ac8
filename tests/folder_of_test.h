#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

namespace tests {

// An empty folder that goes with the test. Nobody else may look into it.
struct FolderOfTest {
    FolderOfTest() {
        namespace fs = std::filesystem;
        auto name = (fs::canonical(fs::temp_directory_path()) / "referee-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
        path = name;
    }
    ~FolderOfTest() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    FolderOfTest(const FolderOfTest&) = delete;
    FolderOfTest& operator=(const FolderOfTest&) = delete;

    std::string at(const std::string& name) const { return path + "/" + name; }
    // Makes the folders on the way to it, too. Returns its place.
    std::string write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = at(name);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file.string();
    }
    std::string read(const std::string& name) const {
        std::ifstream file(at(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    // Of what lies in it, or in a folder inside.
    std::set<std::string> names(const std::string& folder = "") const {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(at(folder)))
            found.insert(entry.path().filename().string());
        return found;
    }

    std::string path;
};

}  // namespace tests
