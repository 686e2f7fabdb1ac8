#include "referee/report/said_text.h"

#include "protocol/json/document.h"
#include "protocol/json/printable.h"

namespace referee::report {

namespace json = protocol::json;

std::string said_text(const std::string& bot, std::string_view debug_lines, std::size_t most,
                      const std::string& all_of_it) {
    json::Document line;
    std::string told;
    std::string last;
    std::size_t count = 0;
    while (!debug_lines.empty()) {
        const auto end = debug_lines.find('\n');
        const auto each = debug_lines.substr(0, end);
        debug_lines.remove_prefix(end == std::string_view::npos ? each.size() : end + 1);
        if (!line.parse(each)) continue;
        const auto turn = line.root().find("turn").integer();
        const std::string said(line.root().find("debug").string().value_or(""));
        if (!turn || said.empty() || said == last) continue;
        if (++count > most) {
            told += "  ... (" + all_of_it + ")\n";
            break;
        }
        told += "  turn " + std::to_string(*turn) + ": " + json::visible_line(said) + "\n";
        last = said;
    }
    return told.empty() ? told : "\nWhat " + bot + " said of its moves:\n" + told;
}

}  // namespace referee::report
