#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "referee/contest/trf/trf.h"

// Inside of this folder only: what the parts of reading and writing share. Each part of reading
// takes one kind of line into the document: parse_lines.cpp players and settings, parse.cpp all
// else.

namespace referee::trf {

// Lines of a report file as columns: positions are counted from 1, in characters whatever number of
// bytes each takes, or in bytes, as some programs write.

enum class Counting { characters, bytes };

class TrfColumns {
 public:
    TrfColumns(std::string_view text, int line, Counting counting = Counting::characters);

    int line() const { return line_; }
    int size() const { return size_; }
    std::string_view text() const { return text_; }

    // The columns first .. last, both included; those beyond the end are missing.
    std::string_view cut(int first, int last) const;
    std::string_view from(int first) const { return cut(first, size_); }
    char at(int column) const;  // ' ' beyond the end, '?' for a character of several bytes

 private:
    std::string_view text_;
    int line_;
    int size_;
    std::vector<std::size_t> starts_;  // of characters; empty when each takes one byte
};

// Whole numbers without sign; points with at most one decimal, as tenths, perhaps negative.
std::optional<int> whole_number(std::string_view text);
std::optional<int> tenths(std::string_view text);

// A word of a line and the column where it starts.
struct Word {
    std::string_view text;
    int column = 0;
};
std::vector<Word> words_from(const TrfColumns& line, int first);

using Taken = base::Result<void, Mistake>;

// A player's number that a line other than the player's own speaks of.
struct Mention {
    int number = 0;
    int line = 0;
    int column = 0;
};

struct Reading {
    Document document;
    std::vector<Mention> mentions;
    std::vector<int> player_lines;     // of document.players: where they stood
    std::map<int, std::size_t> index;  // of document.players, by number
    std::vector<int> away;             // XXZ: numbers
    bool bye_points_given = false;     // a bye's worth follows a win's unless it is said
};

inline constexpr int first_round_column = 92;
inline constexpr int round_columns = 10;

Taken read_player(const TrfColumns& line, Reading& reading);

// Whether what the players' lines say of each other, and other lines of the players, fits together.
Taken check_players(const Reading& reading);

// Of 142, 152, 162 and their older forms.
Taken read_total(const TrfColumns& line, Reading& reading);
Taken read_initial_colour(const TrfColumns& line, Reading& reading);
Taken read_configuration(const TrfColumns& line, Reading& reading);
Taken read_points(const TrfColumns& line, Reading& reading);
Taken read_assignments(const TrfColumns& line, Reading& reading);
Taken read_single_points(const TrfColumns& line, Reading& reading);

inline auto wrong(const TrfColumns& line, int column, const char* expected) {
    return base::failure(Mistake{line.line(), column, expected});
}

// The rounds that somebody took part in: a last column of byes only is an announcement.
int rounds_played(const Document& document);

// Codes such as 012 and 192, about the tournament as a whole.
bool in_tournament_section(const PlainRecord& record);

}  // namespace referee::trf
