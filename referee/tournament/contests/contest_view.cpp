#include "referee/tournament/contests/contest_view.h"

#include <utility>

#include "protocol/base/overloaded.h"

namespace referee::contests {

void CommittedView::post(std::uint64_t change, News news, Place place) {
    if (std::holds_alternative<GamePlan>(news)) ++plans_ready_;
    ready_.push_back({change, place, std::move(news)});
}

void CommittedView::committed(std::uint64_t changes, const Matches& matches) {
    for (; !ready_.empty() && ready_.front().change <= changes; ready_.pop_front())
        publish(ready_.front(), matches);
}

void CommittedView::publish(Ready& ready, const Matches& matches) {
    std::visit(base::Overloaded{
                   [&](GamePlan& plan) {
                       --plans_ready_;
                       if (!matches.known(plan.key.match)) return;  // dropped meanwhile
                       if (ready.place == Place::first) {
                           waiting_.push_front(std::move(plan));
                       } else {
                           waiting_.push_back(std::move(plan));
                       }
                   },
                   [&](const GamesCounted& games) {
                       counts_.games_played += static_cast<std::uint64_t>(games.by);
                   },
                   [&](GameAnnulled& game) {
                       ++counts_.games_annulled;
                       counts_.last_annulled = std::move(game);
                   },
                   [&](const GameRestored& game) {
                       --counts_.games_annulled;
                       if (counts_.last_annulled.key == game.key) counts_.last_annulled = {};
                   },
                   [&](formats::MatchResult& result) {
                       if (!matches.over(result.match)) return;  // taken back meanwhile
                       ++counts_.matches_played;
                       open_.erase(result.match);
                       results_.put(std::move(result));
                   },
                   [&](const formats::Bye& bye) {
                       byes_.push_back(bye);
                       round_ = std::max(round_, bye.round);
                   },
                   [&](const formats::Pairing& pairing) {
                       // Not one that was dropped meanwhile.
                       if (matches.known(pairing.match)) open_.insert(pairing.match);
                       round_ = std::max(round_, pairing.round);
                   },
               },
               ready.news);
}

// A game that goes on with a match is among the last, one that is played again among the first.
std::optional<std::size_t> CommittedView::waiting_place(const GameKey& key) const {
    const auto count = waiting_.size();
    for (std::size_t first = 0; 2 * first < count; ++first) {
        const auto last = count - 1 - first;
        if (waiting_[first].key == key) return first;
        if (waiting_[last].key == key) return last;
    }
    return std::nullopt;
}

GamePlan CommittedView::take(std::size_t i) {
    auto plan = std::move(waiting_[i]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    return plan;
}

void CommittedView::take_back(std::uint64_t match) {
    const auto* result = results_.find(match);
    if (result == nullptr) return;
    --counts_.matches_played;
    results_.erase(match);
    open_.insert(match);
}

template <typename IsIt>
void CommittedView::take_games_off(const IsIt& is_it) {
    std::erase_if(waiting_, is_it);
    plans_ready_ -= std::erase_if(ready_, [&](const Ready& ready) {
        const auto* plan = std::get_if<GamePlan>(&ready.news);
        return plan != nullptr && is_it(*plan);
    });
}

void CommittedView::clear(std::uint64_t match) {
    take_back(match);
    take_games_off([match](const auto& plan) { return plan.key.match == match; });
    std::erase_if(ready_, [match](const Ready& ready) {
        const auto* result = std::get_if<formats::MatchResult>(&ready.news);
        return result != nullptr && result->match == match;
    });
}

void CommittedView::take_game_off(std::uint64_t match, std::uint32_t number) {
    take_games_off(
        [=](const auto& plan) { return plan.key.match == match && plan.key.number == number; });
}

void CommittedView::drop(std::uint64_t match) {
    std::erase_if(waiting_, [match](const auto& plan) { return plan.key.match == match; });
    open_.erase(match);
}

void CommittedView::play_among_others() {
    for (auto& plan : waiting_) plan.try_alone = 0;
    for (auto& ready : ready_) {
        if (auto* plan = std::get_if<GamePlan>(&ready.news)) plan->try_alone = 0;
    }
}

std::uint64_t CommittedView::forget_oldest() {
    const auto oldest = results_.front().match;
    results_.erase(oldest);
    return oldest;
}

}  // namespace referee::contests
