#include "referee/connect/relay/line_cutter.h"

#include <utility>

namespace referee::relay {

LineCutter::Cut LineCutter::push(std::string_view bytes) {
    Cut cut;
    const auto take = [&](std::string_view line) {
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > line_bytes_max_) {
            ++cut.too_long;
        } else if (!line.empty()) {
            cut.lines.push_back(line);
        }
    };
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto piece = bytes.substr(0, end);
        if (end == std::string_view::npos) {
            if (!skips_) begun_ += piece;
            if (begun_.size() > line_bytes_max_ + 1) {  // a carriage return may be its last byte
                begun_ = {};
                skips_ = true;
                ++cut.too_long;
            }
            return cut;
        }
        bytes.remove_prefix(end + 1);
        if (skips_) {
            skips_ = false;
        } else if (begun_.empty()) {
            take(piece);
        } else {
            joined_ = std::exchange(begun_, {});
            joined_ += piece;
            take(joined_);
        }
    }
    return cut;
}

}  // namespace referee::relay
