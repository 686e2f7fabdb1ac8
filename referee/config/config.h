#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/limits.h"
#include "referee/config/bot_launch.h"
#include "referee/config/calendar_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/standings/tie_break.h"
#include "referee/game/clock/allowances.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/play/play_setup.h"
#include "referee/roster/kinds/kind.h"
#include "referee/roster/roster.h"

// What a config file says, checked and completed: plain data. configs/README.md explains each
// member to users.

namespace referee::config {

// Names that a config may let be registered with the class password: a daemon's memory is finite,
// and each ladder looks at all of its bots again and again.
inline constexpr std::uint32_t registered_names_max = 10'000;

// How long a launched bot's process lives.
enum class Lifetime : std::uint8_t { tournament, match, game };

struct BotConfig {
    std::string name;
    std::string token;  // of a bot that dials in; empty: none is asked
    std::string team;   // bots of one team may be kept apart
    std::int32_t rating = 0;
    bool house = false;  // the course's own: an opponent without a rank
    // The command that launches it; empty: it dials in. Of a student's program: its adapter's.
    std::vector<std::string> launch;
    // A student's program that an adapter plays for; kinds::launch_of made `launch` of it.
    std::optional<kinds::KindProgram> program;
    std::string directory;  // to launch it in, absolute
    // Whether the config names that folder; else it is the config's, where everybody's files lie.
    bool has_own_directory = false;
    // Other files and folders that it may read and run in the sandbox, absolute.
    std::vector<std::string> reads;
    std::vector<std::pair<std::string, std::string>> environment;
    Speaks speaks = Speaks::stdio;
    StandardOutput standard_output = StandardOutput::socket;
    Lifetime lifetime = Lifetime::tournament;
    // From its launch to its login: interpreters, virtual machines and tables take their time.
    Duration start_within = std::chrono::seconds(30);
    bool freeze_between_turns = true;
    // Limits in the sandbox; 0: its default. Without a sandbox only the first one holds, of each
    // process' address space, and 0 is no limit.
    std::uint64_t memory_mb_max = 0;
    std::uint64_t processes_max = 0;
    std::uint64_t disk_mb_max = 0;
    bool handed_in = false;  // a student's, who can't change the config
    // The line of the config's file on which its command ends; 0: no file has it.
    std::size_t launch_line = 0;

    bool launched() const { return !launch.empty(); }
};

// Who plays a tournament, where the config doesn't list them: the best of a ladder when it begins.
struct FieldFromLadder {
    std::string ladder;      // the id of another tournament
    std::size_t best = 0;    // how many; 0: all
    bool has_house = false;  // house bots may be among them
};

struct TournamentConfig {
    std::string id;
    // All that decides what is played, as canonical JSON text; a later run is compared with it.
    std::string text;
    // Waits for the order to begin, or for its start, instead of beginning at once.
    bool starts_by_order = false;
    CalendarConfig calendar;
    std::optional<FieldFromLadder> field_from;
    // Of a ladder: a bot that has played rests so long before it is matched again.
    Duration rest = std::chrono::seconds(10);
    std::string game;
    std::uint32_t seed = 1;
    std::vector<std::size_t> bots;  // indices into Config::bots, in the order of entry
    // By such an index: the rounds of those who don't play all, in a Swiss.
    std::map<std::size_t, formats::Entry> attendance;

    std::set<std::string> house;      // the config's house bots
    std::vector<std::string> setups;  // params as JSON text, at least one
    std::string maps_directory;       // an instructor's own maps; empty: none
    formats::FormatConfig format;
    formats::MatchConfig match;
    std::vector<standings::TieBreak> tie_breaks;  // in order; points first
    clock::ClockConfig clock;
    play::FaultPolicy faults;
    Duration ready_budget = protocol::limits::ready_time_max;
    // All matches of a bot that is withdrawn count for nobody; else those that it has not begun are
    // forfeited.
    bool drops_withdrawn = false;
    // How long a match waits for a bot that is away before it is forfeited as a no-show.
    Duration no_show_after = std::chrono::seconds(60);
    // A bot that did not show up, or gave no valid move, in so many matches in a row is withdrawn;
    // 0: nobody is. Once may be an accident, and each further one gives an opponent a point for
    // nothing.
    std::uint32_t withdraw_after = 2;
};

// Where `referee ctl` reaches a daemon, besides its Unix socket.
struct ControlConfig {
    std::string socket;   // path; empty: control.sock in the output folder
    std::string address;  // empty: no TCP
    std::uint16_t port = 0;
    std::string token;  // asked over TCP, never empty there
    bool tls = false;   // over TCP; always so where not only this machine reaches the address

    bool operator==(const ControlConfig&) const = default;
};

// The port on which bots speak TLS.
struct TlsPort {
    std::string address;  // that of the plain port, unless it has one of its own
    std::uint16_t port = 7778;

    bool operator==(const TlsPort&) const = default;
};

// Where pages are served to browsers.
struct WebConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8777;  // 0: any free one, told on start
    bool tls = false;
    std::string title;  // the course's name; empty: none
    // As browsers reach it, "https://referee.example.org"; empty: by its address and port.
    std::string url;
    // Frames of games that go on are shown so many turns, or so long, after they were played.
    std::uint32_t delay_turns = 0;
    Duration delay{};
    // Open at once, of all browsers: a lecture with a page and its stream for everybody.
    std::size_t connections = 1000;
    // New names may be registered on the page, as by a bot's first login.
    bool registration = false;
    // Who may not know a bot's name reads a pseudonym in its place.
    bool pseudonyms = false;

    bool operator==(const WebConfig&) const = default;
};

