#include "referee/roster/kinds/command_text.h"

#include <utility>

namespace referee::kinds {

std::vector<std::string> command_of(const std::string& text) {
    if (text.find_first_of("\"'\\$`|&;<>()*?[]{}~#\n") != std::string::npos)
        return {"sh", "-c", "exec " + text};
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        if (c != ' ' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;
}

}  // namespace referee::kinds
