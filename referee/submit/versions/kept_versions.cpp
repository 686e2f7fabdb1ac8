#include "referee/submit/versions/kept_versions.h"

#include <algorithm>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "protocol/json/reader.h"
#include "protocol/limits.h"
#include "protocol/messages.h"
#include "referee/config/read_config.h"
#include "referee/config/read_values.h"
#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::versions {
namespace {

namespace json = protocol::json;

constexpr std::size_t file_bytes_max = 1024 * 1024;

using protocol::SubmissionStatus;

constexpr std::int64_t ms_per_s = 1000;

// A machine that could start nothing has come to itself by then, or somebody has to look at it.
constexpr std::chrono::minutes launched_again_after{5};

constexpr const char* not_here_yet = "it is built, and has not logged in yet";

// Whether it has ever logged in, of the version that is launched.
bool has_come(const Owner& owner, std::optional<unsigned> launched) {
    return std::ranges::any_of(owner.versions, [&](const auto& version) {
        return version.number == launched && version.outcome && version.outcome->came;
    });
}

std::string folder_built_in(const std::string& site, const std::string& bot) {
    return site + "/submissions/" + files::folder_name_of(bot);
}

// What `referee build` has left of it.
VersionOutcome outcome_of(const std::string& folder, const BuildEnd& end) {
    VersionOutcome outcome;
    outcome.built = end.status == exit_done;
    const auto output =
        files::read_named_file(folder + "/" + collect::output_file_name, file_bytes_max);
    if (output)
        outcome.output = base::utf8_prefix(*output, protocol::limits::build_output_bytes_max);
    if (outcome.built) return outcome;
    outcome.reason = collect::reason_in(folder);
    if (outcome.reason.empty()) outcome.reason = "it did not build";
    return outcome;
}

// `referee build` says in its first words which sandbox it builds in, and then what went wrong.
std::string trouble_in(std::string_view text) {
    const auto at = text.find(collect::machine_trouble);
    return std::string(text.substr(at == text.npos ? 0 : at));
}

std::string what_plays(const KeptVersions::Kept& kept) {
    if (kept.plays)
        return fmt::format("version {}{}", *kept.plays,
                           has_come(kept.owner, kept.plays)
                               ? " plays: the referee launches it for its matches"
                               : " plays as soon as it has logged in: ask again with --status");
    if (!kept.not_hosted.empty()) return "nothing plays: " + kept.not_hosted;
    if (kept.owner.versions.empty()) return "nothing plays: nothing was handed in";
    const auto& last = kept.owner.versions.back();
    if (last.number <= kept.owner.withdrawn) return "nothing plays: it was withdrawn";
    if (last.outcome) return "nothing plays: no version is built and starts";
    return "nothing plays: no version is built yet";
}

// How what was built in a folder is launched: by the submission.json that `referee build` has left
// there. `terms` has the limits. An error says what is wrong with that file.
base::Result<config::BotConfig, std::string> program_built_in(const std::string& folder,
                                                              const std::string& bot,
                                                              const config::BotConfig& terms) {
    const auto file = folder + "/" + collect::submission_file_name;
    json::Document document;
    const auto parsed = files::read_named_json(file, file_bytes_max, "is no JSON", document);
    if (!parsed) return base::failure(parsed.error());
    json::Mistakes mistakes(config::config_rules);
    json::Reader reader(document.root(), mistakes);
    auto built = terms;
    built.name = bot;
    built.launch = {};
    std::string directory;
    reader.text("directory", directory);
    built.directory = folder + "/" + directory;
    built.has_own_directory = true;
    reader.texts("command", built.launch);
    if (const auto program = config::read_program(reader)) config::set_program(built, *program);
    if (mistakes) return base::failure(file + " is not as `referee build` writes it");
    if (!built.launched()) return base::failure(file + " names no command");
    return built;
}

}  // namespace

KeptVersions::Kept* KeptVersions::find(std::string_view bot) {
    return base::find_in(kept_, bot);
}

void KeptVersions::run_beside(std::function<VersionStore::Done()> work,
                              std::function<void(const VersionStore::Done&)> done) {
    const auto result = std::make_shared<VersionStore::Done>();
    context_.beside.run([result, work = std::move(work)] { *result = work(); },
                        life_.while_it_lasts([result, done = std::move(done)] { done(*result); }));
}

