#include "referee/cli/report_file.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <ostream>
#include <sstream>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/trf/columns.h"
#include "referee/contest/trf/trf.h"

namespace referee::cli {

namespace {

std::optional<std::string> text_of(std::istream& in) {
    std::ostringstream text;
    if (in.peek() != std::istream::traits_type::eof()) text << in.rdbuf();
    if (in.bad()) return std::nullopt;
    return std::move(text).str();
}

std::optional<std::string> contents_of(const std::string& file) {
    if (file == "-") return text_of(std::cin);
    std::ifstream in(file, std::ios::binary);
    if (!in.is_open()) return std::nullopt;
    return text_of(in);
}

// Tells the first player whose written points differ from those of the results.
void compare_points(const std::string& file, const trf::Document& document, std::ostream& err) {
    const pairing::PairingField field = trf::field_of(document);
    std::map<int, int> points;  // by number
    for (const pairing::Entrant& entrant : field.entrants)
        points[entrant.number] = pairing::score_tenths(field, entrant, field.rounds_played + 1);
    for (const trf::PlayerRecord& player : document.players) {
        if (!player.points_tenths || *player.points_tenths == points.at(player.number)) continue;
        err << file << ": player " << player.number << " has "
            << trf::tenths_text(*player.points_tenths) << " points in columns 81 to 84, but "
            << trf::tenths_text(points.at(player.number)) << " by the results, which count\n";
        return;
    }
}

}  // namespace

std::optional<trf::Document> report_in(const std::string& file, std::ostream& err) {
    const auto text = contents_of(file);
    if (!text) {
        err << file << ": expected a file that can be read\n";
        return std::nullopt;
    }
    auto parsed = trf::parse(*text);
    if (!parsed) {
        err << file << ':' << parsed.error().line << ':' << parsed.error().column << ": expected "
            << parsed.error().expected << '\n';
        return std::nullopt;
    }
    auto document = *std::move(parsed);
    compare_points(file, document, err);
    return document;
}

using namespace pairing;

namespace {

std::string text_of(const RoundPairing& pairing) {
    const bool bye = pairing.bye != nobody;
    std::ostringstream text;
    text << pairing.boards.size() + (bye ? 1 : 0) << '\n';
    for (const Board& board : pairing.boards) text << board.white << ' ' << board.black << '\n';
    if (bye) text << pairing.bye << " 0\n";
    return std::move(text).str();
}

int put(const PairArguments& arguments, const std::string& text, std::ostream& out,
        std::ostream& err) {
    if (!arguments.output) {
        out << text;
        return pair_done;
    }
    std::ofstream file(*arguments.output, std::ios::binary);
    file << text;
    file.close();
    if (file) return pair_done;
    err << *arguments.output << ": can't be written\n";
    return pair_trouble;
}

int check(const PairArguments& arguments, const PairingField& field, std::ostream& out,
          std::ostream& err) {
    const auto checks = check_rounds(field);
    const int written = put(arguments, report_of(checks), out, err);
    const bool agree = std::all_of(checks.begin(), checks.end(),
                                   [](const RoundCheck& round) { return round.agrees(); });
    return written == pair_done && !agree ? pair_refused : written;
}

}  // namespace

int pair_report(const PairArguments& arguments, std::ostream& out, std::ostream& err) {
    const auto document = report_in(arguments.file, err);
    if (!document) return pair_malformed;
    const PairingField field = trf::field_of(*document);
    if (arguments.check) return check(arguments, field, out, err);
    const auto answer = pair_round(field);
    if (!answer) {
        err << arguments.file << ": no legal pairing for round " << field.rounds_played + 1 << ": "
            << answer.error().reason << '\n';
        return pair_refused;
    }
    if (field.rounds_total > 0 && field.rounds_played >= field.rounds_total) {
        err << arguments.file << ": all " << field.rounds_total
            << " rounds are played; these would be the pairs of one more\n";
    }
    return put(arguments, text_of(*answer), out, err);
}

}  // namespace referee::cli
