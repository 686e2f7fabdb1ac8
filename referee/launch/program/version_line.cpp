#include "referee/launch/program/version_line.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "referee/command/command.h"

namespace referee::program {
namespace {

// Of Debian's util-linux, which is always there.
constexpr const char* setpriv = "/usr/bin/setpriv";

std::vector<std::string> words_for(const std::string& program) {
    if (geteuid() != 0) return {program, "--version"};
    return {setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
            "--",    program,         "--version"};
}

command::Command command_for(const std::string& program) {
    command::Command command;
    command.words = words_for(program);
    command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LC_ALL=C"};
    command.bare = true;
    command.errors_in_output = true;
    command.over = command::Command::Over::with_its_streams;
    command.leaves_nothing = true;
    command.time_max = version_time_max;
    command.output_bytes_max = version_output_bytes_max;
    return command;
}

}  // namespace

base::Result<std::optional<std::string>, Trouble> version_line(const std::string& program) {
    auto end = command::run(command_for(program));
    if (!end && end.error().kind == command::CommandTrouble::Kind::too_slow)
        return base::failure(
            Trouble{Trouble::Kind::version_too_slow,
                    "`" + program + " --version` did not end within " +
                        std::to_string(version_time_max.count()) +
                        " s; expected a line with its version; try it in a terminal, or see what "
                        "keeps the machine busy"});
    if (!end || end->status != 0) return std::nullopt;
    auto& text = end->output;
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.empty()) return std::nullopt;
    text.resize(std::min(text.size(), version_line_bytes_max));
    return std::move(text);
}

}  // namespace referee::program