// Who may come whom "bots" doesn't name.
struct RegistrationConfig {
    // Anybody who knows it may register a bot's name; the name then belongs to the token that came
    // with it. Empty: no names are registered.
    std::string password;
    // A registered name waits until the instructor approves it.
    bool approval = false;
    // A lab behind one address registers in its first lesson, and a program that makes up names
    // does no harm.
    std::uint32_t per_address_per_hour = 100;
    std::uint32_t total = 1000;  // names: a large course with several bots for each student
    // The students who are expected, where there is a roster: nobody else may register.
    std::string roster_file;  // absolute; empty: none
    std::optional<roster::Roster> class_roster;

    // Whether bots may come whom "bots" doesn't name.
    bool open() const { return !password.empty() || !roster_file.empty(); }
};

// Programs that bots' owners hand in, and the referee builds and launches.
struct SubmissionsConfig {
    std::vector<std::string> games;  // ids: these programs play them; at least one
    // How all of them are built and run; what is empty is found in each.
    std::string build;  // a command of a shell
    std::string build_in;
    std::vector<std::string> run;
    const kinds::Kind* kind = nullptr;  // of programs that speak no protocol
    // Sources and a table or two. Its bytes are held in memory until the last is here.
    std::uint32_t archive_mb = 8;
    // Of one name: an hour's work of somebody who tries things. Each costs a build.
    std::uint32_t per_hour = 10;
    // Of one name that are kept: enough to look back. What plays and the newest always are.
    std::uint32_t versions = 5;
    Duration build_within = std::chrono::minutes(2);
    std::uint64_t build_memory_mb = 2048;
    // How such a program is launched: its limits and times alone.
    BotConfig program;
};

// How matches get to other machines.
enum class MachinesKind : std::uint8_t {
    command,  // by three commands of the instructor's
    slurm,    // as jobs of Slurm
};

// A cluster with Slurm, as its users see it.
struct SlurmConfig {
    std::string partition;               // empty: the cluster's default
    std::string account;                 // empty: the user's default
    std::string qos;                     // empty: the account's default
    std::vector<std::string> arguments;  // of sbatch, beside ours
    std::string commands;                // the folder of Slurm's, absolute; empty: $PATH

    bool operator==(const SlurmConfig&) const = default;
};

// Which games leave files in the output folder; the store has all of them.
enum class GameFiles : std::uint8_t {
    tournaments,  // all but those of ladders, which come without end
    all,
    none,
};

// Other machines that play matches of launched bots.
struct MachinesConfig {
    MachinesKind kind = MachinesKind::command;
    std::string folder;  // absolute, on a file system that all of them share
    std::size_t jobs_at_once = 8;
    std::size_t cores = 1;  // of a job: so many bots of it think at once
    Duration time_max{};    // that a job may ask for; none: as much as its games may need
    // Commands of a shell, and where they run.
    std::string submit;
    std::string list;
    std::string cancel;
    std::string directory;
    SlurmConfig slurm;
    // What a job needs of the config's text, as a config; without tokens.
    std::string job_config;
};

struct Config {
    std::string file;       // as it was given, for messages
    std::string log_level;  // empty: as the command line says
    RegistrationConfig registration;
    std::optional<SubmissionsConfig> submissions;  // nothing: none are taken
    ControlConfig control;
    // How long running games may go on when the referee is asked to stop.
    Duration grace = std::chrono::seconds(10);
    std::string address = "127.0.0.1";
    std::uint16_t port = 7777;  // 0: any free one, told on start
    std::optional<TlsPort> tls;
    std::optional<WebConfig> web;  // nothing: no pages are served
    // Files in PEM for all that speaks TLS, absolute; both empty: the referee makes its own.
    std::string tls_certificate;
    std::string tls_key;
    // How long the first matches wait for all bots to arrive.
    Duration join_within = std::chrono::minutes(10);
    // Of all replays in the store, packed: some two million games of quick bots, so that a class
    // keeps its term; and a small part of any disk.
    std::uint64_t replays_mb = 8 * 1024;
    GameFiles game_files = GameFiles::tournaments;
    // The referee asks the kernel to prefer it to other programs.
    bool high_priority = true;
    std::size_t cores = 0;  // on which launched bots think; 0: those that the referee may use
    std::size_t games_at_once = 0;  // 0: as many as there are cores if bots are launched, else many
    protocol::limits::ConnectionLimits connections;
    // What may be allowed for the way to bots, by their addresses; before the defaults.
    std::vector<clock::NetworkRange> network;
    std::optional<MachinesConfig> machines;  // nothing: all is played here
    // The least sandbox in which bots may be launched; nothing: the command's own.
    std::optional<SandboxTier> min_tier;
    // Bots and pages are told pseudonyms of the bots, but their own names.
    bool pseudonyms = false;
    std::vector<BotConfig> bots;
    std::vector<TournamentConfig> tournaments;

    // Whether a certificate is needed.
    bool speaks_tls() const { return tls.has_value() || control.tls || (web && web->tls); }

    // Whether games of that format leave files.
    bool has_files_of(const formats::FormatConfig& format) const {
        return game_files == GameFiles::all || (game_files == GameFiles::tournaments &&
                                                format.kind() != formats::FormatKind::ladder);
    }

    // What was asked for and can't be had, and what is done instead: to be told before anything
    // begins.
    std::vector<std::string> warnings;
};

// What is wrong with a config, and where.
struct ConfigError {
    std::size_t line = 0;  // from 1; 0 where it doesn't apply
    std::string member;    // "tournaments[0].clock.budget"
    std::string message;   // what was expected, with an example; what was found
};

// Who takes part in a tournament, in the order of entry. `bots` is the list that the tournament's
// indices mean.
std::vector<formats::Entry> entries_of(const TournamentConfig& tournament,
                                       const std::vector<BotConfig>& bots);

}  // namespace referee::config
