#include "referee/cli/pair_report.h"

#include <algorithm>
#include <fstream>
#include <ostream>
#include <sstream>

#include "referee/cli/report_file.h"
#include "referee/contest/pairing/check.h"
#include "referee/contest/pairing/dutch.h"
#include "referee/contest/trf/trf.h"

namespace referee::cli {

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

int check(const PairArguments& arguments, const Field& field, std::ostream& out,
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
    const Field field = trf::field_of(*document);
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
