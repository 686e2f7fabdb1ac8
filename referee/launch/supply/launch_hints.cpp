#include "referee/launch/supply/launch_hints.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <initializer_list>
#include <utility>
#include <vector>

#include "protocol/bad_line.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/launch_spec_of.h"

namespace referee::supply {
namespace {

using sandbox::Tier;
using namespace std::string_view_literals;

// What is known of a bot that is to be explained.
struct Case {
    const config::BotConfig& bot;
    Tier tier;
    const ProcessEnding& ending;

    bool told(std::initializer_list<std::string_view> signs) const {
        return std::ranges::any_of(signs, [this](std::string_view sign) {
            return ending.printed.find(sign) != std::string_view::npos;
        });
    }
    bool sandboxed() const { return tier > Tier::none; }
};

std::string memory_text(const Case& known, bool all_together) {
    return fmt::format("{} may have {} MB (\"memory_mb\" in the config gives more)",
                       all_together ? "all its processes together, with what they keep in /tmp,"
                                    : "each of its processes",
                       memory_mb_of(known.bot));
}

// The kernel says it, so no sign is needed.
std::string memory_limit(const Case& known) {
    if (!known.ending.met.memory) return {};
    return "it needed more memory than it may have: " + memory_text(known, true);
}

std::string stopped(const Case& known) {
    if (!known.ending.met.stopped) return {};
    return "its process is stopped (it stopped itself, e.g. by SIGSTOP), and nobody lets it go on";
}

std::string processes_text(const Case& known) {
    return fmt::format(
        "it may have {} processes and threads (\"processes\" in the config allows more)",
        processes_of(known.bot));
}

std::string process_limit(const Case& known) {
    if (!known.ending.met.processes) return {};
    return "it was refused a process or thread: " + processes_text(known);
}

// Virtual machines tell of threads with the words that they also have for memory, so this comes
// before what they print of memory.
std::string processes(const Case& known) {
    if (!known.sandboxed()) return {};
    if (!known.told({"can't start new thread", "Resource temporarily unavailable", "EAGAIN",
                     "nable to create native thread", "annot create thread",
                     "pthread_create failed", "fork: retry"}))
        return {};
    return "in the sandbox " + processes_text(known);
}

std::string memory(const Case& known) {
    if (!known.sandboxed() && known.bot.memory_mb_max == 0) return {};
    if (!known.told({"MemoryError", "bad_alloc", "OutOfMemoryError", "nsufficient memory",
                     "ould not reserve enough space", "heap out of memory", "process out of memory",
                     "ut of memory", "annot allocate memory", "nable to allocate",
                     "memory allocation of", "ENOMEM"}))
        return {};
    return "it ran out of memory: " + memory_text(known, known.tier == Tier::a) +
           "; Java, Node and the like may have set themselves less";
}

std::string open_files(const Case& known) {
    if (known.ending.signal == SIGXFSZ || known.told({"File too large", "EFBIG"}))
        return fmt::format("a file that it writes may have {} MB, which no config changes",
                           *process::LaunchLimits{}.file_size_bytes / bytes_a_mb);
    if (!known.told({"Too many open files", "EMFILE"})) return {};
    return fmt::format(
        "it may have {} files open at once, which no config changes: it should close those that it "
        "has read",
        *process::LaunchLimits{}.open_files);
}

std::string network(const Case& known) {
    if (!known.sandboxed()) return {};
    const bool refused =
        known.told({"socket", "Socket"}) && known.told({"Operation not permitted", "EPERM"});
    if (!refused &&
        !known.told({"Network is unreachable", "ENETUNREACH", "Temporary failure in name",
                     "gaierror", "EAI_AGAIN", "ould not resolve host", "UnknownHostException",
                     "Address family not supported", "EAFNOSUPPORT"}))
        return {};
    return known.bot.speaks == config::Speaks::tcp
               ? "in the sandbox it reaches nobody but the referee, over TCP at REFEREE_ADDRESS; "
                 "what it needs of the network has to lie in its folder"
               : "in the sandbox it has no network; what it needs of it has to lie in its folder";
}

std::string disk(const Case& known) {
    if (!known.sandboxed()) return {};
    if (!known.told({"No space left on device", "ENOSPC"})) return {};
    return fmt::format(
        "in the sandbox it may keep {} MB in /tmp (\"disk_mb\" in the config gives more), and that "
        "counts as memory",
        disk_mb_of(known.bot));
}

std::string foreign_call(const Case& known) {
    if (!known.sandboxed() || known.ending.signal != SIGSYS) return {};
    return "the sandbox ends a program that makes system calls of another kind of machine, such as "
           "one of 32 bits: build it for this one";
}

std::string killed(const Case& known) {
    const auto no_memory = std::string(no_memory_left) +
                           ", and the kernel ended some process (its log, dmesg, says which)";
    if (known.ending.met.machine_memory && known.told({"Killed"})) return no_memory;
    if (known.ending.signal != SIGKILL) return {};
    return known.ending.met.machine_memory
               ? "the referee did not kill it: " + no_memory
               : "the referee did not kill it, and the machine did not run out of memory: it "
                 "killed itself, or somebody on the machine did";
}

// What a bot that speaks over a socket may not know: a path to its standard output can't be opened.
std::string output_path(const Case& known) {
    if (known.bot.speaks != config::Speaks::stdio ||
        known.bot.standard_output != config::StandardOutput::socket)
        return {};
    if (!known.told(
            {"/dev/stdout", "/dev/fd/1", "/self/fd/1", "ENXIO", "No such device or address"}))
        return {};
    return "its standard output is a socket, and no program can open one by its path: it may help "
           "to write to descriptor 1, or to give the bot \"stdout\": \"pipe\" in the config (for "
           "a single game: --stdout pipe)";
}

// The words between quotes that are absolute, or relative to the bot's folder, and lie in what it
// may see. To look at others would tell a bot's author which files the machine has.
std::vector<std::string> files_told(const Case& known, const std::string& folder) {
    std::vector<std::string> files;
    const auto& printed = known.ending.printed;
    for (std::size_t start = printed.find('\''); start != std::string_view::npos;) {
        const auto end = printed.find('\'', start + 1);
        if (end == std::string_view::npos) break;
        const std::string word(printed.substr(start + 1, end - start - 1));
        start = end;
        if (word.empty() || word.find_first_of("\n\0"sv) != std::string::npos) continue;
        auto file = files::absolute_path(folder, word);
        const auto in = [&file](const auto& seen) { return files::lies_in(file, seen); };
        if ((known.bot.has_own_directory && in(known.bot.directory)) ||
            std::ranges::any_of(known.bot.reads, in))
            files.push_back(std::move(file));
    }
    return files;
}

// What no "reads" can mend: the file that its command names is nowhere, or its user may not read
// what it sees.
std::optional<std::string> files_of_its_own(const Case& known) {
    const BotCommand command(known.bot, {});
    if (known.told({"No such file", "annot find module", "nable to access jarfile", "an't open",
                    "annot open"})) {
        const auto missing = missing_source(command);
        if (!missing.empty())
            return "'" + missing + "', which its command names, isn't there: check the name";
        for (const auto& file : files_told(known, command.folder)) {
            if (!files::is_there(file)) return std::string();
        }
    }
    if (::geteuid() != 0 || !known.told({"Permission denied", "EACCES", "nable to access jarfile"}))
        return std::nullopt;
    if (auto closed = closed_to_its_user({known.bot, process::program_search_path()}, known.tier);
        !closed.empty())
        return "it " + closed;
    for (const auto& file : files_told(known, command.folder)) {
        const auto closed = closed_to_others(file, command.folder);
        if (files::is_there(file) && !closed.empty()) return "it " + closed;
    }
    return std::nullopt;
}

// What a program says that misses a file in the sandbox, or may not write where it wants to.
std::string files(const Case& known) {
    if (!known.sandboxed()) return {};
    if (!known.told({"No such file", "not found", "No module named", "annot find module",
                     "nable to access jarfile", "EACCES", "cannot open shared object",
                     "Permission denied", "Read-only file system", "Operation not permitted"}))
        return {};
    if (auto own = files_of_its_own(known)) return *std::move(own);
    const std::string writes =
        known.tier == Tier::c ? ", and writes nowhere" : ", and writes in /tmp";
    if (known.bot.handed_in)
        return "in the sandbox it sees the system's programs and what was handed in with it alone" +
               writes + ": hand in a folder or an archive that holds the missing file too";
    return "in the sandbox it sees the system's programs and its own \"directory\" alone" + writes +
           ": \"reads\" in the config (for a single game: --reads) shows it more";
}

}  // namespace

std::string printed_tail(const std::string& tail) {
    // What it printed usually ends with a line feed, which is no part of a message.
    const auto end = tail.find_last_not_of(" \t\r\n");
    return end == std::string::npos ? std::string() : "; it printed: " + tail.substr(0, end + 1);
}

std::string with_hint(std::string words, const std::string& hint) {
    return hint.empty() ? words : std::move(words) + "; " + hint;
}

std::string told_of(const protocol::ProtocolError& error) {
    if (error.code == protocol::ErrorCode::too_many_connections)
        return "the referee refused its connection (too_many_connections): bots that dial the "
               "referee's port from this machine have the same address, so \"connections\" in the "
               "config (\"per_address\" and \"total\") has to be enough for all of them";
    auto text = "the referee answered it by an error (" +
                std::string(protocol::name_of(error.code)) +
                "): " + base::visible_line(error.message);
    if (error.received.empty()) return text;
    if (protocol::may_hold_token(error.received)) return text.append(protocol::line_not_shown);
    return text.append("; found ").append(base::visible_line(error.received));
}

bool refuses_login(const protocol::ProtocolError& error) {
    if (error.received.empty()) return error.code != protocol::ErrorCode::login_expected;
    return !error.member.empty() && error.member != "type";
}

bool died_of_closed_pipe(const process::ExitStatus& status, std::string_view tail) {
    using How = process::ExitStatus::How;
    if (status.how == How::signalled) return status.code == SIGPIPE;
    if (status.how != How::exited || status.code == 0) return false;
    // What the usual languages print then.
    constexpr std::array<std::string_view, 3> words{"Broken pipe", "BrokenPipe", "EPIPE"};
    return std::ranges::any_of(
        words, [tail](std::string_view word) { return tail.find(word) != std::string_view::npos; });
}

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail) {
    protocol::Evidence evidence;
    if (exit && exit->status) evidence.exit_status = *exit->status;
    if (exit && exit->signal) evidence.signal = *exit->signal;
    if (!tail.empty()) evidence.stderr_tail = tail;
    return evidence;
}

std::string hint_of(const config::BotConfig& bot, Tier tier, const ProcessEnding& ending) {
    const Case known{bot, tier, ending};
    for (const auto explain : {stopped, memory_limit, process_limit, processes, open_files, memory,
                               network, disk, foreign_call, killed, output_path, files}) {
        if (auto hint = explain(known); !hint.empty()) return hint;
    }
    return {};
}

std::optional<std::string> RepeatedWords::once(const std::string& what,
                                               const std::string& details) {
    constexpr std::uint64_t seldom = 10;
    const auto whole = what + details;
    if (std::exchange(last_, whole) != whole) {
        times_ = 1;
        told_next_ = seldom;
        return whole;
    }
    if (++times_ < told_next_) return std::nullopt;
    told_next_ *= seldom;
    return fmt::format("{}, the same as before, {} times in all", what, times_);
}

}  // namespace referee::supply
