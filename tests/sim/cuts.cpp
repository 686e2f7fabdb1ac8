#include "tests/sim/cuts.h"

#include <algorithm>

#include "tests/sim/reloads.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t seed_of_cuts = 0xC07;
constexpr std::size_t cuts_most = 3;
constexpr std::size_t commits_most = 40;
constexpr Duration down_most = 3s;
constexpr Duration commit_least = 1ms;
// A ladder is stopped after a minute or more, so it is cut off before that.
constexpr Duration cut_soon = 2s;
constexpr Duration cut_late = 15s;
constexpr std::uint64_t seed_of_mixed = 0x313D;
constexpr std::size_t close_of_a_hundred = 60;
// Commits take up to 50 ms, so a cut that is so close often comes between an order and its record.
constexpr Duration close_upon = 60ms;

// Of so many runs in a row so many are of ladders, and one has dead bots.
RunPlan draw_any(std::uint64_t seed, std::uint64_t ladders, std::uint64_t of) {
    if (seed % of < ladders) return draw_ladder(seed);
    return seed % of == ladders ? draw_dead(seed) : draw_plan(seed);
}

}  // namespace

RunPlan draw_cut(std::uint64_t seed) {
    auto plan = draw_any(seed, 2, 8);
    if (plan.tournament.format.kind() != referee::formats::FormatKind::ladder) plan.stopped = false;
    Random random(seed ^ seed_of_cuts);
    add_cuts(plan, random);
    return plan;
}

void add_cuts(RunPlan& plan, Random& random) {
    plan.commits_good = 0;
    // No commit is quicker: some records are always on their way to the disk.
    plan.commit_slowest = std::max(plan.commit_slowest, commit_least);
    const auto count = 1 + random.below(cuts_most);
    for (std::size_t i = 0; i < count; ++i) {
        PlannedCut cut;
        if (random.chance(50)) {
            cut.commit = 1 + random.below(commits_most);
        } else {
            cut.at = random_below(random, random.chance(50) ? cut_soon : cut_late);
        }
        cut.down = random_below(random, down_most);
        plan.cuts.push_back(cut);
    }
}

void ToldMatches::on_record(const referee::records::Record& record) {
    const auto* annulled = std::get_if<referee::records::AnnulmentRecord>(&record);
    if (annulled != nullptr) told_[annulled->key.tournament].erase(annulled->key.match);
    const auto* ruled = std::get_if<referee::records::RulingRecord>(&record);
    if (ruled != nullptr) told_[ruled->tournament].erase(ruled->match);
}

std::vector<std::string> ToldMatches::missing_from(
    const referee::contests::ContestSnapshot& contest) const {
    std::vector<std::string> missing;
    const auto found_told = told_.find(contest.config->id);
    if (found_told == told_.end()) return missing;
    const auto& told = found_told->second;
    if (contest.config->format.kind() == referee::formats::FormatKind::ladder) {
        if (contest.matches_played < told.size())
            missing.push_back("matches of the ladder " + contest.config->id +
                              " were told and are not counted");
        return missing;
    }
    std::map<std::uint64_t, std::vector<engines::Score>> stands;
    for (const auto& [ordinal, match] : contest.results) stands[ordinal] = match.points;
    for (const auto& [ordinal, points] : told) {
        const auto found = stands.find(ordinal);
        if (found == stands.end() || found->second != points)
            missing.push_back("match " + referee::match_id(contest.config->id, ordinal) +
                              " was told, and its result does not stand");
    }
    return missing;
}

RunPlan draw_mixed(std::uint64_t seed) {
    auto plan = draw_any(seed, 1, 5);
    Random random(seed ^ seed_of_mixed);
    add_orders(plan);
    if (plan.class_password.empty()) {
        add_newcomers(plan);
    } else if (random.chance(50)) {
        plan.class_password.clear();  // a reload brings it
    }
    add_reloads(plan);
    add_cuts(plan, random);
    if (!random.chance(close_of_a_hundred)) return plan;
    const auto& order = plan.orders[random.below(plan.orders.size())];
    auto& cut = plan.cuts.front();
    cut.commit = 0;
    cut.at = order.at + random_below(random, close_upon);
    return plan;
}

}  // namespace tests::sim
