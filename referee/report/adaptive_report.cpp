#include "referee/report/ratings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <set>
#include <string_view>

#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/files/text_table.h"
#include "referee/report/standings_rows.h"

namespace referee::report {
namespace {

using formats::AdaptiveOptions;
using formats::AdaptiveState;
using formats::Entrant;
using formats::Question;
using protocol::json::Writer;

constexpr int adaptive_elo_decimals = 0;
constexpr int margin_decimals = 3;
constexpr std::size_t names_told_most = 10;  // in a sentence; JSON has them all
constexpr double in_percent = 100;
constexpr double digits_of_a_guess = 100;  // a guess has two

constexpr std::array<std::string_view, 3> question_names{"top", "order", "better_than"};

// Those whose place is unsure, best first.
std::vector<Entrant> unsure_of(const AdaptiveOptions& options, const AdaptiveState& state) {
    std::set<Entrant> unsure;
    for (const auto& pair : state.asked()) {
        if (pair.told) continue;
        unsure.insert(pair.above);
        unsure.insert(pair.below);
    }
    if (options.question == Question::better_than) unsure.erase(options.better_than);
    std::vector<Entrant> found;
    for (const auto entrant : state.order())
        if (unsure.contains(entrant)) found.push_back(entrant);
    return found;
}

// Those whose order to the bot of the question is told, above it or below.
std::vector<Entrant> told_of(const AdaptiveState& state, Entrant whom, bool above) {
    std::vector<Entrant> found;
    for (const auto& pair : state.asked())
        if (pair.told && (above ? pair.below : pair.above) == whom)
            found.push_back(above ? pair.above : pair.below);
    return found;
}

// Before the field is known it has a name already.
const std::string& asked_bot(const Ledger& ledger, const AdaptiveOptions& options) {
    return options.better_than < ledger.entries.size() ? ledger.name(options.better_than)
                                                       : options.better_than_name;
}

std::string names(const Ledger& ledger, const std::vector<Entrant>& entrants) {
    if (entrants.empty()) return "nobody";
    return base::first_of(entrants, names_told_most,
                          [&ledger](Entrant one) { return ledger.name(one); });
}

std::uint64_t most(const Ledger& ledger, const AdaptiveOptions& options) {
    return formats::adaptive_matches_most(options, ledger.entries.size());
}

std::string asked_text(const Ledger& ledger, const AdaptiveOptions& options) {
    switch (options.question) {
        case Question::top:
            return options.top == 1 ? "Who is first?"
                                    : fmt::format("Which {} are first?", options.top);
        case Question::order:
            return "What is the whole order?";
        case Question::better_than:
            return "Who is better than " + asked_bot(ledger, options) + ", and who is worse?";
    }
    return {};
}

std::string answer_text(const Ledger& ledger, const AdaptiveOptions& options,
                        const AdaptiveState& state) {
    if (options.question == Question::better_than)
        return "Better: " + names(ledger, told_of(state, options.better_than, true)) +
               ". Worse: " + names(ledger, told_of(state, options.better_than, false)) + '.';
    if (options.question == Question::order) return "The order is that of the table.";
    auto first = state.order();
    first.resize(std::min(first.size(), options.top));
    return (first.size() == 1 ? "First is " : "First are ") + names(ledger, first) + '.';
}

// Rounded to what such a guess is good for.
std::optional<std::uint64_t> matches_missing(const AdaptiveState& state) {
    const auto missing = state.matches_missing();
    if (!missing) return std::nullopt;
    double step = 1;
    while (*missing >= digits_of_a_guess * step) step *= 10;
    return static_cast<std::uint64_t>(std::ceil(*missing / step) * step);
}

std::string missing_text(const AdaptiveState& state) {
    const auto missing = matches_missing(state);
    if (!missing) return {};
    return fmt::format(
        " To tell them apart would take about {} matches more, if all are as strong as they look "
        "now.",
        *missing);
}

std::string deviation_text(const AdaptiveState& state) {
    const double elo = formats::elo_of_logistic(std::sqrt(state.model().deviation()));
    if (elo < 1) return "Pairs differ from what strengths say by no more than chance.";
    return "Pairs differ from what strengths say by about " +
           files::fixed_text(elo, adaptive_elo_decimals) +
           " Elo: who beats whom isn't only a matter of strength.";
}

// Those who don't play the round that would be drawn next.
std::vector<Entrant> not_here(const Ledger& ledger) {
    std::uint32_t last = 0;
    for (const auto& match : ledger.results) last = std::max(last, match.round);
    for (const auto& match : ledger.open) last = std::max(last, match.round);
    std::vector<Entrant> found;
    for (Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
        const auto& entry = ledger.entries[entrant];
        if (entry.first_round > last + 1 || entry.last_round <= last) found.push_back(entrant);
    }
    return found;
}

}  // namespace

void look_again(Ledger& ledger) {
    const auto* asked = ledger.config.format.as<AdaptiveOptions>();
    if (asked == nullptr) return;
    ledger.adaptive = std::make_shared<const AdaptiveState>(
        formats::adaptive_state(*asked, ledger.entries.size(), ledger.results, not_here(ledger)));
    std::vector<std::size_t> places(ledger.entries.size());
    for (std::size_t place = 0; place < places.size(); ++place)
        places[ledger.adaptive->order()[place]] = place + 1;
    ledger.places = std::move(places);
}

std::string question_sentence(const Ledger& ledger, const Ratings& ratings) {
    const auto* options = ledger.config.format.as<AdaptiveOptions>();
    if (options == nullptr || !ratings.adaptive) return {};
    const auto& state = *ratings.adaptive;
    if (ledger.entries.empty())
        return asked_text(ledger, *options) + " The field is known when it begins.";
    const auto at = fmt::format(
        " at {}% after {} distinct matches{}. ",
        files::fixed_text(options->confidence * in_percent, 1), ratings.distinct,
        state.answered() ? "" : " of at most " + std::to_string(most(ledger, *options)));
    auto text = asked_text(ledger, *options) + ' ';
    if (state.answered()) {
        text += "Answered" + at + answer_text(ledger, *options, state);
    } else {
        const auto unsure = unsure_of(*options, state);
        const bool any = ratings.distinct > 0;
        text +=
            fmt::format("Not answered{}{}{} of {} pairs aren't told apart; unsure: {}.{}", at,
                        any ? "As it stands: " + answer_text(ledger, *options, state) + ' ' : "",
                        state.unsure(), state.asked().size(), names(ledger, unsure),
                        any ? missing_text(state) : "");
    }
    return text +
           " What is told is the order of a round robin without end, where two count as told "
           "apart in either order if their shares of the points are within " +
           files::fixed_text(options->margin, margin_decimals) + ". " + deviation_text(state);
}

void write_question(Writer& writer, const Ledger& ledger, const Ratings& ratings) {
    const auto* options = ledger.config.format.as<AdaptiveOptions>();
    if (options == nullptr || !ratings.adaptive) return;
    const auto& state = *ratings.adaptive;
    const auto list = [&](std::string_view key, const std::vector<Entrant>& entrants) {
        writer.key(key).texts(entrants, [&](const auto& entrant) { return ledger.name(entrant); });
    };
    writer.key("adaptive")
        .begin_object()
        .member("question", question_names[static_cast<std::size_t>(options->question)]);
    if (options->question == Question::top) writer.member("top", options->top);
    if (options->question == Question::better_than)
        writer.member("better_than", asked_bot(ledger, *options));
    writer.member("confidence", options->confidence)
        .member("margin", options->margin)
        .member("answered", state.answered())
        .member("asked_pairs", state.asked().size())
        .member("unsure_pairs", state.unsure())
        .member("matches_most", most(ledger, *options));
    if (const auto missing = matches_missing(state); missing && ratings.distinct > 0)
        writer.member("matches_missing", *missing);
    if (options->time > options->time.zero())
        writer.member("time_s",
                      std::chrono::duration_cast<std::chrono::seconds>(options->time).count());
    files::write_fixed(writer, "deviation_elo",
                       formats::elo_of_logistic(std::sqrt(state.model().deviation())), 1);
    if (options->question == Question::better_than) {
        list("better", told_of(state, options->better_than, true));
        list("worse", told_of(state, options->better_than, false));
    }
    list("unsure", unsure_of(*options, state));
    writer.end_object();
}

}  // namespace referee::report
