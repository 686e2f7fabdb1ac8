#include "referee/cli/debug_beside.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "referee/files/named_file.h"
#include "referee/report/output_folder.h"
#include "referee/report/said_text.h"

namespace referee::cli {
namespace {

namespace fs = std::filesystem;

// As much as somebody reads of one bot; its file has all.
constexpr std::size_t lines_told_max = 20;
// Far more than a game's debug text comes to.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

}  // namespace

std::string debug_beside(const std::string& replay) {
    const auto path = fs::path(replay);
    const auto folder = path.parent_path().parent_path() / "debug";
    std::vector<std::string> bots;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        bots.push_back(entry.path().filename().string());
    std::sort(bots.begin(), bots.end());
    std::string told;
    for (const auto& bot : bots) {
        const auto file = (folder / bot / path.filename()).string();
        if (const auto text = files::read_named_file(file, file_bytes_max))
            told += report::said_text(bot, *text, lines_told_max, "all of it: " + file);
    }
    return told;
}

std::string debug_file_beside(const std::string& replay, const std::string& bot) {
    const auto path = fs::path(replay);
    const auto folder = path.parent_path().parent_path() / "debug";
    const auto file = folder / report::folder_name_of(bot) / path.filename();
    return files::read_named_file(file.string(), file_bytes_max).value_or("");
}

}  // namespace referee::cli
