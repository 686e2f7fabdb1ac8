#pragma once

// What the person at the terminal sees of a bridge, and what is kept for later.

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/framer.h"
#include "referee/connect/relay/game_log.h"
#include "referee/connect/relay/lines.h"
#include "referee/connect/relay/relay.h"

namespace referee::bridge {

// Games whose stories are kept: some matches back.
inline constexpr std::size_t stories_kept = 20;
// Of what the program prints, twice this: the file that grows, and the one before it.
inline constexpr std::size_t printed_bytes_max = 1024 * 1024;

// The default folder of a bot: "referee-NAME", with "%C3" for a byte that has no place in a name.
std::string default_folder(std::string_view name);

// What a bridge keeps for the student, in a folder:
//
//     printed.log       all that the program printed beside its messages, the newest
//     printed.old.log   what was printed before
//     games/000031 friday_12.1.txt   the story of a game; the oldest are removed
class KeptFolder {
 public:
    // Makes the folder where there is none. An error says why it can't be used.
    static base::Result<KeptFolder, std::string> in(const std::string& folder);

    // Both errors say what couldn't be written, and why; later calls try again.
    base::Result<void, std::string> print(std::string_view text);
    base::Result<void, std::string> keep_story(std::string_view game_id, std::string_view text);

    const std::string& folder() const { return folder_; }
    std::string printed_file() const { return folder_ + "/printed.log"; }

 private:
    explicit KeptFolder(std::string folder) : folder_(std::move(folder)) {}

    base::Result<void, std::string> open_printed();

    std::string folder_;
    std::ofstream printed_;
    std::size_t printed_bytes_ = 0;
    std::uint64_t stories_ = 0;  // the number of the last one
};

// Of one process of the program: what it prints to standard error, and what it prints where its
// messages belong. More is kept in the folder and not shown, so that the terminal stays readable.
inline constexpr std::size_t error_lines_shown_max = 1000;
inline constexpr std::size_t kept_back_shown_max = 10;

class BridgeReporter {
 public:
    // `screen` must outlive it.
    BridgeReporter(std::ostream& screen, KeptFolder folder, bool trace);

    // A sentence, with the time of day.
    void say(std::string_view sentence);
    // Lines that were passed on, each with its line feed.
    void trace_told(std::string_view lines) { trace("< ", lines); }
    void trace_said(std::string_view lines) { trace("> ", lines); }

    // A new process of the program.
    void program_began();
    // It has ended, and this is the end of what it printed on standard error.
    void program_ended(std::string_view error_tail);
    // What it prints on standard error, in pieces.
    void printed(std::string_view text);
    // What it prints on standard output that is no message.
    void kept_back(const relay::RelayStep::KeptBack& line);

    // Tells what is new, and keeps the stories.
    void tell(relay::GameLog& log);

 private:
    void show_error_line(std::string_view line);
    void trace(std::string_view mark, std::string_view lines) const;
    void keep(const std::string& text) { check(folder_.print(text)); }
    // Tells trouble with the folder, once.
    void check(const base::Result<void, std::string>& kept);

    std::ostream& screen_;
    KeptFolder folder_;
    bool trace_ = false;
    bool folder_is_good_ = true;
    bool taught_ = false;  // where messages belong
    protocol::Framer errors_;
    std::size_t error_lines_ = 0;
    std::size_t kept_back_ = 0;
};

}  // namespace referee::bridge
