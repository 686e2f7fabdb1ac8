#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json/printable.h"
#include "referee/bots/supply/program_launches.h"
#include "referee/config/paths.h"
#include "referee/connections/runtime/system_timers.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/office/audit/audit.h"
#include "referee/office/cli/commands.h"
#include "referee/office/cli/seat_option.h"
#include "referee/office/cli/unsandboxed.h"
#include "referee/office/exam/entrance.h"
#include "referee/office/run/game_command.h"
#include "referee/office/run/random_player.h"
#include "referee/office/run/token.h"

namespace referee::cli {
namespace {

// Replays of the longest games that anybody played had some megabytes.
constexpr std::size_t audited_replay_bytes_max = std::size_t{256} << 20;
// Like any other: a program can't tell by it that it is audited.
constexpr std::string_view audited_session = "s1";
constexpr Duration audited_start_within = std::chrono::seconds(30);
// The end of a program is told a moment after that of its connection.
constexpr Duration audited_last_words = std::chrono::seconds(1);

struct AuditOptions {
    std::string replay;
    std::vector<std::string> command;
    std::string seat;  // its number or its bot's name; empty: the only one
    std::size_t runs = audit::runs_default;
    std::vector<std::string> reads;
    std::string directory;  // empty: it has none of its own
    bool dials_in = false;
    bool json = false;
    bool unsandboxed = false;
};

int refuse_audit(const std::string& message) {
    std::cerr << message << '\n';
    return exit_bad_input;
}

std::string words_of(const std::vector<std::string>& command) {
    std::string text;
    for (const auto& word : command) text += (text.empty() ? "" : " ") + word;
    return text;
}

base::Result<engines::Seat, std::string> audited_seat(const std::string& given,
                                                      const std::vector<std::string>& bots) {
    if (!given.empty()) return seat_named(given, bots);
    if (bots.size() == 1) return engines::Seat{0};
    return base::failure(
        "--seat: say in whose seat the program played, by its number or its bot: " +
        seats_told(bots));
}

config::BotConfig audited_bot(const AuditOptions& options, const std::string& name) {
    config::BotConfig bot;
    bot.directory = std::filesystem::current_path().string();
    if (!options.directory.empty()) {
        bot.directory = config::absolute_path(bot.directory, options.directory);
        bot.has_own_directory = true;
    }
    bot.launch = options.command;
    if (options.command.size() == 1) run::set_command(bot, options.command.front());
    bot.name = name;
    bot.speaks = options.dials_in ? config::Speaks::tcp : config::Speaks::stdio;
    bot.start_within = audited_start_within;
    for (const auto& path : options.reads)
        bot.reads.push_back(config::absolute_path(bot.directory, path));
    return bot;
}

// Leads freshly started programs through the game.
class Auditor {
 public:
    Auditor(boost::asio::io_context& loop, exam::Entrance& entrance,
            const audit::Recording& recording, engines::Seat seat, std::string token)
        : loop_(loop),
          entrance_(entrance),
          recording_(recording),
          seat_(seat),
          token_(std::move(token)) {}

    // An error says why the program can't be led through it at all.
    base::Result<audit::Run, std::string> run() {
        entrance_.start_over();
        const auto until = runtime::monotonic_now() + audited_start_within;
        auto came = entrance_.next(until);
        if (!came) return base::failure(came.error());
        exam::Conduct conduct;
        exam::Talk talk(std::make_unique<exam::Wire>(loop_, *std::move(came)), conduct);
        const auto login = talk.log_in(audited_session, until, audited_start_within);
        if (!login) return base::failure(talk.why() + last_words());
        if (login->token != token_)
            return base::failure(std::string(
                "its login has another token than REFEREE_TOKEN told it; expected that one"));
        const auto& game = recording_.whole.game;
        if (std::find(login->games.begin(), login->games.end(), game) == login->games.end())
            return base::failure("the program doesn't play the replay's game: expected " + game +
                                 " among the games of its login, found " +
                                 protocol::json::visible_line(words_of(login->games)));
        talk.welcome(*login, {game});
        audit::Rehearsal rehearsal(talk, recording_,
                                   {seat_, login->delta, [this] { entrance_.begin_turn(); }});
        auto run = rehearsal.run();
        if (run.end == audit::RunEnd::gone) run.why += last_words();
        return run;
    }

 private:
    std::string last_words() {
        std::string words;
        if (const auto exit = entrance_.await_exit(runtime::monotonic_now() + audited_last_words))
            words = "; its program has ended: " + exit->text();
        const auto tail = entrance_.remains().error_tail;
        if (!tail.empty()) words += "; the end of its standard error:\n" + tail;
        return words;
    }

