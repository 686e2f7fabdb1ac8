#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/base/text.h"
#include "referee/contest/pairing/pairing_field.h"

// The FIDE tournament report file: TRF16, its extensions by XX and BB codes, and TRF-2026. Both
// families of codes are read into one model; what is written is TRF-2026.

namespace referee::trf {

// What one round's columns of a player say. A blank entry and one that is missing are the same.
struct TrfRound {
    int opponent = 0;   // 0: none
    char colour = '-';  // 'w', 'b' or '-'
    char result = ' ';  // upper case, or ' ' when nothing is written

    bool is_blank() const { return opponent == 0 && colour == '-' && result == ' '; }
    bool operator==(const TrfRound&) const = default;
};

struct PlayerRecord {
    int number = 0;  // the starting rank: 1 .. 9999
    char sex = ' ';
    std::string title;
    std::string name;
    std::string rating;
    std::string federation;
    std::string fide_number;
    std::string birth_date;
    std::optional<int> points_tenths;
    std::optional<int> rank;
    std::vector<TrfRound> rounds;

    bool operator==(const PlayerRecord&) const = default;
};

// 240, and XXZ: who asked for a bye in a round, or is known to be away.
struct ByeRecord {
    char type = 'Z';  // F, H or Z
    int round = 1;
    std::vector<int> numbers;

    bool operator==(const ByeRecord&) const = default;
};

// 250, and XXA: virtual points.
struct AccelerationRecord {
    int points_tenths = 0;
    int first_round = 1;
    int last_round = 1;
    int first_number = 1;
    int last_number = 1;

    bool operator==(const AccelerationRecord&) const = default;
};

inline constexpr int last_round_ever = 999;

// 260, and XXP: who may not be paired.
struct ForbiddenRecord {
    int first_round = 1;
    int last_round = last_round_ever;
    std::vector<int> numbers;

    bool operator==(const ForbiddenRecord&) const = default;
};

// 299: points that differ from what the result is worth, or that come without any result.
struct AbnormalPoints {
    char type = ' ';  // a result's code, or ' ' for a bonus or penalty
    int points_tenths = 0;
    int round = 0;  // 0: all rounds
    std::vector<int> numbers;

    bool operator==(const AbnormalPoints&) const = default;
};

// A line that pairing has no use for (names, dates, teams, tie-breaks ...): its code and the rest
// of it, from column 4 on, kept as it is.
struct PlainRecord {
    std::string code;
    std::string text;

    bool operator==(const PlainRecord&) const = default;
};

struct Document {
    std::vector<PlainRecord> plain;                 // those of the tournament section first
    std::vector<PlayerRecord> players;              // in the order of the file
    std::optional<int> rounds_total;                // 142, XXR
    std::optional<pairing::Colour> initial_colour;  // 152, XXC
    bool ranked_by_rank = false;                    // XXC rank: the rank column is the order
    std::optional<pairing::PairingPoints> points;   // 162, XXS, BB.
    std::vector<ByeRecord> byes;
    std::vector<AccelerationRecord> accelerations;
    std::vector<ForbiddenRecord> forbidden;
    std::vector<AbnormalPoints> abnormal;

    bool operator==(const Document&) const = default;
};

// What is wrong with a text, and where; both counted from 1, columns in characters.
struct Mistake {
    int line = 0;
    int column = 0;
    std::string expected;
};

// LF, CR and CRLF all end a line. Columns are characters; a text that makes sense only with columns
// of bytes is read so. Checks form, and that players' entries fit together.
base::Result<Document, Mistake> parse(std::string_view text);

// TRF-2026, with CR LF at the end of each line. Points are written only where they differ
// from the usual ones, so `points` that are usual are read again as none.
std::string write(const Document& document);

// An outcome's letter in a player's rounds, and in a record of abnormal points.
char code_of_round(pairing::PairingOutcome outcome);
char code_of_points(pairing::PairingOutcome outcome);

// The tournament as pairing sees it. Requires: the document is one that parse() would answer.
pairing::PairingField field_of(const Document& document);

// A player's virtual points, from round 1 on, as records joined to those of his neighbours.
void add_virtual_points(std::vector<AccelerationRecord>& records, int number,
                        const std::vector<int>& by_round);

// "4.5" of 45.
std::string tenths_text(int points_tenths);

}  // namespace referee::trf
