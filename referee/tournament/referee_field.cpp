#include <algorithm>
#include <memory>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"
#include "referee/tournament/referee.h"

// With whom a tournament begins.

namespace referee::tournament {

// Whether the config names the bot, or it is here.
bool Referee::is_expected(const std::string& bot) const {
    const auto* here = base::find_in(lobby_.bots(), bot);
    return base::contains(config_.bots, bot, &config::BotConfig::name) ||
           (here != nullptr && (*here)->connected());
}

// Those who have never played there, are not here and not in the config are left out: names are
// registered and forgotten, and their opponents would win for nothing.
Referee::Field Referee::best_of_ladder(const config::TournamentConfig& tournament) const {
    const auto& from = *tournament.field_from;
    Field field;
    if (!scheduler_->status_of(from.ladder)) return field;
    const auto ladder = scheduler_->contest(from.ladder).snapshot();
    const auto places = ladder.places();
    if (!places) return field;
    std::vector<formats::Entrant> order;
    std::vector<std::string> withdrawn;
    std::vector<std::string> never_came;
    std::vector<std::string> kept_out;
    for (formats::Entrant entrant = 0; entrant < ladder.entries->size(); ++entrant) {
        const auto& name = ladder.name(entrant);
        const bool takes_part = ladder.has_played(entrant) || is_expected(name);
        if (tournament.house.contains(name) && !from.has_house) continue;
        if (roster_.is_kept_out(name))
            kept_out.push_back(name);
        else if (!takes_part)
            never_came.push_back(name);
        else if (ladder.is_withdrawn(entrant))
            withdrawn.push_back(name);
        else
            order.push_back(entrant);
    }
    std::ranges::stable_sort(order, [&](auto a, auto b) { return (*places)[a] < (*places)[b]; });
    std::vector<std::string> taken;
    std::vector<std::string> left_out;
    std::vector<std::string> house;
    for (const auto entrant : order) {
        const bool takes = from.best == 0 || field.entries.size() < from.best;
        if (!ladder.ranks(entrant)) (takes ? taken : left_out).push_back(ladder.name(entrant));
        if (!takes) continue;
        if (tournament.house.contains(ladder.name(entrant))) house.push_back(ladder.name(entrant));
        field.entries.push_back((*ladder.entries)[entrant]);
        field.entries.back().first_round = 1;
    }
    const auto remark = [&](const std::string& what, const std::vector<std::string>& bots) {
        if (bots.empty()) return;
        field.remark += "; " + what + ": " + base::names_in(bots);
    };
    remark("house bots in the field", house);
    const auto few = fmt::format(" with fewer than {} matches of {}",
                                 formats::ladder_matches_to_rank, from.ladder);
    remark("taken" + few, taken);
    remark("left out" + few, left_out);
    std::vector<std::string> behind;
    for (auto i = field.entries.size(); i < order.size(); ++i) {
        const auto& name = ladder.name(order[i]);
        if (!base::contains(left_out, name)) behind.push_back(name);
    }
    remark("left out behind the best " + std::to_string(from.best), behind);
    remark("left out, because refused or not approved", kept_out);
    remark("left out without a match of " + from.ladder + ", and not here", never_came);
    remark("left out, because withdrawn from " + from.ladder, withdrawn);
    if (withdrawn.empty()) return field;
    const bool takes_late = formats::traits_of(tournament.format).takes_late;
    (takes_late ? field.remark : field.remedy) +=
        ": `referee ctl admit " + (takes_late ? tournament.id : from.ladder) + " " +
        base::shell_word(withdrawn.front()) + "` lets one in" +
        (takes_late ? "" : ", before " + tournament.id + " begins");
    return field;
}

base::Result<Referee::Field, std::string> Referee::field_of(
    const config::TournamentConfig& tournament) const {
    // Asks today's config: its list of bots may have changed in a reload.
    const auto& all = config_.tournaments;
    const auto now = std::ranges::find(all, tournament.id, &config::TournamentConfig::id);
    REFEREE_ASSERT(now != all.end());
    auto field = now->field_from ? best_of_ladder(*now)
                                 : Field{config::entries_of(*now, config_.bots), {}, {}};
    const auto& game = scheduler_->contest(tournament.id).game().info();
    const auto errors = formats::check_format(
        tournament.format, field.entries, {game.seats_min, game.seats_max, game.seats_max == 1});
    if (!errors.empty()) return base::failure(errors.front().message);
    if (auto error = formats::first_round_error(tournament.format, field.entries))
        return base::failure(std::move(error->message));
    return field;
}

base::Result<void, std::string> Referee::begin(const config::TournamentConfig& tournament,
                                               const std::string& reason) {
    auto field = field_of(tournament);
    if (!field) return base::failure(std::move(field.error()));
    // A refusal comes from inside the call.
    const auto refusal = std::make_shared<std::string>();
    scheduler_->orders().begin({tournament.id, reason + field->remark}, field->entries,
                               tournament.text, options_.version, [refusal](const auto& begun) {
                                   if (!begun) *refusal = begun.error();
                               });
    if (!refusal->empty()) return base::failure(*refusal);
    return {};
}

}  // namespace referee::tournament
