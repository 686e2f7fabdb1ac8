#include "referee/launch/process/launch_spec.h"

#include <string.h>
#include <unistd.h>
#include <iterator>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::process {
namespace {

using Kind = LaunchError::Kind;

std::string in_quotes(const std::string& text) {
    return "'" + text + "'";
}

std::string cannot(const LaunchSpec& spec) {
    return "can't start " + in_quotes(spec.command.empty() ? "" : spec.command[0]) + ": ";
}

LaunchError other(const LaunchSpec& spec, const std::string& what) {
    return {Kind::other, cannot(spec) + what};
}

bool has_nul(const std::string& text) {
    return text.find('\0') != std::string::npos;
}

std::string program_path(const LaunchSpec& spec, const std::string& search_path) {
    return program_file(spec.command[0], spec.working_directory, search_path);
}

// The first folder on the way to the path that may not be entered; empty where there is none.
std::string closed_folder(const std::string& path) {
    for (auto slash = path.find('/', 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
        const auto folder = path.substr(0, slash);
        // With a slash a file is none, and gives another error.
        if (::access((folder + "/").c_str(), X_OK) != 0 && errno == EACCES) return folder;
    }
    return {};
}

std::string opened_by(const std::string& folder) {
    return "the referee's user may not enter " + in_quotes(folder) +
           "; chmod +x it, or move what lies there";
}

std::vector<std::string> programs_in(const std::string& search_path) {
    std::vector<std::string> names;
    for (const auto& folder : folders_of(search_path))
        std::ranges::move(files::names_in(folder), std::back_inserter(names));
    return names;
}

// Whether it is a program of the machine, and no script.
bool is_binary(const std::string& path) {
    constexpr std::string_view magic =
        "\x7f"
        "ELF";
    return files::first_bytes(path, magic.size()) == magic;
}

LaunchError not_found(const LaunchSpec& spec, const std::string& search_path) {
    const std::string& program = spec.command[0];
    const std::string path =
        std::filesystem::path(program_path(spec, search_path)).lexically_normal().string();
    if (const auto closed = closed_folder(path); !closed.empty())
        return {Kind::not_executable, cannot(spec) + opened_by(closed)};
    if (!path.empty() && is_binary(path)) {
        const auto led_to = std::filesystem::weakly_canonical(path).string();
        return {Kind::interpreter_missing,
                cannot(spec) + (led_to == path
                                    ? "it is a program, but the loader that it was built for is "
                                      "not there; build it on this machine, or statically"
                                    : "it is a link to " + in_quotes(led_to) +
                                          ", which the bot does not see; put a copy in its place, "
                                          "or name that file in \"reads\"")};
    }
    if (!path.empty() && ::access(path.c_str(), F_OK) == 0) {
        return {Kind::interpreter_missing,
                cannot(spec) +
                    "it is there, but the program that runs it is not; look at its "
                    "first line, e.g. '#!/usr/bin/env python3', and at its line ends (LF)"};
    }
    if (program.find('/') == std::string::npos) {
        const auto near = base::nearest(program, programs_in(search_path));
        return {Kind::not_found,
                cannot(spec) + "no such program in " + search_path +
                    (near.empty() ? "; install it, or give its path, e.g. \"./" + program + "\""
                                  : base::did_you_mean(near))};
    }
    const std::string from = program[0] == '/' || spec.working_directory.empty()
                                 ? std::string()
                                 : " (seen from " + in_quotes(spec.working_directory) + ")";
    return {Kind::not_found,
            cannot(spec) + "no such file" + from + "; check the path, or build the bot first"};
}

LaunchError execute_error(const LaunchSpec& spec, const std::string& search_path, int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR:
            return not_found(spec, search_path);
        case EACCES:
        case EPERM:
            return {Kind::not_executable,
                    cannot(spec) +
                        "it may not be executed by the bot's user; chmod +x it, and "
                        "see that its folders may be entered (x)"};
        case ENOEXEC:
            return {
                Kind::not_executable,
                cannot(spec) +
                    "it is no program; a script needs a first line like '#!/usr/bin/env python3', "
                    "or the command starts with its interpreter, e.g. [\"python3\", \"bot.py\"]"};
        case E2BIG:
            return {Kind::arguments_too_long, cannot(spec) + "arguments and environment too long"};
        default:
            return system_error(spec, "executing it failed", error);
    }
}

LaunchError directory_error(const LaunchSpec& spec, int error) {
    return other(spec, "its working directory " + in_quotes(spec.working_directory) +
                           (error == ENOENT || error == ENOTDIR
                                ? " is no directory; make it or correct the path"
                                : " can't be entered (" + error_text(error) +
                                      "); the bot's user needs x on it"));
}

}  // namespace

std::string ExitStatus::text() const {
    if (how == How::lost) return "lost: its supervisor was killed";
    if (how == How::exited) return "exit status " + std::to_string(code);
    const char* name = ::sigdescr_np(code);
    return fmt::format("killed by signal {} ({})", code, name != nullptr ? name : "unknown");
}

