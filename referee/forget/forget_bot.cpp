#include "referee/forget/forget_bot.h"

#include <algorithm>
#include <array>
#include <optional>

#include "protocol/base/bytes.h"
#include "protocol/base/names.h"
#include "protocol/base/text.h"
#include "referee/config/read_config.h"
#include "referee/files/file.h"
#include "referee/store/store.h"
#include "referee/store/store_files.h"
#include "referee/tournament/tournaments.h"
#include "referee/version.h"

namespace referee::forget {
namespace {

constexpr std::array<base::Named<ForgetTrouble>, 5> troubles = {{
    {ForgetTrouble::unknown, "unknown"},
    {ForgetTrouble::still_named, "still_named"},
    {ForgetTrouble::unfit, "unfit"},
    {ForgetTrouble::plays, "plays"},
    {ForgetTrouble::machine, "machine"},
}};
static_assert(base::in_order(troubles));

// As many digits as a game's fingerprint has.
constexpr std::size_t fingerprint_digits = 16;
// How many files are listed one by one.
constexpr std::size_t files_listed_max = 10;
// A config, or a roster, that is larger was refused when it was read.
constexpr std::size_t text_bytes_max = 16 * 1024 * 1024;

auto refused(ForgetTrouble trouble, std::string message) {
    return base::failure(ForgetRefusal{trouble, std::move(message)});
}

std::string store_of(const ForgetTask& task) {
    return task.out + "/" + std::string(store::name_in_output_folder);
}

records::Forgetting forgetting_of(const ForgetPlan& plan, const std::string& secret) {
    return {
        {plan.task.name, plan.placeholder, plan.mentions.known},
        [secret](const std::string& fingerprint) {
            return base::hex_of(base::digest_of(secret, fingerprint)).substr(0, fingerprint_digits);
        }};
}

std::string unknown(const ForgetTask& task, const std::vector<std::string>& known) {
    return store_of(task) + " has no bot \"" + task.name + "\": nothing is to be forgotten there" +
           base::did_you_mean(task.name, known);
}

base::Result<void, ForgetRefusal> check_names(const ForgetPlan& plan,
                                              const config::Config& config) {
    const auto& name = plan.task.name;
    const auto named = [&name](const auto& bot) { return bot.name == name; };
    if (std::any_of(config.bots.begin(), config.bots.end(), named)) {
        return refused(ForgetTrouble::still_named,
                       plan.task.config + " still names " + name +
                           " in \"bots\": take it out, or write " + plan.placeholder +
                           " in its place where a tournament that is not over lists its bots "
                           "({\"name\": \"" +
                           plan.placeholder + "\"}); then try again");
    }
    const auto& registration = config.registration;
    if (registration.class_roster && registration.class_roster->named(name) != nullptr) {
        return refused(ForgetTrouble::still_named, registration.roster_file +
                                                       " still has a row for " + name +
                                                       ": remove it, then try again");
    }
    return {};
}

// Whether the next start will go on with what is in the store then.
base::Result<void, ForgetRefusal> check_fit(const ForgetPlan& plan, const config::Config& config) {
    const auto forgetting = forgetting_of(plan, {});
    const auto past = [&](const auto& take) -> base::Result<void, std::string> {
        auto reader = store::StoreReader::open(store_of(plan.task));
        if (!reader) return base::failure(reader.error().message);
        return reader
            ->history([&](const store::StoredRecord& stored) {
                take(records::forget(forgetting, stored.record));
            })
            .map_error([](const store::StoreError& error) { return error.message; });
    };
    const auto open = tournament::open_tournaments(config, version, true, past);
    if (open) return {};
    return refused(ForgetTrouble::unfit,
                   "with " + plan.placeholder + " in place of " + plan.task.name + ", " +
                       plan.task.config + " would not fit the store: " + open.error() +
                       ". Put that right in the config, or let the tournament end first");
}

// Where the text of a file has the name still, as in a comment.
void note_text(const std::string& file, const records::Placeholder& of,
               std::vector<std::string>& left) {
    if (file.empty()) return;
    const auto text = files::read_named_file(file, text_bytes_max);
    if (text && of.stands_in(*text)) left.push_back(file + ": the name stands in its text");
}

void note_left(const records::Placeholder& of, const config::Config* config, ForgetPlan& plan) {
    auto& left = plan.left;
    for (std::size_t i = 0; i < plan.files.left.size() && i < files_listed_max; ++i)
        left.push_back(plan.files.left[i] +
                       ": names it, and is somebody else's (what another bot wrote, a copy)");
    if (plan.files.left.size() > files_listed_max)
        left.push_back("and " + std::to_string(plan.files.left.size() - files_listed_max) +
                       " more files below " + plan.task.out + " that name it");
    for (const auto& file : plan.files.too_large)
        left.push_back(file + ": is so large that it was not looked at");
    if (config != nullptr) {
        note_text(plan.task.config, of, left);
        note_text(config->registration.roster_file, of, left);
    } else {
        left.emplace_back(
            "the config and the roster: they were not looked at; --config FILE does that");
    }
    for (const auto& tournament : plan.mentions.under_way) {
        left.push_back("tournament " + tournament +
                       " is not over: where its config lists its bots, " + plan.placeholder +
                       " must stand there in place of the name; `referee ctl withdraw " +
                       tournament + " " + plan.placeholder + "` ends the wait for its matches");
    }
    left.emplace_back("archives, copies and backups elsewhere: remove them, and make new ones");
    left.emplace_back("the system's log, and what the referee printed");
    left.emplace_back("the student's program, other students' files, and e-mails");
}

}  // namespace

std::string_view name_of(ForgetTrouble trouble) {
    return base::row_of(troubles, trouble).name;
}

base::Result<ForgetPlan, ForgetRefusal> plan_forgetting(const ForgetTask& task) {
    auto mentions = store::mentions_of(store_of(task), task.name);
    if (!mentions) return refused(ForgetTrouble::machine, mentions.error().message);
    if (mentions->records == 0)
        return refused(ForgetTrouble::unknown, unknown(task, mentions->known));
    ForgetPlan plan{task, records::next_placeholder(mentions->known), *std::move(mentions), {}, {}};
    std::optional<config::Config> config;
    if (!task.config.empty()) {
        auto read = config::read_config_file(task.config);
        if (!read)
            return refused(ForgetTrouble::unfit,
                           config::describe(read.error().front(), task.config));
        config = *std::move(read);
        if (auto clean = check_names(plan, *config); !clean)
            return base::failure(std::move(clean.error()));
        if (auto fits = check_fit(plan, *config); !fits)
            return base::failure(std::move(fits.error()));
    }
    const auto forgetting = forgetting_of(plan, {});
    auto files = files_of_bot(task.out, forgetting);
    if (!files) return refused(ForgetTrouble::machine, files.error());
    plan.files = *std::move(files);
    note_left(forgetting.of, config ? &*config : nullptr, plan);
    return plan;
}

base::Result<store::Rewritten, ForgetRefusal> forget_bot(const ForgetPlan& plan,
                                                         const std::string& secret,
                                                         const store::OnRewritten& on_rewritten) {
    const auto store = store::file_of_store(store_of(plan.task));
    const auto lock = store::StoreLock::take(store);
    if (!lock) return refused(ForgetTrouble::machine, lock.error().message);
    const auto forgetting = forgetting_of(plan, secret);
    // What was written since the plan was made is looked at too.
    const auto files = files_of_bot(plan.task.out, forgetting);
    if (!files) return refused(ForgetTrouble::machine, files.error());
    if (auto written = forget_in_files(*files, forgetting); !written)
        return refused(ForgetTrouble::machine,
                       written.error() + "; the store is as it was. Try again when that is mended");
    auto rewritten = store::rewrite_without(store, forgetting, on_rewritten);
    if (!rewritten) return refused(ForgetTrouble::machine, rewritten.error().message);
    return *rewritten;
}

std::string describe(const ForgetPlan& plan) {
    const auto& files = plan.files;
    return base::counted(plan.mentions.records, "record that names it", "records that name it") +
           ", " + base::counted(plan.mentions.games, "game") + "; " +
           base::counted(files.rewritten.size(), "file") + " to rewrite, " +
           base::counted(files.removed.size(), "file or folder", "files and folders") +
           " to remove";
}

std::string told_of(const ForgetPlan& plan, const store::Rewritten& rewritten) {
    auto text = plan.task.name + " is forgotten: " + plan.placeholder + " stands in its place in " +
                std::to_string(plan.mentions.records) + " of " +
                base::counted(rewritten.records, "record");
    if (rewritten.replays_lost > 0)
        text += "; " + base::counted(rewritten.replays_lost, "replay could not be read and is lost",
                                     "replays could not be read and are lost");
    return text;
}

}  // namespace referee::forget
