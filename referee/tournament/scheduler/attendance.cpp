#include "referee/tournament/scheduler/attendance.h"

#include <algorithm>

#include "protocol/base/find.h"

namespace referee::scheduler {
namespace {

// While bots are awaited, somebody looks for them this often.
constexpr Duration look_again = std::chrono::seconds(1);

}  // namespace

bool Attendance::is_missing(formats::Entrant entrant) {
    const auto& bot = field_.bot(entrant);
    return !contest_.withdrawn(entrant) && !bot.connected() && !context_.supply.launches(bot);
}

std::optional<formats::Entrant> Attendance::first_missing() {
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        if (is_missing(entrant)) return entrant;
    }
    return std::nullopt;
}

// Whoever is there may play on a ladder: nobody is waited for. Where a round is drawn, a former run
// of the referee has waited already.
bool Attendance::has_gathered() const {
    return gathered_ || contest_.round() > 0 ||
           formats::traits_of(contest_.config().format).pairs_who_is_free;
}

bool Attendance::gather() {
    if (has_gathered()) return true;
    const auto now = context_.timers.now();
    if (!called_) called_ = Called{now, now};
    auto& called = *called_;
    const auto until = called.at + settings_.join_within;
    // Each login asks: not all of a crowd are looked at for each of the crowd.
    if (now < called.look_again_at && is_missing(called.missing)) {
        looks_.wake_by(called.look_again_at);
        return false;
    }
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        auto& bot = field_.bot(entrant);
        // Whose games are played elsewhere is called only where one of them is played here.
        const bool elsewhere = context_.executor != nullptr && context_.supply.launches(bot);
        if (!contest_.withdrawn(entrant) && !bot.connected() && !elsewhere)
            context_.supply.want(bot);
    }
    const auto missing = first_missing();
    if (now >= until || !missing) {
        if (!missing) excuse();
        gathered_ = true;
        return true;
    }
    called.missing = *missing;
    called.look_again_at = std::min(now + look_again, until);
    looks_.wake_by(called.look_again_at);
    return false;
}

bool Attendance::waits_for_arrivals() {
    return !has_gathered() && first_missing().has_value();
}

void Attendance::wait_anew() {
    called_.reset();
    excuse();
}

Instant Attendance::await(const lobby::Bot& bot) {
    const auto since = absences_.begin(bot, contest_.config().game, context_.timers.now());
    return given_up_at(bot, since);
}

// A bot that is being started has all its time to log in, however long the game has waited. One
// that is not launched again is waited for only where an order may yet bring it back.
Instant Attendance::given_up_at(const lobby::Bot& bot, Instant away_since) const {
    const auto coming = context_.supply.coming(bot);
    if (coming.given_up && !settings_.stays) return away_since;
    const auto until = std::max(away_since, excused_until_) + contest_.config().no_show_after;
    return std::max(until, coming.until.value_or(until));
}

// A bot that the referee launches comes back only by order.
void Attendance::came(const lobby::Bot& bot) {
    if (bot.plays(contest_.config().game) && !context_.supply.launches(bot)) came_anew(bot);
}

void Attendance::came_anew(const lobby::Bot& bot) {
    const bool known = base::contains(came_, bot.name());
    if (!known && contest_.entrant_named(bot.name())) came_.push_back(bot.name());
}

std::vector<formats::Entry> Attendance::back() {
    std::vector<formats::Entry> entries;
    for (const auto& name : std::exchange(came_, {})) {
        const auto entrant = contest_.entrant_named(name);
        if (entrant && contest_.withdrawn_as_idle(*entrant))
            entries.push_back(contest_.entry(*entrant));
    }
    return entries;
}

bool Attendance::add_arrivals(std::vector<Wait>& found) {
    if (!called_ || gathered_) return false;
    Wait wait{.kind = Wait::Kind::for_arrivals,
              .tournament = contest_.config().id,
              .until = called_->at + settings_.join_within};
    for (formats::Entrant entrant = 0; entrant < contest_.entrants(); ++entrant) {
        if (is_missing(entrant)) wait.bots.push_back(contest_.name(entrant));
    }
    if (!wait.bots.empty()) found.push_back(std::move(wait));
    return true;
}

void Attendance::add_absences(std::vector<Wait>& found) {
    const auto& game = contest_.config().game;
    std::map<formats::Entrant, std::size_t> games;
    for (const auto& plan : contest_.waiting()) {
        for (const auto entrant : plan.entrants) ++games[entrant];
    }
    for (const auto& [entrant, count] : games) {
        const auto& bot = field_.bot(entrant);
        const auto since = absences_.since(bot, game);
        const bool waits = since && !contest_.withdrawn(entrant) && bot.places().empty() &&
                           !field_.is_here(entrant);
        if (!waits || given_up_at(bot, *since) <= context_.timers.now()) continue;
        Wait wait{.kind = Wait::Kind::for_bot,
                  .tournament = contest_.config().id,
                  .bots = {bot.name()},
                  .count = count,
                  .until = given_up_at(bot, *since),
                  .detail = "is away"};
        if (bot.connected()) {
            wait.detail = "is here and does not play " + game;
        } else if (const auto coming = context_.supply.coming(bot); !coming.launch.empty()) {
            wait.detail = coming.launch;
            wait.routine = !coming.failing;
        }
        found.push_back(std::move(wait));
    }
}

std::optional<Instant> Absences::since(const lobby::Bot& bot, const std::string& game) const {
    const auto* since = base::find_in(since_, std::pair(bot.name(), game));
    return since == nullptr ? std::nullopt : std::optional(*since);
}

void Absences::forget_present(lobby::Lobby& lobby) {
    std::erase_if(since_, [&lobby](const auto& away) {
        const auto& bot = lobby.bot(away.first.first);
        return bot.connected() && bot.plays(away.first.second);
    });
}

}  // namespace referee::scheduler
