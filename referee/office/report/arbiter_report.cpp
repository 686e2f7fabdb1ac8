#include "referee/office/report/arbiter_report.h"

#include <algorithm>

#include "protocol/json/printable.h"

namespace referee::report {
namespace {

std::string why(const std::string& reason, const std::string& by) {
    // Somebody typed them: a line feed would forge a line.
    return (reason.empty() ? std::string() : ": " + protocol::json::visible_line(reason)) +
           (by.empty() ? std::string() : " (" + protocol::json::visible_line(by) + ")");
}

std::string rounds_text(std::uint32_t first, std::uint32_t last) {
    if (first == last) return "in round " + std::to_string(first);
    if (last == UINT32_MAX) return "from round " + std::to_string(first) + " on";
    return "in rounds " + std::to_string(first) + " to " + std::to_string(last);
}

std::string bots_text(const std::vector<std::string>& bots) {
    std::string text;
    for (const auto& bot : bots) text += (text.empty() ? "" : ", ") + bot;
    return text;
}

std::string ruling_sentence(const Ledger& ledger, const tournament::MatchResult& match,
                            const journal::RulingRecord& ruling) {
    std::string places;
    for (std::size_t seat = 0; seat < match.seats.size(); ++seat)
        places += (places.empty() ? "" : ", ") + ledger.entries[match.seats[seat]].name + " " +
                  std::to_string(match.placing[seat]);
    return "the result of " + match_id(ledger.config.id, match.match) + " is set, by places " +
           places + why(ruling.reason, ruling.by);
}

std::string pairs_sentence(const journal::ForbiddenPairsRecord& pairs) {
    return bots_text(pairs.bots) +
           (pairs.order == journal::PairOrder::forbidden ? " don't meet " : " may meet again ") +
           rounds_text(pairs.first_round, pairs.last_round) + why(pairs.reason, pairs.by);
}

std::string bye_sentence(const journal::RequestedByeRecord& bye) {
    const auto round = std::to_string(bye.round);
    if (bye.order == journal::ByeOrder::taken_back)
        return bye.bot + " plays round " + round + " after all" + why(bye.reason, bye.by);
    return bye.bot + " sits round " + round + " out for " +
           (bye.order == journal::ByeOrder::half_point ? "a draw's points" : "nothing") +
           why(bye.reason, bye.by);
}

}  // namespace

bool is_fide_pairing(const Ledger& ledger) {
    const auto* swiss = ledger.config.format.as<tournament::SwissOptions>();
    return swiss == nullptr || swiss->colours;
}

std::vector<std::string> arbiter_sentences(const Ledger& ledger) {
    std::vector<std::string> sentences;
    if (ledger.arbiter == nullptr) return sentences;
    for (const auto& match : ledger.results) {
        const auto* ruling = match.ruled ? ledger.arbiter->ruling_of(match.match) : nullptr;
        if (ruling != nullptr) sentences.push_back(ruling_sentence(ledger, match, *ruling));
    }
    for (const auto& pairs : ledger.arbiter->forbidden) sentences.push_back(pairs_sentence(pairs));
    for (const auto& bye : ledger.arbiter->byes) sentences.push_back(bye_sentence(bye));
    return sentences;
}

}  // namespace referee::report
