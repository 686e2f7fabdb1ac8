#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "referee/cluster/machines/coordinator.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/format.h"
#include "referee/daemon/orders/order.h"
#include "referee/report/ledger.h"
#include "referee/report/machines_report.h"
#include "referee/report/standings_rows.h"
#include "referee/tournament/scheduler/waits.h"
#include "referee/version.h"

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

// What that tournament waits for, of all that is waited for; an empty id: what belongs to none. The
// members tell programs what the text tells people.
void write_waiting(json::Writer& writer, server::Server& server,
                   const std::vector<scheduler::Wait>& waiting, const std::string& tournament) {
    const auto now = server.timers().now();
    writer.key("waiting").begin_array();
    for (const auto& wait : waiting) {
        if (wait.tournament != tournament) continue;
        writer.begin_object().member("for", scheduler::name_of(wait.kind));
        if (!wait.game.empty()) writer.member("game", wait.game);
        writer.key("bots").texts(wait.bots);
        if (wait.until) writer.member("left_s", scheduler::seconds_left(wait, now));
        writer.member("text", scheduler::describe(wait, now));
        const auto remedy = server.referee().remedy_of(wait);
        if (!remedy.empty()) writer.member("remedy", remedy);
        writer.end_object();
    }
    writer.end_array();
}

