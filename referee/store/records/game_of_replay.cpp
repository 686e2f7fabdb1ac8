#include "referee/store/records/game_of_replay.h"

#include "protocol/json/writer.h"

namespace referee::records {
namespace {

// The last line that is not empty.
std::string_view last_line_of(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto begin = text.rfind('\n');
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin + 1);
}

}  // namespace

base::Result<GameRecord, BadRecord> game_of_replay(std::string replay, const GameResult& beside) {
    json::Document header;
    json::Document end;
    const auto first = std::string_view(replay).substr(0, replay.find('\n'));
    if (const auto read = header.parse(first, {.depth_max = record_depth_max}); !read)
        return base::failure(BadRecord{"the replay's first line: " + read.error().message});
    if (const auto read = end.parse(last_line_of(replay), {.depth_max = record_depth_max}); !read)
        return base::failure(BadRecord{"the replay's last line: " + read.error().message});
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("record", "game");
    for (const auto* name :
         {"tournament", "match", "number", "attempt", "game", "seed", "params", "bots"}) {
        if (const auto value = header.root().find(name)) {
            writer.key(name);
            value.write(writer);
        }
    }
    if (const auto result = end.root().find("result")) {
        writer.key("result");
        result.write(writer);
    }
    writer.member("replay", "").end_object();
    auto read = read_record(line);
    if (!read) return base::failure(BadRecord{"the replay's " + read.error().message});
    auto game = std::get<GameRecord>(*std::move(read));
    game.result.fingerprint = beside.fingerprint;
    game.result.host = beside.host;
    game.replay = std::move(replay);
    return game;
}

}  // namespace referee::records