// The machine's trouble is no outcome: the version waits for the next start, or for a newer one.
void KeptVersions::built(const std::string& bot, unsigned number, const BuildEnd& end) {
    auto& kept = kept_.at(bot);
    kept.building.reset();
    if (end.status != exit_done && end.status != exit_no) {
        context_.tell_trouble(
            fmt::format("version {} of {} could not be built, which is this machine's trouble: {}; "
                        "it is built anew at the next start of the referee",
                        number, bot, trouble_in(end.output)));
        kept.troubles[number] =
            "it could not be built, by the referee's own trouble: the instructor's log tells which";
        return;
    }
    const auto outcome = std::make_shared<VersionOutcome>();
    run_beside(
        [on_disk = on_disk_, bot, number, end, outcome] {
            *outcome = outcome_of(folder_built_in(on_disk.build_folder_of(bot, number), bot), end);
            return on_disk.conclude(bot, number, *outcome);
        },
        [this, bot, number, outcome](const VersionStore::Done& done) {
            if (!done) context_.tell_trouble(done.error());
            context_.tell(
                fmt::format("version {} of {}{}", number, bot,
                            outcome->built ? " is built" : " is not built: " + outcome->reason));
            conclude(bot, number, *outcome);
        });
}

void KeptVersions::conclude(const std::string& bot, unsigned number,
                            const VersionOutcome& outcome) {
    auto& kept = kept_.at(bot);
    for (auto& version : kept.owner.versions) {
        if (version.number == number) version.outcome = outcome;
    }
    host_newest(kept);
    drop_old_versions(kept);
}

void KeptVersions::given_up(const std::string& bot, const std::string& why,
                            const std::string& printed) {
    auto* const found = find(bot);
    if (found == nullptr || !found->plays) return;
    auto& kept = *found;
    const auto number = *std::exchange(kept.plays, std::nullopt);
    VersionOutcome outcome;
    for (const auto& version : kept.owner.versions) {
        if (version.number == number && version.outcome) outcome = *version.outcome;
    }
    outcome.built = false;
    outcome.reason = "it is built, and does not start: " + why;
    if (!printed.empty()) {
        const bool begun = !outcome.output.empty() && !outcome.output.ends_with('\n');
        outcome.output += (begun ? "\n" : "") + ("its standard error:\n" + printed);
    }
    context_.tell(fmt::format("version {} of {} does not start", number, bot));
    note(bot, number, outcome);
    conclude(bot, number, outcome);
    if (!kept.plays) context_.launch_no_more(bot);
}

void KeptVersions::not_launched(const std::string& bot) {
    auto* const found = find(bot);
    if (found == nullptr || !found->plays) return;
    const auto number = *found->plays;
    found->troubles[number] =
        "it is built, and could not be launched, by the referee's own trouble: it is launched "
        "again in some minutes";
    context_.tell_trouble(fmt::format(
        "version {} of {} could not be launched, which is this machine's trouble; it is launched "
        "again in {} min",
        number, bot, launched_again_after.count()));
    context_.timers.schedule(context_.timers.now() + launched_again_after,
                             life_.while_it_lasts([this, bot, number] {
                                 auto& kept = kept_.at(bot);
                                 if (kept.plays != number) return;
                                 kept.plays.reset();
                                 host_newest(kept);
                             }));
}

void KeptVersions::logged_in(std::string_view bot) {
    auto* const found = find(bot);
    if (found == nullptr) return;
    auto& kept = *found;
    if (kept.plays) kept.troubles.erase(*kept.plays);
    for (auto& version : kept.owner.versions) {
        if (version.number != kept.plays || !version.outcome || version.outcome->came) continue;
        version.outcome->came = true;
        context_.tell(fmt::format("version {} of {} has logged in, and plays from now on",
                                  version.number, kept.owner.bot));
        note(kept.owner.bot, version.number, *version.outcome);
    }
    drop_old_versions(kept);
}

void KeptVersions::note(const std::string& bot, unsigned number, const VersionOutcome& outcome) {
    run_beside([on_disk = on_disk_, bot, number,
                outcome] { return on_disk.conclude(bot, number, outcome); },
               [this](const VersionStore::Done& done) {
                   if (!done) context_.tell_trouble(done.error());
               });
}

