#include "referee/daemon/orders/tournament_status.h"

#include <chrono>
#include <utility>

#include "protocol/base/text.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/format.h"

namespace referee::daemon {
namespace {

namespace json = protocol::json;
using records::TournamentState;

// How much an adaptive tournament may still play before it ends without an answer.
void write_budget(json::Writer& writer, const contests::ContestStatus& contest) {
    if (const auto* options = contest.config->format.as<formats::AdaptiveOptions>())
        writer.member("matches_most",
                      formats::adaptive_matches_most(*options, contest.entries->size()));
    if (contest.time_left)
        writer.member("time_left_s",
                      std::chrono::duration_cast<std::chrono::seconds>(*contest.time_left).count());
}

}  // namespace

void write_waiting(json::Writer& writer, Host& host, const std::vector<scheduler::Waiting>& waiting,
                   const std::string& tournament) {
    const auto now = host.timers().now();
    writer.key("waiting").begin_array();
    for (const auto& wait : waiting) {
        if (wait.tournament != tournament) continue;
        writer.begin_object().member("for", scheduler::name_of(wait.kind));
        if (!wait.game.empty()) writer.member("game", wait.game);
        writer.key("bots").texts(wait.bots);
        if (wait.until) writer.member("left_s", scheduler::seconds_left(wait, now));
        writer.member("text", scheduler::describe(wait, now));
        const auto remedy = host.remedy_of(wait);
        if (!remedy.empty()) writer.member("remedy", remedy);
        writer.end_object();
    }
    writer.end_array();
}

std::string how_to_undo_an_abort(const std::string& id) {
    return "`referee ctl resume " + id + "` undoes that";
}

namespace {

void write_tournament(json::Writer& writer, Host& host,
                      const std::vector<scheduler::Waiting>& waiting,
                      const contests::ContestStatus& contest) {
    const auto& scheduler = host.scheduler();
    const auto& config = *contest.config;
    writer.begin_object()
        .member("id", config.id)
        .member("game", config.game)
        .member("format", formats::name_of(config.format.kind()))
        .member("state", records::name_of(contest.state))
        .member("reason", contest.state_reason);
    if (!contest.comes_next.empty()) writer.member("comes_next", contest.comes_next);
    if (contest.state == TournamentState::aborted)
        writer.member("remedy", how_to_undo_an_abort(config.id));
    writer.member("bots", contest.entries->size());
    if (contest.round > 0) {
        writer.member("round", contest.round);
        if (contest.rounds_planned) writer.member("rounds", *contest.rounds_planned);
    }
    writer.member("matches", contest.matches_played);
    if (const auto total = contest.matches_total) writer.member("matches_total", *total);
    write_budget(writer, contest);
    writer.member("games", contest.games_played)
        .member("running", scheduler.games_running(config.id))
        .member("elsewhere", scheduler.matches_elsewhere(config.id))
        .member("standings", host.folder().folder_of(config.id) + "/standings.txt");
    if (!contest.withdrawn->empty()) {
        writer.key("withdrawn").begin_array();
        bool takes_back = formats::traits_of(config.format).takes_late && !ended(contest.state);
        for (const auto& [entrant, reason] : *contest.withdrawn) {
            const auto& name = contest.name(entrant);
            writer.begin_object().member("bot", name).member("reason", reason);
            // The others' is the same.
            if (std::exchange(takes_back, false))
                writer.member("remedy", "`referee ctl admit " + config.id + " " +
                                            base::shell_word(name) + "` lets it in again");
            writer.end_object();
        }
        writer.end_array();
    }
    writer.member("annulled", contest.games_annulled);
    if (contest.games_annulled > 0 && !contest.last_annulled.why.empty()) {
        const auto& [key, why] = contest.last_annulled;
        writer.member("last_annulled", "game " + game_id(key) + ": " + why);
    }
    if (!contest.set_aside.empty()) writer.member("stuck", contest.set_aside);
    write_waiting(writer, host, waiting, config.id);
    writer.end_object();
}

}  // namespace

void write_tournaments(json::Writer& writer, Host& host,
                       const std::vector<scheduler::Waiting>& waiting) {
    writer.key("tournaments").begin_array();
    for (const auto& contest : host.scheduler().statuses())
        write_tournament(writer, host, waiting, contest);
    writer.end_array();
}

}  // namespace referee::daemon
