#pragma once

#include <cstddef>
#include <cstdint>

#include "referee/game/clock/time.h"

// Limits that several rooms keep, or that whoever runs a referee may ask for, each with its reason.
// The wire's are in protocol/limits.h; others stand beside what they bound.

namespace referee::limits {

// Faults and notes of one bot in one game beyond this many are counted, not kept: a bot that does
// everything wrong must not fill the disk.
inline constexpr std::size_t faults_kept_max = 200;
// When a referee that was stopped has ended its games, and what is left to be written is not
// written after this long, it ends without: a full disk must not keep it.
inline constexpr std::chrono::seconds last_writing_max{2};
// A game that is longer than this many turns is stopped as the referee's own trouble: no engine
// here can play so long, and memory is finite.
inline constexpr std::int64_t turns_max = 10'000'000;
// Of a bot's moves in one game: far beyond the longest games here. They stay in memory until it is
// over, and go to whoever comes back into it.
inline constexpr std::size_t move_bytes_max = 16 * 1024 * 1024;
// A game that was annulled is played again this many times, then it is set aside: everything else
// goes on, and it is tried again with nothing beside it.
inline constexpr unsigned played_again_max = 3;
// A run that is to end tries it so often alone, then it ends and names the game.
inline constexpr unsigned tries_alone_max = 3;
// The first of these tries comes so long after the game was set aside; each further one twice as
// long after the last, up to the most.
inline constexpr Duration rest_before_try = std::chrono::seconds(10);
inline constexpr Duration rest_before_try_max = std::chrono::minutes(10);
// A machine is calm when the referee stood still for no more than this share of the last
// `rest_before_try`. Half a millisecond of a turn of 50 ms is far from what excuses anybody.
inline constexpr double calm_share = 0.01;
// A machine that is not calm, or has other games to play, is waited for so much longer. Then no
// other game begins, and the game is tried as soon as it is alone.
inline constexpr Duration unrest_waited_max = std::chrono::minutes(1);

// While a game waits for a late answer, what has come of the bot is read so often. Of lines that
// are read together nobody knows when the first came, so a bot that joins its lines on purpose can
// hide lateness of this length in a turn. A look takes some microseconds.
inline constexpr Duration late_look_every = std::chrono::milliseconds(20);

// While a start or a turn of a launched bot lasts, what it has waited for a core is looked at so
// often: a program of it that ends takes its waits along. A turn that is shorter costs no look.
inline constexpr Duration core_look_every = std::chrono::seconds(1);

// Matches in a row without a valid move after which a bot is withdrawn: once may be an accident,
// and each further one gives an opponent a point for nothing.
inline constexpr std::uint32_t idle_matches_default = 2;

// Games of a tournament that are drawn before they can begin, for each bot in it: enough to find
// work for whoever is free, little enough that a large round robin stays a few kilobytes.
inline constexpr std::size_t games_drawn_per_bot = 4;
// On a ladder those who are free wait so long for others who are there, whom they have not met
// lately (and at least as long as a bot rests); then they meet again. A few quick games long: a
// ladder waits for nobody's long game.
inline constexpr Duration ladder_patience = std::chrono::seconds(10);
// A bot that leaves the matches of a ladder which it is drawn for waits before it is drawn again:
// the first time as long as a connection may be lost by accident, each time in a row twice as long,
// and at most so long that it can come back within a lesson.
inline constexpr Duration leaver_waits_first = std::chrono::seconds(5);
inline constexpr Duration leaver_waits_max = std::chrono::minutes(10);
// The rounds of a field up to this size are drawn on the loop's thread: that takes less than a
// turn of a game may; those of a larger one are drawn beside it.
inline constexpr std::size_t field_drawn_on_the_loop_max = 64;
// Games that run at once where nothing else bounds them: memory and descriptors are finite.
inline constexpr std::size_t games_at_once_max = 5000;

// Addresses of peers that the log has told to speak TLS at a plain port, or plain text where TLS is
// expected: more than a class has machines. Scanners of the whole internet must not fill the log.
inline constexpr std::size_t plain_peers_told_max = 1000;

// A token that somebody registers a name with is at least so long: one that can be guessed would
// give the name to anybody.
inline constexpr std::size_t registered_token_bytes_min = 8;
// A program that is handed in: sources and a table or two. Its bytes are held in memory until the
// last is here.
inline constexpr std::uint32_t submission_mb_default = 8;
// Of one name: an hour's work of somebody who tries things. Each costs a build.
inline constexpr std::uint32_t submissions_per_hour_default = 10;
// Of one name that are kept: enough to look back, and what plays is always among them.
inline constexpr std::uint32_t submission_versions_default = 5;
// Programs that are being handed in at the same time, of all names: that many times the above.
inline constexpr std::size_t submissions_at_once_max = 16;
// Between two questions of one name what became of its programs, after so many at once: a person
// who looks.
inline constexpr std::chrono::milliseconds submissions_asked_pause{200};
inline constexpr int submissions_asked_at_once = 10;
// The same between two files that are announced, or programs withdrawn: these cost the disk and the
// loop something.
inline constexpr std::chrono::milliseconds submissions_changed_pause{2000};
// A smaller piece of a file that is not its last was not asked for: each is a line to answer.
inline constexpr std::size_t submission_piece_bytes_min = 1024;

// Connections that play nothing, of one name: a student's terminals.
inline constexpr std::size_t bystanders_of_bot_max = 4;
// Questions of one bot about its games that may come at once, and how long until another one may: a
// person looks through a tournament, and a program that asks without end costs next to nothing.
inline constexpr std::int64_t questions_at_once_max = 20;
inline constexpr Duration question_every = std::chrono::milliseconds(500);
// Games of one bot that its list has: some evenings of a ladder. Older ones are told by their ids.
inline constexpr std::size_t games_remembered_max = 200;
// Names that may be registered with the class password: enough for a large course with several bots
// for each student. A config may say more, up to the most: a daemon's memory is finite, and each
// ladder looks at all of its bots again and again.
inline constexpr std::uint32_t registered_names_default = 1000;
inline constexpr std::uint32_t registered_names_max = 10'000;
// Names that one address may register within an hour: a lab behind one address registers in its
// first lesson, and a program that makes up names does no harm. A config may say otherwise.
inline constexpr std::uint32_t registrations_per_hour_default = 100;
// A roster of more rows than this is no class; a file of more bytes is none of ours.
inline constexpr std::size_t roster_rows_max = 10'000;
inline constexpr std::size_t roster_bytes_max = 8 * 1024 * 1024;
// So many mistakes of a roster are told: beyond these it is another kind of file.
inline constexpr std::size_t roster_mistakes_max = 50;

// A rubric of more steps, or more series of games, than that is read by no student; one of more
// opponents fits in no game's kinds of opponents.
inline constexpr std::size_t rubric_steps_max = 100;
// Far beyond what so many steps and series take: another file that was named by mistake is not read
// whole.
inline constexpr std::size_t rubric_bytes_max = 4 * 1024 * 1024;
// Maps or mazes that a series has made for it: a long evening of games, and some seconds to make.
inline constexpr std::uint32_t rubric_maps_max = 200;
inline constexpr std::size_t rubric_series_max = 100;
inline constexpr std::size_t rubric_bots_max = 100;
// Inputs of a series of runs, and the bytes of one: a class's hundreds of submissions are run with
// each of them, and each is text of a size that a student can read.
inline constexpr std::size_t run_inputs_max = 1000;
inline constexpr std::size_t run_input_bytes_max = 1024 * 1024;
// Of what one run may print: sixteen times what the largest input could say back in full.
inline constexpr std::size_t run_output_bytes_max = 16 * run_input_bytes_max;
// Words of a command in a rubric.
inline constexpr std::size_t run_words_max = 100;
// Of a line that a reason shows: what differs stands at its begin, or the line is no line of text.
inline constexpr std::size_t shown_line_bytes_max = 120;
// Of the end of what a run wrote to its standard error: a traceback.
inline constexpr std::size_t run_error_bytes_max = 4096;
// Points of one step, and of a day that a submission is late: far beyond any course's, and sums of
// hundredths stay exact.
inline constexpr double rubric_points_max = 10'000;
inline constexpr double rubric_points_min = 0.01;
// Of a title, and of an id, of a rubric: a line of a table.
inline constexpr std::size_t rubric_title_bytes_max = 200;
inline constexpr std::size_t rubric_id_bytes_max = 32;
// Faults that a step's advice shows, each with where to look: what is mended first is seen first.
inline constexpr std::size_t advice_max = 5;
// Boards that a page of feedback shows: those of an open series.
inline constexpr std::size_t boards_max = 10;
// Of what a build or a program printed, as much as a page of feedback shows: the last errors of a
// compiler or a traceback through a library, not a log.
inline constexpr std::size_t feedback_output_bytes_max = 4096;
// An export of a course: some hundred students with some versions of some dozen files each.
inline constexpr std::size_t export_files_max = 100'000;
inline constexpr std::uint64_t export_bytes_max = std::uint64_t{8} << 30;
// One submission is a program that a student wrote, with a few libraries and maps: more is a
// mistake, such as a build folder that was packed too, or a bomb.
inline constexpr std::size_t submission_files_max = 5000;
inline constexpr std::uint64_t submission_bytes_max = std::uint64_t{256} << 20;
// What a program and its build folder come to; and a disk that one build can't fill.
inline constexpr std::size_t built_files_max = 20'000;
inline constexpr std::uint64_t built_bytes_max = std::uint64_t{512} << 20;
// The archive that it leaves the sandbox in, which has headers beside the files.
inline constexpr std::uint64_t built_archive_bytes_max = built_bytes_max + (built_bytes_max >> 3U);
// Of a build: a Makefile with -j, and a virtual machine's threads.
inline constexpr std::uint64_t build_processes_max = 256;
// Of what it prints: its first mistakes, and some more.
inline constexpr std::size_t build_output_bytes_kept = 32 * 1024;
// Of a path in an archive, and how many folders it names: file systems take no longer names, and no
// program that somebody wrote lies deeper.
inline constexpr std::size_t archived_path_bytes_max = 1000;
inline constexpr std::size_t archived_name_bytes_max = 255;
inline constexpr std::size_t archived_folders_max = 40;
// Entries of one archive that are left out and named; an archive with more is refused as a whole.
inline constexpr std::size_t entries_refused_max = 1000;

// Descriptors that are kept beside those of connections: for the store, the log, the files of
// games, maps and configs that are read, the control sockets with as many orders as they take.
inline constexpr std::size_t descriptors_kept = 256;
// Of a launched bot: its pipes or sockets, its door with the connections there, its control group's
// files, its shim.
inline constexpr std::size_t descriptors_of_launched_bot = 24;
// Connections that are let in however few descriptors there are.
inline constexpr std::size_t connections_least = 16;
// Where descriptors or memory have run out, nobody is accepted for so long.
inline constexpr std::chrono::milliseconds accept_pause{200};

// What connections that have not logged in may take of the loop's time together while games are
// played, and at once of what they did not take before: games beside them are slowed down by no
// more, and a class that comes in the same moment, by TLS, is not held up.
inline constexpr double strangers_share = 0.05;
inline constexpr Duration strangers_time_at_once = std::chrono::milliseconds(100);
// A bot's login gives back what it took, once within so long: lost links are rarer.
inline constexpr Duration login_given_back_every = std::chrono::seconds(10);
// Connections that were accepted and not let in yet: so many are kept, to see who goes first.
inline constexpr std::size_t newcomers_max = 64;
// Networks that are told apart when strangers take turns: memory is finite.
inline constexpr std::size_t networks_remembered_max = 16'384;

// Credit for bytes that nobody asked for: so many at once, and so many more each second. A line
// that is not an answer costs some more, because it has to be answered.
inline constexpr std::int64_t flood_burst_bytes = 256 * 1024;
inline constexpr std::int64_t flood_bytes_a_second = 64 * 1024;
inline constexpr std::int64_t flood_line_bytes = 256;
// Of who has not logged in: the longest line, and some pings.
inline constexpr std::int64_t stranger_burst_bytes = 80 * 1024;
inline constexpr std::int64_t stranger_line_bytes = 4096;
// When the credit is used up, reading pauses so long; after so many pauses the bot is shown out.
inline constexpr Duration flood_pause = std::chrono::seconds(1);
inline constexpr unsigned flood_pauses_max = 3;
// What an idle session keeps of the room for what it sent.
inline constexpr std::size_t outbox_bytes_kept = 4096;

// An order is short: a longer request is not from ctl.
inline constexpr std::size_t order_bytes_max = 16 * 1024;
// A request must be there so long after its connection was made, or after the answer before it; and
// an answer must be taken within that. ctl asks at once.
inline constexpr Duration order_time_max = std::chrono::seconds(30);
// Connections that give orders, at one address. Enough, since instructors are few; where more come,
// the oldest of those that only wait goes.
inline constexpr std::size_t order_connections_max = 32;

// Wrong tries at a secret cost their answer time. So many are free; each further one doubles the
// wait, or several together do; one is forgiven each `forgiven_every`. More than `counted_max` are
// not counted, so that the wait is over soon after the tries are.
struct TryLimits {
    std::int64_t free = 0;
    std::int64_t tries_a_doubling = 1;
    std::int64_t counted_max = 0;
    Duration forgiven_every{};
};
// Of one secret from one address: a person who looks for the right token among some.
inline constexpr TryLimits tries_of_pair{5, 1, 12, std::chrono::seconds(30)};
// From one address at all secrets: a class behind one address whose bots all start with a mistake.
inline constexpr TryLimits tries_of_network{60, 8, 120, std::chrono::seconds(1)};
// At one secret from all addresses: far more than its owner needs.
inline constexpr TryLimits tries_of_secret{100, 16, 200, std::chrono::seconds(1)};
// The first wait is hardly noticed; the longest leaves a second of the time for a login.
inline constexpr Duration try_wait_first = std::chrono::milliseconds(125);
inline constexpr Duration try_wait_max = std::chrono::seconds(4);
// Tries that wait for their answer at once, at one secret from one address, and at all from one
// address: so at most 2 and 16 a second are judged there.
inline constexpr std::size_t tries_waiting_of_pair_max = 8;
inline constexpr std::size_t tries_waiting_of_network_max = 64;
// What is remembered of tries, for each of the three: memory is finite. Somebody with more
// addresses than that is held by what is counted of the secret.
inline constexpr std::size_t tries_remembered_max = 16'384;
// Tries that come after so long a silence are told as a new burst.
inline constexpr Duration burst_silence = std::chrono::seconds(30);
// Of one bot so often at most the log tells that it has arrived: who comes without end fills none.
inline constexpr Duration arrival_told_every = std::chrono::seconds(1);
// Bursts that are told one by one; those beyond are told together, so that nobody fills the log.
inline constexpr std::size_t bursts_told_max = 64;
// Secrets of one burst that are told apart.
inline constexpr std::size_t burst_secrets_max = 100;

// Of a replay that is told over the protocol: the longest games here are a tenth of it.
inline constexpr std::size_t replay_told_bytes_max = 64 * 1024 * 1024;
// Of a bot's file of debug text: what a table keeps, and what its last line adds.
inline constexpr std::size_t debug_file_bytes_max = 512 * 1024;
// Of all such files of a bot and tournament whose games leave no files, a ladder's above all, which
// never ends: the disk is finite. Each game's costs a block of the disk at least.
inline constexpr std::size_t debug_kept_bytes_max = 4 * 1024 * 1024;
inline constexpr std::size_t debug_kept_bytes_least = 4096;
// Files of games, and bytes of them, that wait to be written beside the loop: memory is finite. A
// disk that is slower than that keeps the games waiting.
inline constexpr std::size_t files_waiting_max = 100'000;
inline constexpr std::size_t file_bytes_waiting_max = 64 * 1024 * 1024;

// Kept free for the store beside it: what thousands of running games come to fits in when the disk
// is full, and nobody misses so much.
inline constexpr std::uint64_t store_reserved_bytes = 8 * 1024 * 1024;
// Records, and bytes of replays, that one transaction takes at most: what waits is committed
// together, but a commit that takes seconds would keep everybody waiting for the first of it.
inline constexpr std::size_t store_batch_records_max = 4096;
inline constexpr std::size_t store_batch_bytes_max = 16 * 1024 * 1024;
// Records that are read again with their replays before a store is opened: what was written last
// suffers most from a crash.
inline constexpr std::size_t records_checked_at_end = 64;
// All records are looked at beside the games, so many at a time, with such a pause between: less
// than half a core, and a commit waits for no more than some milliseconds.
inline constexpr std::size_t records_checked_at_once = 32;
inline constexpr std::chrono::milliseconds check_pause{20};
// Whether the store's files still have their names is looked at before each commit, and so often
// where nothing is written: two calls that cost some microseconds.
inline constexpr std::chrono::milliseconds store_look_pause{5000};
// After so many further ones it is told how far the check is.
inline constexpr std::uint64_t records_between_check_news = 2000;
// Damages of a store that are told one by one; the others are counted. Nobody reads more.
inline constexpr std::size_t damages_kept_max = 100;
// Frames (pages) of the store's log after which they are moved into the file: a log of 16 MB.
inline constexpr int store_log_frames_max = 4096;

}  // namespace referee::limits
