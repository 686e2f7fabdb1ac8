#include "engines/game.h"

#include <algorithm>

namespace engines {

void write_outcome(json::Writer& writer, const Outcome& outcome) {
    writer.begin_object().key("scores").begin_array();
    for (const auto score : outcome.scores) score.write(writer);
    writer.end_array().key("placing").begin_array();
    for (const auto place : outcome.placing) writer.integer(place);
    writer.end_array().key("detail").raw(outcome.detail).end_object();
}

std::vector<int> placing_by_score(std::span<const Score> scores) {
    std::vector<int> placing;
    for (const auto score : scores) {
        const auto better =
            std::count_if(scores.begin(), scores.end(), [&](Score other) { return other > score; });
        placing.push_back(static_cast<int>(better) + 1);
    }
    return placing;
}

bool State::write_delta(json::Writer& /*writer*/) const {
    return false;
}

std::string State::render_for(Seat /*seat*/, const Screen& /*screen*/) const {
    return render();
}

std::optional<LegalMoves> State::legal_moves(Seat /*seat*/) const {
    return {};
}

std::optional<std::string> Game::params_with_seats(json::View /*params*/,
                                                   std::size_t /*seats*/) const {
    return {};
}

std::optional<std::int64_t> Game::attainable(json::View /*params*/) const {
    return {};
}

std::string Game::tell_end(json::View /*full_params*/, json::View /*detail*/, Seat /*seat*/) const {
    return {};
}

std::string Game::move_in_words(json::View /*move*/) const {
    return {};
}

std::weak_ordering Game::compare(const Outcome& a, const Outcome& b) const {
    return a.scores.front() <=> b.scores.front();
}

TypedMove Game::move_from_text(std::string_view line) const {
    std::string text;
    json::Writer(text).string(line);
    return text;
}

}  // namespace engines
