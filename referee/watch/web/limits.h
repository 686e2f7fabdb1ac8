#pragma once

#include <chrono>
#include <cstddef>

// Every limit of the web server, each with its reason.

namespace referee::web::limits {

// Requests of one network: a lab that opens a page at the same moment, and then a page's worth a
// second for each of some dozen people.
inline constexpr double requests_at_once_max = 2000;
inline constexpr double requests_per_second_max = 200;
inline constexpr std::size_t browser_networks_max = 4096;
// A browser's headers with its cookies; and the largest form: a name, a token and a password.
inline constexpr std::size_t header_bytes_max = 16 * 1024;
inline constexpr std::size_t body_bytes_max = 4 * 1024;
// From the first byte of a request to the last, and until the next one on the same connection.
inline constexpr std::chrono::seconds request_time_max{15};
// To the first byte of the first one, where nothing is encrypted: a bot waits to be greeted.
inline constexpr std::chrono::seconds silent_time_max{4};
inline constexpr std::chrono::seconds idle_time_max{60};
// In which an answer is found: a try at a token waits where many were wrong before it.
inline constexpr std::chrono::seconds answer_time_max{90};
// In which a peer takes an answer, or a piece of a stream.
inline constexpr std::chrono::seconds write_time_max{30};
// In which what a peer still sends is read away, once it has its last answer.
inline constexpr std::chrono::milliseconds drain_time_max{500};
// The server looks so often what is due: held frames, silent streams.
inline constexpr std::chrono::milliseconds look_every{200};

// What waits for one spectator that doesn't read: some hundred frames of the largest game. Who is
// further behind is told to load the page again.
inline constexpr std::size_t spectator_bytes_max = 1024 * 1024;
// What the kernel keeps for it beside that.
inline constexpr int kernel_bytes = 256 * 1024;
// Silence for longer would make proxies believe that a stream is dead.
inline constexpr std::chrono::seconds stream_silence_max{15};

// Games that are watched at once: each costs memory for its frames.
inline constexpr std::size_t games_watched_max = 64;
// Turns of a game that is watched, as text, and its frames: beyond that it can't be watched.
inline constexpr std::size_t watched_history_bytes_max = 8 * 1024 * 1024;
inline constexpr std::size_t watched_frames_bytes_max = 32 * 1024 * 1024;
// A game that nobody watches any more is followed for so long: somebody loads the page again.
inline constexpr std::chrono::seconds unwatched_followed{10};
// A game that has been shown to its end is kept so long for those who were told its showing before,
// and ask only now for what came behind that.
inline constexpr std::chrono::seconds ended_kept{10};
// How often the loop hands over what was played: as often as an eye wants it.
inline constexpr std::chrono::milliseconds handed_over_every{100};
// Games on the wall at once: as many as can be told apart from the back of a room; each counts
// among those that are watched.
inline constexpr std::size_t wall_games_max = 9;
// A position is told so often at most, and the last one stands for so long.
inline constexpr std::chrono::milliseconds wall_every{400};
inline constexpr std::chrono::seconds wall_stands{4};

// Games that a tournament's list names, the latest first.
inline constexpr std::size_t games_of_tournament_listed_max = 1000;
// Games on a bot's page, whose replays are read for one look at it; summaries that are kept, of a
// kilobyte or so.
inline constexpr std::size_t bot_games_listed_max = 60;
inline constexpr std::size_t history_values_max = 400;  // of the plot of its rating
inline constexpr std::size_t summaries_kept_max = 10'000;

// Requests that wait until a game's first frames are there.
inline constexpr std::size_t showings_waiting_max = 256;

// A replay that is shown, with what engines say of results within each other; and showings that are
// kept because others will ask for them too.
inline constexpr std::size_t replay_bytes_max = 16 * 1024 * 1024;
inline constexpr std::size_t showings_kept_bytes_max = 32 * 1024 * 1024;
// Standings and the like: with a thousand bots, or after some hundred thousand matches.
inline constexpr std::size_t standings_bytes_max = 128 * 1024 * 1024;
// Of a table that a browser has had, what changed since is told: of so many, some minutes.
inline constexpr std::size_t table_versions_known = 64;
// Matches on one page, as many as are read at a glance; and of a round that is shown whole.
inline constexpr std::size_t matches_of_page_max = 25;
inline constexpr std::size_t matches_of_round_max = 1000;

// A ticket is opened by who sees it now, or in a while; a session is an afternoon in a lab.
inline constexpr std::chrono::minutes ticket_lasts{15};
inline constexpr std::chrono::hours session_lasts{8};
// The oldest goes: of all bots, and of one (each login brings a ticket).
inline constexpr std::size_t tickets_max = 4096;
inline constexpr std::size_t sessions_max = 4096;
// Questions to the loop that wait for their answers.
inline constexpr std::size_t questions_waiting_max = 256;

}  // namespace referee::web::limits
