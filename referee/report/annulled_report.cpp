#include "referee/report/annulled_report.h"

#include <algorithm>
#include <set>

#include "protocol/json/printable.h"

namespace referee::report {
namespace {

using Annulled = scheduler::AnnulledGames::All;

// Of one match, in their order.
std::vector<const Annulled::value_type*> of_match(const Ledger& ledger, std::uint64_t match) {
    std::vector<const Annulled::value_type*> found;
    if (ledger.annulled == nullptr) return found;
    auto at = ledger.annulled->lower_bound({ledger.config.id, match, 0, 0});
    for (; at != ledger.annulled->end() && at->first.match == match; ++at) found.push_back(&*at);
    return found;
}

void write(protocol::json::Writer& writer, const Annulled::value_type& annulled) {
    writer.begin_object()
        .member("game", game_id(annulled.first))
        .member("reason", annulled.second)
        .end_object();
}

}  // namespace

void write_annulled(protocol::json::Writer& writer, const Ledger& ledger, std::uint64_t match) {
    const auto all = of_match(ledger, match);
    if (all.empty()) return;
    writer.key("annulled").begin_array();
    for (const auto* annulled : all) write(writer, *annulled);
    writer.end_array();
}

void write_annulled_of(protocol::json::Writer& writer, const Ledger& ledger,
                       standings::Entrant entrant) {
    if (ledger.annulled == nullptr || ledger.annulled->empty()) return;
    std::set<std::uint64_t> matches;
    const auto add = [&](const auto& match) {
        if (std::find(match.seats.begin(), match.seats.end(), entrant) != match.seats.end() &&
            !of_match(ledger, match.match).empty())
            matches.insert(match.match);
    };
    for (const auto& match : ledger.results) add(match);
    for (const auto& match : ledger.open) add(match);
    if (matches.empty()) return;
    writer.key("annulled").begin_array();
    for (const auto match : matches)
        for (const auto* annulled : of_match(ledger, match)) write(writer, *annulled);
    writer.end_array();
}

std::vector<std::string> annulled_sentences(const Ledger& ledger, std::uint64_t match) {
    std::vector<std::string> sentences;
    // Somebody typed the reason: a line feed would forge a line.
    for (const auto* annulled : of_match(ledger, match))
        sentences.push_back("game " + game_id(annulled->first) + " does not count, by order: " +
                            protocol::json::visible_line(annulled->second));
    return sentences;
}

}  // namespace referee::report
