#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/daemon/forgetting.h"
#include "referee/daemon/token.h"
#include "referee/exit_code.h"

namespace referee::cli {
namespace {

struct ForgetOptions {
    daemon::ForgetTask task;
    bool dry = false;
};

int refuse_to_forget(const daemon::ForgetRefusal& refused, const std::string& out) {
    std::cerr << refused.message << '\n';
    if (refused.trouble == daemon::ForgetTrouble::machine)
        std::cerr << "(where a daemon runs there: referee ctl --out " << out << " forget NAME)\n";
    return refused.trouble == daemon::ForgetTrouble::machine ? exit_trouble : exit_no;
}

void list(const char* what, const std::vector<std::string>& lines) {
    for (const auto& line : lines) std::cout << what << line << '\n';
}

int forget_bot(const ForgetOptions& options) {
    const auto plan = daemon::plan_forgetting(options.task);
    if (!plan) return refuse_to_forget(plan.error(), options.task.out);
    std::cout << options.task.name << " becomes " << plan->pseudonym << ": " << describe(*plan)
              << '\n';
    if (options.dry) {
        list("would be rewritten: ", plan->files.rewritten);
        list("would be removed: ", plan->files.removed);
    } else {
        const auto forgotten =
            daemon::forget(*plan, daemon::fresh_token(), [](std::uint64_t /*records*/) {});
        if (!forgotten) return refuse_to_forget(forgotten.error(), options.task.out);
        std::cout << told_of(*plan, *forgotten) << '\n';
    }
    list("left: ", plan->left);
    return exit_done;
}

}  // namespace

void add_forget_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<ForgetOptions>();
    auto* command = app.add_subcommand(
        "forget", "Take a student's data out of a folder's store and files; a pseudonym stays");
    command->footer(R"(  $ referee forget alice --out class --config class.json --dry-run
  $ referee forget alice --out class --config class.json

For a folder in which no daemon runs; `referee ctl forget` asks one that does. All records are
rewritten with a pseudonym such as forgotten-1, and what the bot itself wrote is taken away. Moves
and results stay, because others' standings follow from them. The store is made anew beside the old
one, looked at, and put in its place; whoever is cut short does it again.

What can't be reached is listed as "left". Exit status: 0 done; 1 refused, with the reason: the
store has no such bot, the config or the roster still names it, or the config would not fit the
store any more; 3 the store is in use, or the machine refuses.)");
    command->add_option("NAME", options->task.name, "The bot's name")->required();
    command->add_option("--out", options->task.out, "The folder of `run` or `serve`")->required();
    command->add_option("--config", options->task.config,
                        "The config of the folder; it is looked at whether it names the bot still "
                        "and fits the store afterwards");
    command->add_flag("--dry-run", options->dry, "Tell what would be done, and change nothing");
    command->callback([options, &status] { status = forget_bot(*options); });
}

}  // namespace referee::cli
