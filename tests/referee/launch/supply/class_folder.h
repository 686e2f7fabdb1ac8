#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "referee/config/config.h"

namespace referee::supply {

// A folder for the files of a config and its bots, gone with the object.
class ClassFolder {
 public:
    ClassFolder() {
        auto pattern = (std::filesystem::temp_directory_path() / "class_XXXXXX").string();
        EXPECT_NE(mkdtemp(pattern.data()), nullptr);
        path_ = std::filesystem::canonical(pattern);
    }
    ~ClassFolder() { std::filesystem::remove_all(path_); }
    ClassFolder(const ClassFolder&) = delete;
    ClassFolder& operator=(const ClassFolder&) = delete;

    std::string path(const std::string& name) const { return (path_ / name).string(); }
    std::string root() const { return path_.string(); }
    std::string make(const std::string& name, const std::string& text = "x") const {
        const auto file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        std::filesystem::permissions(file, std::filesystem::perms::owner_exec,
                                     std::filesystem::perm_options::add);
        return file.string();
    }
    // A bot without a directory of its own.
    config::BotConfig bot(std::vector<std::string> launch) const {
        config::BotConfig bot;
        bot.name = "ann";
        bot.launch = std::move(launch);
        bot.directory = path_.string() + "/";
        return bot;
    }
    config::BotConfig bot_in(const std::string& directory, std::vector<std::string> launch) const {
        auto made = bot(std::move(launch));
        std::filesystem::create_directories(path_ / directory);
        made.directory = path(directory);
        made.has_own_directory = true;
        return made;
    }

 private:
    std::filesystem::path path_;
};

}  // namespace referee::supply
