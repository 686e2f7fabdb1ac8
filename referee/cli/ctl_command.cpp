#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/cli/commands.h"
#include "referee/cli/ctl_report.h"
#include "referee/cli/ctl_verbs.h"
#include "referee/files/log/log.h"
#include "referee/net/control/daemon_connection.h"

namespace referee::cli {

namespace {

using Json = nlohmann::json;

constexpr auto watch_every = std::chrono::seconds(1);
constexpr std::string_view clear_screen = "\033[H\033[2J";

// Completes the options with what the command line says about the daemon.
base::Result<void, std::string> settle(CtlOptions& options) {
    auto& daemon = options.daemon;
    if (!options.out.empty()) daemon.socket = options.out + "/control.sock";
    if (!options.address.empty()) {
        auto address = protocol::read_address(options.address);
        if (!address) return base::failure("--address: " + address.error());
        daemon.address = *std::move(address);
        if (const char* token = std::getenv("REFEREE_ADMIN_TOKEN");
            token != nullptr && options.token.empty())
            options.token = token;
        options.request["token"] = options.token;
    }
    if (daemon.socket.empty() && !daemon.address)
        return base::failure(
            "expected where the daemon is: --out with the folder of `referee serve`, --socket "
            "or --address");
    return {};
}

void change_texts(Json& value, const std::function<std::string(const std::string&)>& change) {
    if (value.is_string()) value = change(value.get_ref<const std::string&>());
    if (value.is_structured())
        for (auto& element : value) change_texts(element, change);
}

// As they stood before `ctl`'s order, so that whoever typed this one can paste the next.
std::string options_to_daemon(const CtlOptions& options) {
    if (!options.out.empty()) return "--out " + base::shell_word(options.out);
    if (!options.address.empty()) return "--address " + base::shell_word(options.address);
    return "--socket " + base::shell_word(options.daemon.socket);
}

// Of the terminal that the answer goes to; 0 where it goes elsewhere.
std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

int ask_once(const CtlOptions& options) {
    const auto answer = control::ask(options.daemon, options.request.dump());
    if (!answer) return refuse(answer.error(), exit_trouble);
    auto reply = Json::parse(*answer, nullptr, false);
    if (!reply.is_object()) return refuse("the daemon's answer is no JSON object", exit_trouble);
    change_texts(reply, [to_daemon = options_to_daemon(options)](const auto& text) {
        return log::complete_orders(text, to_daemon);
    });
    const bool done = reply.value("ok", false);
    if (options.json) {
        std::cout << reply.dump(2) << std::endl;
        return done ? exit_done : exit_no;
    }
    // Texts of bots stand in answers, and a terminal must not obey them.
    change_texts(reply, [](const auto& text) { return base::visible_line(text); });
    if (!done) return refuse(reply.value("error", "refused"), exit_no);
    auto view = options.view;
    view.width = terminal_width();
    std::cout << ctl_report(options.request.value("command", ""), reply, view) << std::flush;
    return exit_done;
}

int ask_daemon(CtlOptions& options) {
    if (const auto settled = settle(options); !settled) return refuse(settled.error());
    int status = ask_once(options);
    while (options.watch && status == exit_done) {
        std::this_thread::sleep_for(watch_every);
        if (isatty(STDOUT_FILENO) == 1) std::cout << clear_screen;
        status = ask_once(options);
    }
    return status;
}

// Programs changed, or a machine differs: what they played is played again.
void add_rerun_verb(CtlVerbs& verbs) {
    auto* rerun = verbs.add(
        "rerun",
        "Play again the matches in which a program changed, or what a machine "
        "played, and keep the rest",
        {"rerun friday --changed --dry-run", "rerun friday --changed",
         "rerun friday --changed --also alice", "rerun friday --host node7 --dry-run",
         "rerun friday --take-back --reason \"nobody wanted that\""},
        R"(A bot changed where what plays in its name now isn't what the results of its games name: the files
of a program that the referee launches, or the version that a bot says in its login. Games that are
played again are annulled, and stay in the store; they get the seeds that they had, so
that bots are still compared on common seeds: where pages or replays have shown them, a program can
have been fitted to them, and a new tournament with another seed is fairer. What can't be told is
kept, and said: `--also` counts such bots as changed. `--host` is for games that jobs played on
another machine (`referee ctl machines`); take that machine out first, or it may be given them once
more. Both are for round robins, gauntlets and leaderboards: elsewhere who meets whom depends on
results.
)");
    verbs.tournament(rerun);
    verbs.flag(rerun, "--changed", "changed", "Matches in which a program changed");
    verbs.texts(rerun, "--also", "also", "Bots that changed, whatever anybody can tell");
    verbs.text(rerun, "--host", "host", "Games that this machine played, instead of --changed");
    verbs.flag(rerun, "--take-back", "take_back",
               "Games that were annulled by order and not begun again count as before");
    verbs.reason(rerun);
}

// An end that was a mistake.
void add_reopen_verb(CtlVerbs& verbs) {
    auto* reopen = verbs.add(
        "reopen",
        "Go on with a tournament that ended by mistake: bots that were "
        "withdrawn come back, and play what they missed",
        {"reopen friday --reason \"the network was down\" --dry-run",
         "reopen friday --reason \"withdrawn by mistake\" --also alice bob"},
        R"(Bots that were withdrawn because they were away or silent are let in again, and those named by
--also. Games of the last matches that they missed in a row are played again; all else stands. What
that can be depends on the format (OPERATING.md, "Orders").
)");
    verbs.tournament(reopen);
    verbs.texts(reopen, "--also", "also", "Bots that were withdrawn by order");
    verbs.preview(reopen);
    verbs.text(reopen, "--reason", "reason",
               "Recorded with it, and told to bots, and on pages, to whom it concerns; needed");
}

// Whether machines are alike.
void add_machines_verb(CtlVerbs& verbs) {
    auto* machines = verbs.add(
        "machines", "Whether the machines that played jobs are alike",
        {"machines friday", "machines friday --json"},
        R"(For each machine: its games, the time that bots took a turn, late moves and other faults, each beside
what the same bots with the same programs have elsewhere. A machine is said to differ where chance
alone would say so of any machine in one tournament of twenty at most (configs/MACHINES.md). Games
that the referee played itself stand as its own machine's.
)");
    verbs.tournament(machines);
}

// Orders about names that bots have registered.
void add_registration_verbs(CtlVerbs& verbs) {
    auto* list = verbs.add("registrations", "The names that wait for approval",
                           {"registrations", "registrations --all"});
    verbs.flag(list, "--all", "all", "All names that were registered");
    for (const auto& [name, description] :
         {std::pair("approve", "Let registered names play"),
          std::pair("refuse", "Keep registered names out; `approve` undoes it")}) {
        auto* verb = verbs.add(name, description,
                               {std::string(name) + " alice bob", std::string(name) + " --all"});
        verbs.texts(verb, "NAME", "bots", "The names");
        verbs.flag(verb, "--all", "all", "All names that wait");
        name == std::string("refuse") ? verbs.reason(verb) : verbs.preview(verb);
    }
}

// An arbiter's hand.
void add_arbiter_verbs(CtlVerbs& verbs) {
    auto* result = verbs.add(
        "result", "Set what a match came to, whatever its games came to; `--reason` is needed",
        {"result friday/12 alice bob --reason \"bob's board was not its own\"",
         "result friday/12 alice=bob --reason \"the power failed\"",
         "result friday/12 --take-back --reason \"it was another board\""});
    verbs.text(result, "MATCH", "match", "Its id, such as friday/12", true);
    verbs.texts(result, "PLACES", "places",
                "Its bots in the order of their places; alice=bob are level");
    verbs.flag(result, "--take-back", "take_back", "Its games count again, or are played");
    auto* forbid =
        verbs.add("forbid", "No two of these bots meet, in rounds of a swiss that are to come",
                  {"forbid friday alice bob", "forbid friday alice bob eve --rounds 2-4",
                   "forbid friday alice bob --lift"});
    verbs.texts(forbid, "NAME", "bots",
                "The tournament's id, which may be left out where there is only one, and then the "
                "bots' names, two or more");
    verbs.text(forbid, "--rounds", "rounds", "Only in these: 3, 2-4 or 2-");
    verbs.flag(forbid, "--lift", "lift", "They may meet again, whoever forbade it");
    auto* bye = verbs.add("bye", "A bot sits out a round of a swiss, for a draw's points",
                          {"bye friday alice --round 3", "bye friday alice --round 3 --zero",
                           "bye friday alice --round 3 --take-back"});
    verbs.bots(bye, 1, "bot");
    verbs.text(bye, "--round", "round", "Which, of those that are to come", true);
    verbs.flag(bye, "--zero", "zero", "For nothing");
    verbs.flag(bye, "--take-back", "take_back", "It plays after all");
    auto* pair = verbs.add("pair",
                           "Two bots meet in the next round of a swiss, and the others are drawn "
                           "around them; without bots: how that round would be drawn",
                           {"pair friday", "pair friday alice bob --round 3",
                            "pair friday alice bob --round 3 --take-back"});
    verbs.bots(pair, 2, "bots");
    verbs.text(pair, "--round", "round", "The number of the next round");
    verbs.flag(pair, "--anyway", "anyway", "Although they have met, or are to be kept apart");
    verbs.flag(pair, "--take-back", "take_back", "They are drawn as all others are");
    for (auto* verb : {result, forbid, bye, pair}) {
        verbs.reason(verb);
        verbs.by(verb);
    }
}

// Orders about a whole tournament.
void add_tournament_verbs(CtlVerbs& verbs) {
    const auto add = [&verbs](const std::string& name, const std::string& description,
                              const std::vector<std::string>& examples) {
        auto* verb = verbs.add(name, description, examples);
        verbs.tournament(verb);
        return verb;
    };
    auto* start = add("start", "Begin a tournament that waits for the order",
                      {"start friday", "start friday --now"});
    verbs.flag(start, "--now", "now", "Don't wait for bots that have not come");
    verbs.preview(start);
    verbs.reason(add("pause", "Begin no more games of it", {"pause friday --reason lunch"}));
    verbs.reason(add("resume", "Go on with it, also after an abort", {"resume friday"}));
    verbs.reason(
        add("abort",
            "End it now; running games are interrupted. `resume` undoes it: these are played again",
            {"abort friday --reason \"the network is down\""}));
}

// What only looks.
void add_status_verbs(CtlVerbs& verbs, CtlOptions& options) {
    auto* show = verbs.add("status", "How the daemon fares, and its tournaments",
                           {"status", "status --watch", "status --verbose", "status --json"});
    show->add_flag("--watch", options.watch, "Again every second");
    show->add_flag("--verbose", options.view.verbose,
                   "The store, the sandbox, the priority and far bots, too");
    auto* bots =
        verbs.add("bots", "How bots stand, and when they were here", {"bots", "bots --network"});
    bots->add_flag("--network", options.view.network,
                   "From where they dial in, how long the way is, and what is allowed for it");
    verbs.add("tournaments", "The tournaments", {"tournaments"});
}

// Who takes part.
void add_field_verbs(CtlVerbs& verbs, const std::shared_ptr<CtlOptions>& options) {
    auto* withdraw = verbs.add(
        "withdraw", "Take a bot out: from the next round on, or of all games that have not begun",
        {"withdraw friday alice --reason ill"});
    verbs.bots(withdraw, 1, "bot");
    verbs.reason(withdraw);
    auto* admit = verbs.add("admit", "Let a bot in late, or again, from the next round on",
                            {"admit friday alice", "admit friday --all"});
    verbs.bots(admit, 1, "bot");
    admit->get_option("NAME")->required(false);
    verbs.preview(admit);
    // Called behind NAME, which then has no bot's name.
    admit->add_flag_callback(
        "--all",
        [options] {
            auto& request = options->request;
            request["all"] = true;
            if (!request.contains("bot")) return;
            request["tournament"] = request["bot"];
            request.erase("bot");
        },
        "All that were withdrawn because they were away or silent");
}

void add_replay_game_verb(CtlVerbs& verbs) {
    auto* again = verbs.add("replay-game", "Annul a game that was played, and play it again",
                            {"replay-game friday/12.1 --reason \"the network was down\""});
    verbs.text(again, "GAME", "game", "Its id, such as friday/12.1", true);
    verbs.reason(again);
}

void add_token_verb(CLI::App& ctl, const std::shared_ptr<CtlOptions>& options, int& status) {
    auto* token = ctl.add_subcommand("token", "Tokens of bots");
    token->require_subcommand(1);
    token->footer("  $ referee ctl --out class token new alice");
    CtlVerbs of_token(*token, options, ask_daemon, status, "token");
    auto* fresh =
        of_token.add("new", "A new token for a bot's name: shown once, the old one is void",
                     {"token new alice", "token new alice --new"});
    of_token.text(fresh, "BOT", "bot", "Its name", true);
    of_token.flag(fresh, "--new", "new", "Also for a name that nobody has yet");
    of_token.preview(fresh);
}

// Orders after which the daemon isn't as before.
void add_daemon_verbs(CtlVerbs& verbs) {
    auto* forget = verbs.add("forget",
                             "Take a student's data out of store and files; a placeholder stays. "
                             "The daemon plays running "
                             "games to their end, forgets, and begins anew",
                             {"forget alice --dry-run", "forget alice"});
    verbs.text(forget, "BOT", "bot", "Its name", true);
    verbs.preview(forget);
    auto* drain = verbs.add("drain", "No more games; the daemon ends when those that run are over",
                            {"drain", "drain --reason \"the room closes\""});
    verbs.text(drain, "--reason", "reason", "Stands in the daemon's log");
    verbs.preview(drain);
    verbs.preview(verbs.add("reload", "Read the config again, as SIGHUP does",
                            {"reload", "reload --dry-run"}));
}

// In the order in which the help lists them.
void add_verbs(CLI::App& ctl, const std::shared_ptr<CtlOptions>& options, int& status) {
    CtlVerbs verbs(ctl, options, ask_daemon, status);
    add_status_verbs(verbs, *options);
    add_tournament_verbs(verbs);
    add_field_verbs(verbs, options);
    add_replay_game_verb(verbs);
    add_machines_verb(verbs);
    add_rerun_verb(verbs);
    add_reopen_verb(verbs);
    add_arbiter_verbs(verbs);
    add_token_verb(ctl, options, status);
    add_registration_verbs(verbs);
    add_daemon_verbs(verbs);
}

}  // namespace

void add_ctl_command(CLI::App& command, int& status) {
    const auto options = std::make_shared<CtlOptions>();
    command.description("Give orders to a daemon");
    command.footer(R"(  $ referee ctl --out class status --watch
  $ referee ctl --out class start friday --now
  $ referee ctl --out class pause friday --reason lunch
  $ referee ctl --out class replay-game friday/12.1 --reason "the network was down"
  $ referee ctl --out class withdraw friday alice --reason ill
  $ referee ctl --out class token new alice
  $ referee ctl pause --help
  $ export REFEREE_ADMIN_TOKEN=...
  $ referee ctl --address tls://lab-server:7780#sha256=2f0c... status --json

Exit status: 0 done; 1 refused, with the reason; 3 no daemon answers.)");
    command.add_option("--out", options->out,
                       "The daemon's folder: its socket is control.sock in it");
    command.add_option("--socket", options->daemon.socket, "The daemon's Unix socket")
        ->envname("REFEREE_SOCKET");
    command.add_option("--address,--tcp", options->address,
                       "Where its config has \"control\": the address that its log tells, "
                       "tls://HOST:PORT#sha256=... or HOST:PORT");
    command.add_option("--token", options->token,
                       "The admin token for --address; better in REFEREE_ADMIN_TOKEN");
    command.require_subcommand(1);
    add_verbs(command, options, status);
}

}  // namespace referee::cli
