// FIDE's report files: refused with a place inside the text, or read, and then written and read as
// the same; and what was read can be paired, laid out as a table, and made of its field again.

#include <algorithm>

#include "referee/contest/pairing/dutch.h"
#include "referee/contest/standings/trf_report.h"
#include "tests/fuzz/target.h"
#include "tests/referee/contest/pairing/pairing_promises.h"

namespace fuzz {
namespace {

namespace trf = referee::trf;

// Pairing takes longer than all else.
constexpr std::size_t players_paired_max = 12;
constexpr int rounds_checked_max = 5;

Complaint check_mistake(const trf::Mistake& mistake, std::string_view text) {
    if (mistake.expected.empty()) return "refused without a word";
    const auto ends = [](char byte) { return byte == '\n' || byte == '\r'; };
    // One more where a line is missing.
    const auto lines = std::count_if(text.begin(), text.end(), ends) + 2;
    if (mistake.line < 1 || mistake.line > lines)
        return "not a line of the text: " + std::to_string(mistake.line);
    return mistake.column < 1 ? "not a column: " + std::to_string(mistake.column) : Complaint();
}

}  // namespace

Complaint check_trf(std::string_view bytes) {
    const auto document = trf::parse(bytes);
    if (!document) return check_mistake(document.error(), bytes);
    const auto written = trf::write(*document);
    const auto again = trf::parse(written);
    if (!again) return "can't be read again: " + again.error().expected + "\n" + written;
    if (const auto twice = trf::write(*again); twice != written)
        return "written again as another text:\n" + twice + "not\n" + written;
    if (trf::field_of(*again) != trf::field_of(*document)) return "another field:\n" + written;
    if (referee::standings::trf_table(*document).empty()) return "no table";
    const auto field = trf::field_of(*document);
    if (field.entrants.size() > players_paired_max) return {};
    if (field.rounds_played <= rounds_checked_max) {
        if (referee::pairing::report_of(referee::pairing::check_rounds(field)).empty())
            return "nothing is told of the rounds";
    }
    return broken_promise(field, referee::pairing::pair_round(field));
}

}  // namespace fuzz
