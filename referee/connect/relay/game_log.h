#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.h"

namespace referee::relay {

// ---- game_log_text.cpp: sentences for a person about what a bot was told, and a table -------

// "12 ms", "0.377 ms", "1000 ms".
std::string milliseconds_text(std::int64_t us);

// "bob"; "bob, cleo and dan"; empty where nobody else plays.
std::string others_text(const std::vector<std::string>& names, std::size_t seat);

// What the bot did wrong: "your answer came 12 ms late: ...". For an answer over its budget the
// lateness is told; else the words are the referee's.
std::string cause_of(const protocol::Fault& fault);
// What followed from it, as the end of a sentence: "the move counts as missing"; empty where
// nothing did.
std::string_view outcome_of(protocol::Consequence consequence);

// "you won", "you lost", "you drew", "you came 3rd of 4"; with a single seat "you scored 31".
std::string verdict_of(const std::vector<std::int64_t>& places, std::size_t seat,
                       const std::string& score);

// Won, drawn (the best place shared) and lost.
struct RelayTally {
    std::uint64_t won = 0;
    std::uint64_t drawn = 0;
    std::uint64_t lost = 0;
};

// What a bot came to in one kind of game against the same others.
struct RelayStanding {
    std::uint64_t games = 0;
    RelayTally of_games;  // none with a single seat
    double score = 0;
    double best = 0;  // of one game
    std::uint64_t faults = 0;
    RelayTally of_matches;
    std::int64_t longest_us = 0;  // that was charged for a turn
    bool alone = false;           // a game of a single seat
};

// The kind of game, and against whom.
using Standings = std::map<std::pair<std::string, std::string>, RelayStanding>;

// Adds the counts of games, matches, scores and faults, or takes them away again.
void add(RelayStanding& sum, const RelayStanding& more, bool take_away = false);

// Lines for people, the last one the sum where there are several.
std::string table_of(const Standings& standings);

// A score without needless digits: "2", "0.5".
std::string score_text(double score);

// ---- game_log.cpp: the story of a game, and the log of all ----------------------------------

// Of one game's story: some thousand turns. What is more is left out, but for the end.
inline constexpr std::size_t story_bytes_max = 256 * 1024;

// What happened to the bot in one game, in lines for people, as far as the bot was told.
class GameStory {
 public:
    void add(const std::string& line);
    // The last line, which is never left out.
    void end(std::string_view line) { text_.append(line).append("\n"); }
    const std::string& text() const { return text_; }

 private:
    std::string text_;
    bool cut_ = false;
};

// Faults of one game that are told as they come; the game's story has all.
inline constexpr std::uint64_t faults_told_max = 5;
// Games that are over and remembered: one of them may be played again and then counts anew.
inline constexpr std::size_t games_remembered_max = 1000;
inline constexpr std::size_t matches_remembered_max = 1000;

// What a bot did and what became of it, from the lines that pass: counts, sentences for a person as
// things happen, and each game's story. Looks at lines when they have passed, so it takes nobody's
// time. No clock, no files.
class GameLog {
 public:
    explicit GameLog(std::string name) : name_(std::move(name)) {}

    // Lines of the referee, and of the program that were sent, without their ends.
    void told(std::string_view line);
    void said(std::string_view line);
    // A new process of the program.
    void program_began() { played_well_ = false; }
    // It has ended: `how`, as in "exit status 1". Games that are on tell that at their end; where
    // it is not begun again, now.
    void program_ended(const std::string& how, bool begun_again);

    // Sentences since the last call, in their order.
    std::vector<std::string> take_news() { return std::exchange(news_, {}); }
    struct Story {
        std::string game_id;
        std::string text;
    };
    // Of the games that ended since the last call.
    std::vector<Story> take_stories() { return std::exchange(stories_, {}); }

    std::uint64_t matches() const { return matches_; }
    // Games that the referee has told of since the last login.
    std::size_t games_on() const;
    // The program has given a valid move since it began.
    bool played_well() const { return played_well_; }
    bool has_games() const { return !standings_.empty(); }
    std::string table() const { return table_of(standings_); }

 private:
    // One that is on.
    struct Game {
        std::string kind;
        std::vector<std::string> names;
        std::size_t seat = 0;
        std::uint64_t faults = 0;
        std::int64_t longest_us = 0;
        std::uint64_t login = 0;    // the last one that it was told of after
        std::string program_end{};  // how the program first ended in it; empty: it didn't
        std::string forfeit{};      // why it is lost, as a sentence with its turn; empty: it isn't
        GameStory story;
    };
    // A game or match that is over: what it added to its standing.
    struct Counted {
        std::string id;
        std::pair<std::string, std::string> key;
        RelayStanding added;
    };

    void take(const protocol::Welcome& welcome);
    void take(const protocol::Start& start);
    void take(const protocol::Turn& turn);
    void take(const protocol::Fault& fault);
    void take(const protocol::Note& note);
    void take(const protocol::End& end);
    void take(const protocol::MatchEnd& end);
    void take(const protocol::ErrorMessage& error);
    template <typename Other>
    void take(const Other& /*of no interest*/) {}

    Game* game(std::string_view id);
    // Its own place where names tell it.
    std::optional<std::size_t> own_seat(const std::vector<std::string>& names) const;
    void count(std::string_view id, const Game& game, const std::vector<std::int64_t>& places,
               double score);
    // Adds it to its standing, in place of what it had added where it was played before.
    void remember(std::deque<Counted>& counted, Counted more);
    void close(std::string_view id, Game& game, const std::string& sentence);
    // "game t/3.1 (walls against bob)"
    static std::string title(std::string_view id, const Game& game);

    std::string name_;
    protocol::json::Document document_;
    std::map<std::string, Game, std::less<>> games_;
    std::deque<std::pair<std::string, std::string>> kinds_;  // of matches, behind their ids
    std::deque<Counted> counted_;
    std::deque<Counted> counted_matches_;
    Standings standings_;
    std::uint64_t matches_ = 0;
    std::uint64_t logins_ = 0;
    bool played_well_ = false;
    std::vector<std::string> news_;
    std::vector<Story> stories_;
};

}  // namespace referee::relay
