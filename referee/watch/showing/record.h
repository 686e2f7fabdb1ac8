#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/trace/trace.h"
#include "referee/watch/showing/showing.h"

namespace referee::showing {

// The last line of a replay: the result, and what is told of the times of each turn.
class LastLine {
 public:
    base::Result<void, trace::Refusal> read(std::string_view line, const std::string& file);

    protocol::json::View result() const { return document_.root().find("result"); }
    // What is told of a turn's times, as a JSON array without the turns; empty: nothing.
    std::string_view times_of(std::int64_t turn) const;

    // The members `faults`, `faults_total` and `result` of a showing.
    void write(protocol::json::Writer& writer) const;

 private:
    protocol::json::Document document_;
    std::map<std::int64_t, std::string> times_;
};

// What the bots said, by turn and seat.
class Words {
 public:
    Words(const std::vector<Said>& said, const std::vector<std::string>& bots);

    // By seat; empty where nothing was said. Valid as long as these are.
    std::vector<std::string_view> of(std::int64_t turn) const;

 private:
    std::size_t seats_;
    std::map<std::pair<std::int64_t, std::size_t>, std::string> texts_;
};

}  // namespace referee::showing
