#include "referee/daemon/version_news.h"

#include "referee/report/programs_report.h"

namespace referee::daemon {

std::optional<std::string> VersionNews::played(const std::string& tournament,
                                               const std::string& bot, const std::string& program) {
    if (program.empty()) return std::nullopt;
    auto& seen = seen_[{tournament, bot}];
    ++seen.matches;
    seen.changes += !seen.program.empty() && seen.program != program ? 1 : 0;
    seen.program = program;
    const report::ProgramChange change{.matches = seen.matches, .changes = seen.changes};
    if (seen.told || !change.is_restless()) return std::nullopt;
    seen.told = true;
    return "the program of " + bot + " changed " + std::to_string(seen.changes) + " times in its " +
           "last " + std::to_string(seen.matches) + " matches of " + tournament +
           ", or it says so by its \"version\": no figure of it is of one program; a ladder "
           "ranks " +
           "it as if its version had not changed, until one has settled";
}

}  // namespace referee::daemon