void write_tournament(json::Writer& writer, server::Server& server,
                      const std::vector<scheduler::Wait>& waiting,
                      const contests::ContestStatus& contest) {
    const auto& scheduler = server.scheduler();
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
        .member("standings", server.folder().folder_of(config.id) + "/standings.txt");
    if (!contest.withdrawn->empty()) {
        writer.key("withdrawn").begin_array();
        bool takes_back = formats::traits_of(config.format).takes_late && !ended(contest.state);
        const auto& played = scheduler.contest(config.id);
        const auto idle = std::ranges::count_if(*contest.withdrawn, [&](const auto& one) {
            return played.withdrawn_as_idle(one.first);
        });
        for (const auto& [entrant, reason] : *contest.withdrawn) {
            const auto& name = contest.name(entrant);
            writer.begin_object().member("bot", name).member("reason", reason);
            // The others' is the same.
            if (std::exchange(takes_back, false))
                writer.member("remedy",
                              "`referee ctl admit " + config.id + " " +
                                  (idle > 1 ? "--all` lets in again all that were away or silent"
                                            : base::shell_word(name) + "` lets it in again"));
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
    write_waiting(writer, server, waiting, config.id);
    writer.end_object();
}

// What is taken off a bot's time for its way, and what bounds that.
void write_allowance(json::Writer& writer, lobby::Bot& bot, Instant now) {
    const auto path = bot.path(now);
    const auto allowance = bot.allowance();
    if (allowance.by == clock::AllowedBy::nothing) return;
    writer.member("round_trip_us", in_us(allowance.round_trip))
        .member("jitter_us", in_us(path.most - path.least))
        .member("allowance_us", in_us(allowance.bound))
        .member("allowed_by", clock::name_of(allowance.by))
        .member("outlier", allowance.outlier());
}

template <typename Bots>
void write_outliers(json::Writer& writer, const Bots& bots, Instant now) {
    writer.key("outliers").begin_array();
    for (const auto& [name, bot] : bots) {
        bot->path(now);
        if (bot->allowance().outlier())
            writer.string("bot " + name + ": " + clock::describe(bot->allowance()));
    }
    writer.end_array();
}

void write_registrations(json::Writer& writer, server::Server& server) {
    const auto state =
        server::registrations_state(server.referee().roster(), server.config().registration);
    writer.key("registrations").begin_object().member("waiting", state.waiting);
    writer.member("names", state.names).member("total", state.total).member("full", state.full);
    if (!state.text.empty()) writer.member("text", state.text);
    writer.end_object();
}

// Left out where there are none.
void write_texts(json::Writer& writer, std::string_view name,
                 const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    writer.key(name).texts(texts);
}

// Who of the roster has never logged in to play, as far as that is known; empty: nobody.
std::string never_here(server::Server& server) {
    const auto& roster = server.config().registration.class_roster;
    if (!roster) return {};
    const auto& bots = server.referee().lobby().bots();
    std::set<std::string_view> came;
    const auto contests = server.scheduler().statuses();
    for (const auto& contest : contests) {
        if (!formats::traits_of(contest.config->format).open_field) continue;
        for (const auto& entry : *contest.entries) came.insert(entry.name);
    }
    std::vector<std::string> missing;
    for (const auto& student : roster->students()) {
        const auto& name = student.name;
        const auto bot = bots.find(name);
        const bool is_here = bot != bots.end() && bot->second->connected();
        if (!is_here && !server.log().left_at(name) &&
            server.referee().questions().tally_of(name).games == 0 && !came.contains(name))
            missing.push_back(name);
    }
    if (missing.empty()) return {};
    return fmt::format("{} of the roster {} never here: {}", missing.size(),
                       missing.size() == 1 ? "was" : "were", base::names_in(missing));
}

// Who was here and is not, the last that left first; empty: nobody. A launched bot comes when it is
// wanted.
std::string have_left(server::Server& server) {
    const auto now = server.timers().now();
    std::vector<std::pair<Duration, std::string>> gone;
    for (const auto& [name, bot] : server.referee().lobby().bots()) {
        const auto left = server.log().left_at(name);
        if (!left || bot->connected() || server.referee().roster().launch_tokens().contains(name))
            continue;
        gone.emplace_back(now - *left, name);
    }
    if (gone.empty()) return {};
    std::ranges::sort(gone);
    std::vector<std::string> texts;
    for (const auto& [since, name] : gone) {
        const auto whole = std::chrono::duration_cast<std::chrono::seconds>(since);
        texts.push_back(name + " (" + base::span_text(whole.count()) + " ago)");
    }
    return base::counted(gone.size(), "bot has", "bots have") + " left: " + base::names_in(texts);
}

std::vector<std::string> turned_away(server::Server& server) {
    std::vector<std::string> texts;
    for (const auto& [name, why] : server.referee().roster().turned_away())
        texts.push_back(base::quoted(name) + " was turned away: " + why);
    return texts;
}

// By bot and tournament.
using Ranks = std::map<std::string, std::map<std::string, std::size_t>, std::less<>>;

void note_ranks(const contests::ContestSnapshot& contest, Ranks& ranks) {
    const auto ledger = report::ledger_of(contest);
    for (const auto& row : report::rows_of(ledger))
        if (row.rank > 0) ranks[ledger.entries[row.entrant].name][ledger.config.id] = row.rank;
}

void status(const Order& order) {
    auto& server = order.server();
    auto& scheduler = server.scheduler();
    const auto& bots = server.referee().lobby().bots();
    const auto here =
        std::ranges::count_if(bots, [](const auto& bot) { return bot.second->connected(); });
    order.answer(done([&](json::Writer& writer) {
        writer.member("version", version)
            .member("state", scheduler.stopping()                     ? "stopping"
                             : scheduler.store_trouble().empty()      ? "running"
                             : server.store_check().damages_total > 0 ? "store damaged"
                                                                      : "disk full")
            .member("uptime_s", std::chrono::duration_cast<std::chrono::seconds>(
                                    server.timers().now() - order.reach.begun)
                                    .count())
            .member("listening", server.ports().endpoint());
        if (const auto address = server.ports().tls_address(); !address.empty())
            writer.member("listening_tls", address);
        if (const auto url = server.web_url(); !url.empty()) writer.member("listening_web", url);
        writer.member("store", server.store_file())
            .member("connections", server.referee().lobby().connections())
            .member("bots", here)
            .member("games_running", scheduler.games_running())
            .member("priority", server.priority().word())
            .member("priority_lost", server.priority().times_lost());
        if (server.recovery().went_on || server.store_check().damages_total > 0)
            writer.member("store_check", store::describe(server.store_check()));
        if (!server.log().disk_forecast().empty())
            writer.member("disk", server.log().disk_forecast());
        if (const auto busy = server.log().busy(); !busy.empty()) writer.member("busy", busy);
        if (auto* coordinator = server.other_machines().coordinator()) {
            const auto standing = coordinator->standing();
            writer.key("machines").begin_object();
            writer.member("jobs", standing.jobs)
                .member("begun", standing.begun)
                .member("waiting", standing.waiting);
            writer.key("because").begin_object();
            for (const auto& [why, jobs] : standing.because) writer.member(why, jobs);
            writer.end_object();
            if (!coordinator->trouble().empty()) writer.member("trouble", coordinator->trouble());
            writer.end_object();
        }
        if (const auto sandbox = server.launches().sandbox()) {
            writer.key("sandbox").begin_object();
            writer.member("tier", name_of(sandbox->tier)).member("text", sandbox->text);
            writer.end_object();
        }
        write_registrations(writer, server);
        if (const auto text = never_here(server); !text.empty()) writer.member("never_here", text);
        if (const auto text = have_left(server); !text.empty()) writer.member("have_left", text);
        write_texts(writer, "turned_away", turned_away(server));
        write_texts(writer, "given_up", server.launches().bots().given_up());
        write_texts(writer, "launch_changes", server.launches().changes());
        if (!scheduler.store_trouble().empty()) writer.member("trouble", scheduler.store_trouble());
        write_outliers(writer, bots, server.timers().now());
        const auto waiting = scheduler.waits();
        write_waiting(writer, server, waiting, {});
        write_tournaments(writer, server, waiting);
    }));
}

void tournaments(const Order& order) {
    order.answer(done([&server = order.server()](json::Writer& writer) {
        write_tournaments(writer, server, server.scheduler().waits());
    }));
}

void tell_bots(server::Server& server, const Ranks& ranks, const Answer& answer) {
    const auto contests = server.scheduler().statuses();
    const auto now = server.timers().now();
    answer(done([&](json::Writer& writer) {
        writer.key("bots").begin_array();
        for (const auto& [name, bot] : server.referee().lobby().bots()) {
            writer.begin_object().member("name", name).member("connected", bot->connected());
            if (bot->connected()) writer.member("from", bot->session()->transport().peer());
            if (!bot->version().empty()) writer.member("version", bot->version());
            write_allowance(writer, *bot, now);
            if (const auto program = server.launches().submissions().standing_of(name)) {
                writer.key("program").begin_object();
                if (program->plays) writer.member("plays", *program->plays);
                writer.member("newest", program->newest).member("text", program->text).end_object();
            }
            const auto doubts = server.log().doubts_of(name);
            writer.member("turns", doubts.turns).member("turns_by_doubt", doubts.by_doubt);
            const auto tally = server.referee().questions().tally_of(name);
            writer.member("games_played", tally.games).member("faults", tally.faults);
            if (const auto seen = std::max(tally.last, server.log().left_at(name)))
                writer.member(
                    "last_seen_s",
                    std::chrono::duration_cast<std::chrono::seconds>(now - *seen).count());
            writer.key("games")
                .texts(bot->places(), [&](const auto& place) { return place.game->game_id(); })
                .key("tournaments")
                .begin_array();
            for (const auto& contest : contests) {
                const auto entrant = contest.entrant_named(name);
                if (entrant && !contest.is_withdrawn(*entrant)) writer.string(contest.config->id);
            }
            writer.end_array().key("ranks").begin_object();
            if (const auto found = ranks.find(name); found != ranks.end())
                for (const auto& [tournament, rank] : found->second)
                    writer.member(tournament, rank);
            writer.end_object().end_object();
        }
        writer.end_array();
    }));
}

// Standings are worked out beside the loop.
void bots(const Order& order) {
    auto& server = order.server();
    const auto snapshots = std::make_shared<std::vector<contests::ContestSnapshot>>();
    for (const auto& contest : server.scheduler().statuses())
        if (contest.begun)
            snapshots->push_back(server.scheduler().contest(contest.config->id).snapshot());
    const auto ranks = std::make_shared<Ranks>();
    server.background_of_standings().run(
        [snapshots, ranks] {
            const auto all = std::exchange(*snapshots, {});
            for (const auto& contest : all) note_ranks(contest, *ranks);
        },
        order.later(
            [&server, ranks, answer = order.answer] { tell_bots(server, *ranks, answer); }));
}

void machines(const Order& order) {
    const auto config = order.contest->config;
    const auto plays = std::make_shared<contests::MachinePlays>(
        order.server().scheduler().contest(config->id).matches().machine_plays());
    const auto rows = std::make_shared<std::vector<report::MachineRow>>();
    order.server().background_of_standings().run(
        [plays, rows] { *rows = report::machines_report(*plays); },
        order.later([config, rows, answer = order.answer] {
            answer(done([&](json::Writer& writer) {
                writer.member("tournament", config->id);
                report::write_machines(writer, *rows);
                writer.key("sentences")
                    .texts(report::machine_sentences(*rows))
                    .key("remedies")
                    .begin_array();
                for (const auto& machine : report::unlike_machines(*rows)) {
                    if (machine.empty() || !formats::traits_of(config->format).fixed_list) continue;
                    writer.string("referee ctl rerun " + base::shell_word(config->id) + " --host " +
                                  base::shell_word(machine));
                }
                writer.end_array();
            }));
        }));
}

constexpr std::array<OrderRow, 4> rows_that_ask{{{"status", {}, status},
                                                 {"tournaments", {}, tournaments},
                                                 {"bots", {}, bots},
                                                 {"machines", {.tournament = true}, machines}}};

}  // namespace

std::string how_to_undo_an_abort(const std::string& id) {
    return "`referee ctl resume " + id + "` undoes that";
}

void write_tournaments(json::Writer& writer, server::Server& server,
                       const std::vector<scheduler::Wait>& waiting) {
    writer.key("tournaments").begin_array();
    for (const auto& contest : server.scheduler().statuses())
        write_tournament(writer, server, waiting, contest);
    writer.end_array();
}

// Orders that only ask: how all goes, and whether the machines that played are alike.

const OrderRows orders_that_ask = rows_that_ask;

}  // namespace referee::daemon
