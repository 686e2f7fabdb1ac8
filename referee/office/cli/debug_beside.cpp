#include "referee/office/cli/debug_beside.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "protocol/json/document.h"
#include "protocol/json/printable.h"
#include "referee/files/named_file.h"

namespace referee::cli {
namespace {

namespace fs = std::filesystem;
namespace json = protocol::json;

// As much as somebody reads of one bot; its file has all.
constexpr std::size_t lines_told_max = 20;
// Far more than a game's debug text comes to.
constexpr std::size_t file_bytes_max = 64 * 1024 * 1024;

// One bot's, a line each; a text that stays the same is told once.
std::string said_in(const std::string& file) {
    const auto text = files::read_named_file(file, file_bytes_max);
    if (!text) return {};
    std::istringstream lines(*text);
    json::Document line;
    std::string told;
    std::string last;
    std::size_t count = 0;
    for (std::string each; std::getline(lines, each);) {
        if (!line.parse(each)) continue;
        const auto turn = line.root().find("turn").integer();
        const std::string said(line.root().find("debug").string().value_or(""));
        if (!turn || said.empty() || said == last) continue;
        if (++count > lines_told_max) return told + "  ... (all of it: " + file + ")\n";
        told += "  turn " + std::to_string(*turn) + ": " + json::visible_line(said) + "\n";
        last = said;
    }
    return told;
}

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
        const auto said = said_in((folder / bot / path.filename()).string());
        if (!said.empty()) told += "\nWhat " + bot + " said of its moves:\n" + said;
    }
    return told;
}

}  // namespace referee::cli