    boost::asio::io_context& loop_;
    exam::Entrance& entrance_;
    const audit::Recording& recording_;
    engines::Seat seat_;
    std::string token_;  // that the program is given
};

int audit_game(const AuditOptions& options) {
    if (options.command.empty())
        return refuse_audit(
            "audit: expected the program's command behind the replay, such as `referee audit "
            "game.ndjson --seat 0 -- python3 my_bot.py`, found none");
    if (options.command.size() == 1 && options.command.front() == run::RandomPlayer::command)
        return refuse_audit(
            "audit: random is the referee's own player and no program: its moves are drawn from "
            "the game's seed. Expected a program, such as walls-random");
    const auto replay = files::read_named_file(options.replay, audited_replay_bytes_max);
    if (!replay) return refuse_audit(options.replay + " " + replay.error());
    const engines::Registry registry;
    const auto recording = audit::recording_of(*replay, options.replay, registry);
    if (!recording) return refuse_audit(recording.error());
    const auto& bots = recording->whole.past.bots;
    const auto seat = audited_seat(options.seat, bots);
    if (!seat) return refuse_audit(seat.error());
    if (options.command.size() == 1)
        if (auto mistake = run::mistake_in_commands(options.command, recording->whole.game);
            !mistake.empty())
            return refuse_audit(mistake);
    const auto bot = audited_bot(options, bots[*seat]);
    boost::asio::io_context loop{1};
    const auto work = boost::asio::make_work_guard(loop);
    const auto token = run::fresh_token();
    const auto entrance = exam::Entrance::launching(loop, bot, token, options.unsandboxed);
    if (!entrance) {
        std::cerr << entrance.error() << '\n';
        return exit_trouble;
    }
    if (!options.json && !(*entrance)->sandbox().empty())
        std::cout << (*entrance)->sandbox() << '\n' << std::flush;
    audit::Audit audit;
    audit.recording = &*recording;
    audit.seat = *seat;
    audit.command = words_of(options.command);
    Auditor auditor(loop, **entrance, *recording, *seat, token);
    while (audit.runs.size() < options.runs) {
        auto run = auditor.run();
        if (!run) {
            std::cerr << "audit: " << run.error() << '\n';
            return (*entrance)->never_started() ? exit_trouble : exit_no;
        }
        audit.runs.push_back(*std::move(run));
    }
    program::Programs programs;
    if (const auto name = programs.identify(supply::program_launch_of(bot))) audit.program = *name;
    audit.findings = audit::compare(audit.runs);
    std::cout << (options.json ? audit::as_json(audit) + '\n' : audit::as_text(audit));
    return audit.findings.verdict == audit::Verdict::as_recorded ? exit_done : exit_no;
}

}  // namespace

void add_audit_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<AuditOptions>();
    auto* command = app.add_subcommand(
        "audit", "Give a program the turns of a recorded game again, and tell where it differs");
    command->footer(R"(  $ referee audit game.ndjson --seat alice -- python3 my_bot.py
  $ referee audit out/games/friday_12.1.ndjson --seat 0 --runs 5 -- walls-greedy

The program is started, and told all that the bot in its seat was told then: the same states, the
same faults, the same times. Its answers are noted; what is played are the recorded moves. That is
done twice, each time with a fresh start of the program. The report says in which turns its moves
differ between the runs, and from the record.

So a program that plays by chance or by the time it has is told from one that always plays alike,
and a program that is not the one that played shows itself. Of several differences only the first
is sure: the program is told that it made the recorded move.

The exit status is 0 where every run made the recorded moves, 1 where something differs or a run
was broken off, 2 where the replay is damaged, of another version, or recorded under older rules,
and 3 where the program can't be started at all.)");
    command->add_option("GAME", options->replay, "The game's replay file")->required();
    command->add_option("COMMAND", options->command,
                        "Behind --: the program and its arguments, KIND:FILE for a student's "
                        "program, or a reference bot such as walls-greedy");
    command->add_option("--seat", options->seat,
                        "In whose seat it played: a number from 0, or the name of the bot there");
    command->add_option("--runs", options->runs, "How often it is given the game; 2 unless given")
        ->check(CLI::Range(audit::runs_min, audit::runs_max));
    command->add_option("--directory", options->directory,
                        "The program's own folder, as a config's \"directory\": it runs there, and "
                        "may read it");
    command->add_flag("--dials-in", options->dials_in,
                      "The program dials the address in REFEREE_ADDRESS");
    command
        ->add_option("--reads", options->reads,
                     "A file or folder that the program may read in the sandbox; once for each")
        ->allow_extra_args(false);
    command->add_flag("--json", options->json, "The report as one JSON object");
    add_unsandboxed(*command, options->unsandboxed);
    command->callback([options, &status] { status = audit_game(*options); });
}

}  // namespace referee::cli
