#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "protocol/base/text.h"
#include "referee/cli/commands.h"
#include "referee/contest/pairing/dutch.h"
#include "referee/contest/standings/trf_report.h"
#include "referee/contest/trf/trf.h"

namespace referee::cli {
namespace {

struct PairOptions {
    std::string file;
    bool check = false;  // derive the rounds played again
    std::string output = "-";
};

// Tells the first player whose written points differ from those of the results.
void compare_points(const std::string& file, const trf::Document& document) {
    const auto field = trf::field_of(document);
    std::map<int, int> points;  // by number
    for (const auto& entrant : field.entrants)
        points[entrant.number] = pairing::score_tenths(field, entrant, field.rounds_played + 1);
    for (const auto& player : document.players) {
        if (!player.points_tenths || *player.points_tenths == points.at(player.number)) continue;
        std::cerr << file << ": player " << player.number << " has "
                  << trf::tenths_text(*player.points_tenths) << " points in columns 81 to 84, but "
                  << trf::tenths_text(points.at(player.number)) << " by the results, which count\n";
        return;
    }
}

// A mistake is told with its line and column; then there is none.
std::optional<trf::Document> report_in(const std::string& file) {
    const auto text = read_input(file, "a FIDE report file, or - for the standard input");
    if (!text) {
        refuse(text.error());
        return std::nullopt;
    }
    auto parsed = trf::parse(*text);
    if (!parsed) {
        const auto& mistake = parsed.error();
        refuse(fmt::format("{}:{}:{}: expected {}", file, mistake.line, mistake.column,
                           mistake.expected));
        return std::nullopt;
    }
    compare_points(file, *parsed);
    return *std::move(parsed);
}

// The number of pairs, then `white black` for each in the order of boards, and last `ID 0` for the
// bye.
std::string text_of(const pairing::RoundPairing& pairing) {
    const bool bye = pairing.bye != pairing::nobody;
    std::ostringstream text;
    text << pairing.boards.size() + (bye ? 1 : 0) << '\n';
    for (const auto& board : pairing.boards) text << board.white << ' ' << board.black << '\n';
    if (bye) text << pairing.bye << " 0\n";
    return std::move(text).str();
}

int check_pairs(const PairOptions& options, const pairing::PairingField& field) {
    const auto checks = pairing::check_rounds(field);
    const int written = write_output(options.output, pairing::report_of(checks));
    const bool agree =
        std::ranges::all_of(checks, [](const auto& round) { return round.agrees(); });
    return written == exit_done && !agree ? exit_no : written;
}

int pair(const PairOptions& options) {
    const auto document = report_in(options.file);
    if (!document) return exit_bad_input;
    const auto field = trf::field_of(*document);
    if (options.check) return check_pairs(options, field);
    const auto answer = pairing::pair_round(field);
    if (!answer)
        return refuse(fmt::format("{}: no legal pairing for round {}: {}", options.file,
                                  field.rounds_played + 1, answer.error().reason),
                      exit_no);
    if (field.rounds_total > 0 && field.rounds_played >= field.rounds_total) {
        std::cerr << options.file << ": all "
                  << base::counted(field.rounds_total, "round is", "rounds are")
                  << " played; these would be the pairs of one more\n";
    }
    return write_output(options.output, text_of(*answer));
}

int print_table(const std::string& path) {
    const auto document = report_in(path);
    if (!document) return exit_bad_input;
    std::cout << standings::trf_table(*document);
    return exit_done;
}

void add_pair_command(CLI::App& command, int& status) {
    auto& options = options_of<PairOptions>(command, status, pair);
    command.description("Pair the next round of a FIDE report file by the Dutch system");
    command.footer(R"(  $ referee trf pair tournament.trf
  $ referee trf pair --check tournament.trf

The answer is the number of pairs, then a line "white black" for each board, the bye
last as "ID 0"; where all rounds are played already, standard error says so. The exit
status is 1 where there is no legal pairing, or where --check finds a round that comes out
differently; 2 where the file is malformed, which is told with line and column.)");
    command.add_option("FILE", options.file, "TRF16, TRF(x) or TRF26; - for the standard input")
        ->required();
    command.add_flag("--check", options.check,
                     "Derive each played round again and tell differences");
    command.add_option("-o,--output", options.output, "Write the pairs to this file");
}

void add_standings_command(CLI::App& command, int& status) {
    auto& path = options_of<std::string>(command, status, print_table);
    command.description("Standings and tie-breaks of a FIDE report file");
    command.footer(R"(  $ referee trf standings tournament.trf

A header and a line for each player, cells separated by tabs. What each tie-break means
is in referee/contest/standings/README.md.)");
    command.add_option("FILE", path, "TRF16, TRF(x) or TRF26; - for the standard input")
        ->required();
}

}  // namespace

void add_trf_command(CLI::App& command, int& status) {
    command.description("Chess' report files: pair the next round, print standings");
    command.footer(R"(  $ referee trf pair tournament.trf
  $ referee trf standings tournament.trf)");
    command.require_subcommand(1);
    add_pair_command(*command.add_subcommand("pair"), status);
    add_standings_command(*command.add_subcommand("standings"), status);
}

}  // namespace referee::cli