base::Result<void, LaunchError> check_spec(const LaunchSpec& spec) {
    const auto bad = [&](const std::string& what) {
        return base::failure(LaunchError{Kind::bad_spec, cannot(spec) + what});
    };
    if (spec.command.empty() || spec.command[0].empty()) {
        return bad(
            "the command is empty; expected a program and its arguments, e.g. "
            "[\"python3\", \"bot.py\"]");
    }
    if (std::ranges::any_of(spec.command, has_nul) || has_nul(spec.working_directory)) {
        return bad("command and working directory can't hold a NUL byte");
    }
    for (const auto& [name, value] : spec.environment) {
        if (name.empty() || name.find('=') != std::string::npos || has_nul(name) ||
            has_nul(value)) {
            return bad("the environment's " + in_quotes(name) +
                       " is no name; expected e.g. \"BOT_LEVEL\": \"3\"");
        }
    }
    if (spec.limits.address_space_bytes.value_or(LaunchLimits::address_space_bytes_min) <
        LaunchLimits::address_space_bytes_min) {
        return bad(fmt::format("no program can be loaded in an address space under {} bytes",
                               LaunchLimits::address_space_bytes_min));
    }
    return {};
}

base::Result<void, LaunchError> can_show(const LaunchSpec& spec) {
    if (!spec.sandbox) return {};
    for (const auto& path : spec.sandbox->reads) {
        if (::access(path.c_str(), F_OK) == 0) continue;
        const int error = errno;
        const auto closed = closed_folder(path);
        const auto why = closed.empty() ? error_text(error) +
                                              "; make it, or correct \"directory\" or \"reads\" in "
                                              "the config"
                                        : opened_by(closed);
        return base::failure(other(
            spec,
            in_quotes(path) + ", which it is to see in the sandbox, can't be reached: " + why));
    }
    return {};
}

base::Result<void, LaunchError> foresee_launch(const LaunchSpec& spec,
                                               const std::string& search_path) {
    if (auto checked = check_spec(spec); !checked) return checked;
    const auto may = [](const std::string& path, int mode) {
        return ::access(path.c_str(), mode) == 0;
    };
    const auto& folder = spec.working_directory;
    if (!folder.empty() && !may(folder + "/", X_OK))
        return base::failure(directory_error(spec, errno));
    const auto program = program_path(spec, search_path);
    if (program.empty() || !may(program, F_OK)) return base::failure(not_found(spec, search_path));
    if (!may(program, X_OK) || may(program + "/", F_OK))
        return base::failure(execute_error(spec, search_path, EACCES));
    return can_show(spec);
}

LaunchError launch_error(const LaunchSpec& spec, const std::string& search_path, LaunchStage stage,
                         int error) {
    if (error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN)
        return system_error(spec, "the machine ran out of something", error);
    if (error == ETIMEDOUT) {
        return other(spec,
                     "its command did not begin in time; does its file lie on a drive "
                     "that hangs, or does far more run here than there are cores?");
    }
    switch (stage) {
        case LaunchStage::supervise:
            if (error == 0) {
                return other(spec,
                             "the exec shim ended without a word; install the referee "
                             "again, so that both are of one version");
            }
            return system_error(spec, "supervising failed", error);
        case LaunchStage::fork:
            return system_error(spec, "no new process", error);
        case LaunchStage::join_group:
            return other(spec, "its control group refused it (" + error_text(error) + ")");
        case LaunchStage::limits:
            return other(spec, "its limits were refused (" + error_text(error) + ")");
        case LaunchStage::identity:
            return other(spec, "it can't run as another user (" + error_text(error) +
                                   "); only a referee that runs as root may do that");
        case LaunchStage::working_directory:
            return directory_error(spec, error);
        case LaunchStage::execute:
            return execute_error(spec, search_path, error);
        case LaunchStage::stage:
            if (error == ELOOP) {
                return other(spec,
                             "a path that it is to see goes through a symbolic link to what not "
                             "everybody may read; name the real path in the config");
            }
            if (error == EPERM)
                return sandbox_refused(
                    spec, {sandbox::Tier::b, "the machine refuses namespaces of mounts to root",
                           "in a container, start it with the right to make them"});
            return other(spec, "what it is to see can't be shown to its user (" +
                                   error_text(error) +
                                   "); let everybody read its folder, e.g. chmod -R o+rX");
        case LaunchStage::bubblewrap:
            return sandbox_refused(spec, sandbox::not_executed(error_text(error)));
        case LaunchStage::sandbox:
            return other(spec, "its sandbox could not be made (" + error_text(error) + ")");
    }
    return system_error(spec, "unknown stage", error);
}

LaunchError sandbox_refused(const LaunchSpec& spec, const sandbox::SkippedTier& refused) {
    return {Kind::other, cannot(spec) + refused.found + "; " + refused.advice, refused};
}

LaunchError no_sandbox(const LaunchSpec& spec, const sandbox::Offer& offer) {
    std::string why = "this machine gives no sandbox";
    for (const auto& passed : offer.passed_over) why += "; " + passed.found + ": " + passed.advice;
    return other(spec, why);
}

LaunchError system_error(const LaunchSpec& spec, const std::string& what, int error) {
    auto text = cannot(spec) + what + " (" + error_text(error) + ")";
    if (error == EMFILE || error == ENFILE)
        text +=
            fmt::format("; raise the limit on open files (ulimit -n, now {}) or launch fewer bots",
                        ::sysconf(_SC_OPEN_MAX));
    if (error == EAGAIN) text += "; raise the limit on processes (ulimit -u) or launch fewer bots";
    if (error == ENOMEM) text += "; free memory or launch fewer bots";
    return {Kind::other, text};
}

}  // namespace referee::process