void KeptVersions::host_newest(Kept& kept) {
    const auto& owner = kept.owner;
    const auto newest =
        std::find_if(owner.versions.rbegin(), owner.versions.rend(), [&](const auto& version) {
            return version.outcome && version.outcome->built && version.number > owner.withdrawn;
        });
    if (newest == owner.versions.rend() || kept.plays == newest->number) return;
    const auto terms = terms_.value_or(config::SubmissionsConfig());
    kept.not_hosted.clear();
    auto program = program_built_in(
        folder_built_in(on_disk_.build_folder_of(owner.bot, newest->number), owner.bot), owner.bot,
        terms.program);
    if (!program) {
        kept.not_hosted = program.error();
    } else if (auto launched = context_.launch(*std::move(program), terms.games); !launched) {
        kept.not_hosted = launched.error();
    } else {
        kept.plays = newest->number;
        context_.tell(fmt::format("version {} of {}{} from now on", newest->number, owner.bot,
                                  newest->outcome->came ? " plays" : " is launched"));
    }
    if (!kept.not_hosted.empty())
        context_.tell_trouble(fmt::format("version {} of {} can't play: {}", newest->number,
                                          owner.bot, kept.not_hosted));
}

// What plays is always kept, and so is the newest, of which its owner is told what became, and what
// still waits for its build; before the first login of the newest all are, as one of them may have
// to play again. One that is thrown away may still be running in its last match: it has all its
// files open or in memory, or is given up there.
void KeptVersions::drop_old_versions(Kept& kept) {
    if (kept.plays && !has_come(kept.owner, kept.plays)) return;
    auto& versions = kept.owner.versions;
    const std::size_t most = terms_.value_or(config::SubmissionsConfig()).versions;
    for (auto version = versions.begin();
         versions.size() > most && version->number != versions.back().number;) {
        if (!version->outcome || kept.plays == version->number) {
            ++version;
            continue;
        }
        context_.beside.run([on_disk = on_disk_, bot = kept.owner.bot,
                             number = version->number] { on_disk.remove(bot, number); },
                            [] {});
        version = versions.erase(version);
    }
}

std::optional<KeptVersions::Standing> KeptVersions::standing_of(std::string_view bot) const {
    const auto* found = base::find_in(kept_, bot);
    if (found == nullptr || found->owner.versions.empty()) return std::nullopt;
    const auto& kept = *found;
    const auto& newest = kept.owner.versions.back();
    Standing standing{kept.plays, newest.number, "nothing plays"};
    if (!has_come(kept.owner, kept.plays)) standing.plays.reset();
    if (kept.plays)
        standing.text =
            fmt::format("version {}{}", *kept.plays,
                        standing.plays ? " plays" : " is built, and has not logged in yet");
    if (kept.plays == newest.number) return standing;
    standing.text += "; version " + std::to_string(newest.number);
    if (newest.number <= kept.owner.withdrawn) {
        standing.text += " was withdrawn";
    } else if (kept.building == newest.number) {
        standing.text += " is being built";
    } else if (!newest.outcome) {
        standing.text += kept.troubles.contains(newest.number)
                             ? " could not be built, by the referee's own trouble"
                             : " waits to be built";
    } else {
        standing.text += newest.outcome->built ? " is built" : " failed";
    }
    return standing;
}

void KeptVersions::tell_versions(const std::string& bot, session::Session& session) const {
    const auto* found = base::find_in(kept_, bot);
    const Kept nothing;
    const auto& kept = found == nullptr ? nothing : *found;
    const auto status = [&kept](const Version& version) {
        if (kept.plays == version.number && has_come(kept.owner, kept.plays))
            return SubmissionStatus::plays;
        if (kept.building == version.number) return SubmissionStatus::building;
        if (!version.outcome) return SubmissionStatus::waiting;
        return version.outcome->built ? SubmissionStatus::built : SubmissionStatus::failed;
    };
    const auto now_s = context_.wall_clock_s();
    protocol::SubmissionList list;
    const auto& versions = kept.owner.versions;
    for (auto version = versions.rbegin();
         version != versions.rend() &&
         list.versions.size() < protocol::limits::submissions_listed_max;
         ++version) {
        auto& line = list.versions.emplace_back();
        line.version = version->number;
        line.file = version->file;
        line.bytes = static_cast<std::int64_t>(version->bytes);
        line.sha256 = version->sha256;
        line.status = status(*version);
        line.ago_ms = std::max<std::int64_t>(0, now_s - version->handed_in_s) * ms_per_s;
        if (version->outcome) {
            const bool comes = kept.plays == version->number && !version->outcome->came;
            line.reason = comes ? not_here_yet : std::string_view(version->outcome->reason);
            if (version == versions.rbegin()) line.output = version->outcome->output;
        }
        if (const auto* trouble = base::find_in(kept.troubles, version->number))
            line.reason = *trouble;
    }
    const auto plays = what_plays(kept);  // the list has only views of texts
    list.plays = plays;
    session.send(list);
    session.flush();
}

}  // namespace referee::versions
