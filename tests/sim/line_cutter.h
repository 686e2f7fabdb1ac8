#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace tests::sim {

// Makes lines of what comes in pieces.
class LineCutter {
 public:
    template <typename OnLine>
    void add(std::string_view bytes, const OnLine& on_line) {
        for (auto end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n')) {
            const auto line = std::exchange(begun_, {}).append(bytes.substr(0, end));
            bytes.remove_prefix(end + 1);
            on_line(line);
        }
        begun_ += bytes;
    }
    void clear() { begun_.clear(); }

 private:
    std::string begun_;
};

}  // namespace tests::sim
