#pragma once

// What the person at the terminal sees of a bridge, and what is kept for later.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "referee/connect/bridge/kept_folder.h"
#include "referee/connect/relay/line_cutter.h"
#include "referee/connect/relay/record.h"
#include "referee/connect/relay/relay.h"

namespace referee::bridge {

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
    void tell(relay::Record& record);

    const KeptFolder& folder() const { return folder_; }

 private:
    void show_error_line(std::string_view line);
    void trace(std::string_view mark, std::string_view lines) const;
    void keep(const std::string& text);
    // Tells trouble with the folder, once.
    void check(const base::Result<void, std::string>& kept);

    std::ostream& screen_;
    KeptFolder folder_;
    bool trace_ = false;
    bool folder_is_good_ = true;
    bool taught_ = false;  // where messages belong
    relay::LineCutter errors_;
    std::size_t error_lines_ = 0;
    std::size_t kept_back_ = 0;
};

}  // namespace referee::bridge
