#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "tests/folder_of_test.h"

namespace referee::supply {

// A folder for the files of a config and its bots.
class ClassFolder {
 public:
    std::string path(const std::string& name) const { return folder_.at(name); }
    std::string root() const { return folder_.path; }
    std::string make(const std::string& name, const std::string& text = "x") const {
        auto file = folder_.write(name, text);
        std::filesystem::permissions(file, std::filesystem::perms::owner_exec,
                                     std::filesystem::perm_options::add);
        return file;
    }
    // A bot without a directory of its own.
    config::BotConfig bot(std::vector<std::string> launch) const {
        config::BotConfig bot;
        bot.name = "ann";
        bot.launch = std::move(launch);
        bot.directory = root() + "/";
        return bot;
    }
    config::BotConfig bot_in(const std::string& directory, std::vector<std::string> launch) const {
        auto made = bot(std::move(launch));
        std::filesystem::create_directories(path(directory));
        made.directory = path(directory);
        made.has_own_directory = true;
        return made;
    }

 private:
    tests::FolderOfTest folder_;
};

}  // namespace referee::supply
