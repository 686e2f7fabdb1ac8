#include "referee/cluster/machines/batching.h"

#include <algorithm>
#include <set>

namespace referee::machines {
namespace {

// How much the last job says about the next one, against all before it.
constexpr double weight_of_last = 0.3;
// Sums of shares come to a whole only nearly.
constexpr double full = 1 - 1e-9;
// What is too short to be measured.
constexpr double seconds_least = 1e-3;

double seconds_of(Duration time) {
    return std::chrono::duration<double>(time).count();
}

}  // namespace

void Batching::learn(const std::vector<std::string>& tournaments, Duration took) {
    if (tournaments.empty()) return;
    const auto each =
        std::max(seconds_least, seconds_of(took) / static_cast<double>(tournaments.size()));
    for (const auto& tournament : std::set(tournaments.begin(), tournaments.end())) {
        auto& known = known_.try_emplace(tournament, Known{each, 0}).first->second;
        known.seconds += weight_of_last * (each - known.seconds);
        known.largest = std::max(known.largest, tournaments.size());
    }
}

std::size_t Batching::matches_of(const std::string& tournament) const {
    const auto found = known_.find(tournament);
    if (found == known_.end()) return cores_;
    const auto& known = found->second;
    const auto fit = static_cast<std::size_t>(seconds_of(job_time_aimed) / known.seconds);
    return std::clamp<std::size_t>(fit, 1,
                                   std::min(matches_of_job_most, growth_most * known.largest));
}

std::size_t Batching::matches_most() const {
    auto most = cores_;
    for (const auto& [tournament, known] : known_) most = std::max(most, matches_of(tournament));
    return most;
}

std::size_t Batching::next(const std::deque<scheduler::MatchTask>& waiting,
                           std::size_t places) const {
    const auto share = (waiting.size() + places - 1) / std::max<std::size_t>(places, 1);
    double filled = 0;
    std::size_t count = 0;
    while (count < waiting.size() && count < share && filled < full) {
        filled += 1 / static_cast<double>(matches_of(waiting[count].key().tournament));
        ++count;
    }
    return std::min(count, matches_of_job_most);
}

}  // namespace referee::machines
