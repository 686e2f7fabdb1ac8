#include "referee/daemon/replay_result.h"

#include "protocol/json/document.h"
#include "referee/store/records/record_line.h"

namespace referee::daemon {

std::string result_in(std::string_view replay) {
    while (replay.ends_with('\n')) replay.remove_suffix(1);
    const auto begin = replay.rfind('\n');
    const auto line = begin == std::string_view::npos ? replay : replay.substr(begin + 1);
    protocol::json::Document document;
    if (!document.parse(line, {.depth_max = records::record_depth_max})) return {};
    const auto result = document.root().find("result");
    if (!result) return {};
    std::string text;
    protocol::json::Writer writer(text);
    result.write(writer);
    return text;
}

}  // namespace referee::daemon
