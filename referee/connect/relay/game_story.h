#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.h"

namespace referee::relay {

// Of one game's story: some thousand turns. What is more is left out, but for the end.
inline constexpr std::size_t story_bytes_max = 256 * 1024;

// What happened to the bot in one game, in lines for people, as far as the bot was told.
class GameStory {
 public:
    GameStory() = default;
    explicit GameStory(const protocol::Start& start);

    void resumed(std::int64_t turn);
    // What became of the bot's last answer.
    void answered(const protocol::LastAnswer& last);
    void debug(std::int64_t turn, std::string_view text);
    void fault(const protocol::Fault& fault, bool own);
    void note(const protocol::Note& note);
    // The last line.
    void ended(std::string_view sentence);

    const std::string& text() const { return text_; }

 private:
    void line(std::string text);

    std::string text_;
    bool cut_ = false;
};

}  // namespace referee::relay
