#include "referee/cli/report_file.h"

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "referee/contest/trf/columns.h"

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
    const pairing::Field field = trf::field_of(document);
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

}  // namespace referee::cli
