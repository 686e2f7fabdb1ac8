#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What an examination found, and the forms in which it is told.

namespace referee::check_bot {

enum class Verdict : std::uint8_t { good, could_be_better, wrong, not_tried };
// "good", "could_be_better" ...
std::string_view name_of(Verdict verdict);

// One corner of the protocol, and how the bot took it.
struct CornerFinding {
    std::string corner;  // "unknown members"
    std::string game;    // "walls"; empty: it belongs to no game
    Verdict verdict = Verdict::good;
    std::string seen{};      // what the bot did; of a corner that was not tried, why
    std::string expected{};  // what it should have done; empty where all is well
    std::string advice{};    // what to do about it, with an example; the same
};

struct BotReport {
    std::string bot;                      // its name
    std::string program;                  // its command, or how it came
    std::vector<std::string> games;       // that were played
    std::vector<CornerFinding> findings;  // in the order in which they were tried
    // The sandbox hides what the bot needs to start, so that nothing could be tried.
    bool hidden = false;

    std::size_t count(Verdict verdict) const;
    bool passed() const { return count(Verdict::wrong) == 0; }
};

// For a student at a terminal: lines that end with a line feed.
std::string as_text(const CornerFinding& finding);
// The line at the end: in how many corners something is wrong.
std::string last_line(const BotReport& report);
// One JSON object.
std::string as_json(const BotReport& report);
// JUnit's XML, a test case for each finding.
std::string as_junit(const BotReport& report);

}  // namespace referee::check_bot
