#include "referee/grading/verdict/grade.h"

#include <algorithm>
#include <cstdint>

#include "protocol/base/assertion.h"
#include "protocol/json/document.h"

namespace referee::verdict {

bool PlayedGame::won() const {
    if (forfeited) return false;
    if (placing.size() > 1)
        return seat < placing.size() && placing[seat] == 1 &&
               std::count(placing.begin(), placing.end(), 1) == 1;
    protocol::json::Document outcome;
    if (!outcome.parse(detail)) return false;
    const auto says = [&](std::string_view member) {
        return outcome.root().find(member).boolean().value_or(false);
    };
    return says("win") || says("finished");
}

std::string last_words(const Played& played) {
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) {
                if (fault.evidence.stderr_tail && !fault.evidence.stderr_tail->empty())
                    return *fault.evidence.stderr_tail;
            }
        }
        for (const auto& run : series.runs) {
            if (!run.right && !run.printed.empty()) return run.printed;
        }
    }
    return {};
}

namespace {

// Each seed once, those that follow one another as "1-100".
std::string in_words(std::vector<std::uint32_t> seeds) {
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    std::string text;
    for (std::size_t first = 0; first < seeds.size();) {
        auto last = first;
        while (last + 1 < seeds.size() && seeds[last + 1] == seeds[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(seeds[first]);
        if (last > first) text += '-' + std::to_string(seeds[last]);
        first = last + 1;
    }
    return text;
}

}  // namespace

Average average_of(const std::vector<const PlayedGame*>& games) {
    Average average;
    average.games = games.size();
    std::vector<std::uint32_t> seeds;
    for (const auto* game : games) {
        average.score += game->score;
        if (game->seed > 0) seeds.push_back(game->seed);
    }
    average.score /= static_cast<double>(games.size());
    if (seeds.size() == games.size()) average.seeds = in_words(std::move(seeds));
    return average;
}

namespace {

namespace json = protocol::json;

constexpr std::string_view attainable_member = "attainable";

}  // namespace

std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail) {
    json::Document outcome;
    const bool is_read = static_cast<bool>(outcome.parse(detail));
    REFEREE_ASSERT(is_read);
    json::Document given;
    const bool params_read = static_cast<bool>(given.parse(params));
    REFEREE_ASSERT(params_read);
    const auto most = game.attainable(given.root());
    if (!most || outcome.root().find(attainable_member)) return std::string(detail);
    std::string text;
    json::Writer writer(text);
    writer.begin_object();
    for (const auto [name, value] : outcome.root().members()) {
        writer.key(name);
        value.write(writer);
    }
    writer.key(attainable_member).integer(*most);
    writer.end_object();
    return text;
}

}  // namespace referee::verdict
