#include "referee/daemon/orders/control_orders.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/json/writer.h"
#include "referee/config/config.h"
#include "referee/contest/formats/swiss.h"
#include "referee/daemon/orders/tournament_status.h"
#include "referee/tournament/scheduler/names_in.h"
#include "referee/version.h"

namespace referee::daemon {

namespace {

using contests::ContestStatus;
using records::TournamentState;

bool only_asks(json::View request) {
    return has_flag(request, "dry_run");
}

// What is answered when an order was checked, and carried out unless it only asks.
scheduler::TournamentOrders::OnOrdered told(json::View request,
                                            control::ControlCommands::Answer answer,
                                            std::string message) {
    return [asked = only_asks(request), answer = std::move(answer),
            message = std::move(message)](const base::Result<void, std::string>& ordered) {
        if (!ordered) return answer(control::refusal(ordered.error()));
        answer(done([&](json::Writer& writer) {
            if (asked) writer.member("dry_run", true);
            writer.member("message", message);
        }));
    };
}

// Who takes part is no question before that.
std::string not_begun(const ContestStatus& contest) {
    return contest.config->id + " has not begun; its field is taken when it does";
}

}  // namespace

std::string text_of(json::View request, std::string_view member, std::string_view otherwise) {
    return std::string(request.find(member).string().value_or(otherwise));
}

std::vector<std::string> texts_of(json::View request, std::string_view member) {
    std::vector<std::string> texts;
    for (const auto text : request.find(member).elements())
        texts.emplace_back(text.string().value_or(""));
    return texts;
}

bool has_flag(json::View request, std::string_view member) {
    return request.find(member).boolean().value_or(false);
}

ControlOrders::ControlOrders(Host& host, Reload reload, Forget forget)
    : host_(host),
      reload_(std::move(reload)),
      forget_(std::move(forget)),
      begun_(host.timers().now()),
      orders_{{"status", &ControlOrders::status},
              {"bots", &ControlOrders::bots},
              {"tournaments", &ControlOrders::tournaments},
              {"start", &ControlOrders::start},
              {"pause", &ControlOrders::pause},
              {"resume", &ControlOrders::resume},
              {"abort", &ControlOrders::abort},
              {"withdraw", &ControlOrders::withdraw},
              {"admit", &ControlOrders::admit},
              {"replay-game", &ControlOrders::replay_game},
              {"rerun", &ControlOrders::rerun},
              {"machines", &ControlOrders::machines},
              {"reopen", &ControlOrders::reopen},
              {"result", &ControlOrders::result},
              {"forbid", &ControlOrders::forbid},
              {"bye", &ControlOrders::bye},
              {"pair", &ControlOrders::pair},
              {"token", &ControlOrders::token},
              {"registrations", &ControlOrders::registrations},
              {"approve", &ControlOrders::approve},
              {"refuse", &ControlOrders::refuse},
              {"forget", &ControlOrders::forget},
              {"drain", &ControlOrders::drain},
              {"reload", &ControlOrders::reload}} {}

void ControlOrders::carry_out(json::View request, Answer answer) {
    if (!closed_.empty()) return answer(control::refusal(closed_));
    const auto name = request.find("command").string().value_or("");
    const auto found = orders_.find(name);
    if (found != orders_.end()) return (this->*found->second)(request, answer);
    std::string known;
    for (const auto& [each, order] : orders_) known += " " + std::string(each);
    answer(
        control::refusal("\"" + std::string(name) + "\" is no command; expected one of:" + known));
}

std::string ControlOrders::no_tournament(std::string_view id, json::View request) const {
    const auto bot = text_of(request, "bot");
    const std::string given(id);
    const auto& referee = host_.referee();
    const auto told = "there is no tournament " + base::quoted(given);
    if (host_.scheduler().status_of(bot) &&
        (referee.roster().knows(given) || referee.lobby().bots().contains(given)))
        return told + ", but a bot of that name: the tournament comes first, as in `referee ctl " +
               text_of(request, "command") + " " + base::shell_word(bot) + " " +
               base::shell_word(given) + "`";
    std::vector<std::string> known;
    for (const auto& contest : host_.scheduler().statuses()) known.push_back(contest.config->id);
    return told + base::did_you_mean(base::nearest(given, known));
}

std::optional<ContestStatus> ControlOrders::contest_of(json::View request, const Answer& answer) {
    const auto& scheduler = host_.scheduler();
    if (const auto id = request.find("tournament").string()) {
        auto contest = scheduler.status_of(*id);
        if (!contest) answer(control::refusal(no_tournament(*id, request)));
        return contest;
    }
    auto all = scheduler.statuses();
    if (all.size() == 1) return std::move(all.front());
    std::string ids;
    for (const auto& contest : all) ids += " " + contest.config->id;
    answer(
        control::refusal("there are several tournaments; expected the id of one of these:" + ids));
    return std::nullopt;
}

void ControlOrders::start(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto& config = *contest->config;
    const bool now = has_flag(request, "now");
    if (contest->begun) {
        if (now) return start_now(config, request, answer);
        return answer(control::refusal(
            config.id + (records::ended(contest->state) ? " is over" : " has begun already")));
    }
    auto field = host_.referee().field_of(config);
    if (!field) return answer(control::refusal(config.id + " can't begin: " + field.error()));
    const auto bots = field->entries.size();
    auto message = config.id + " begins with " + std::to_string(bots) + " bots" + field->remark +
                   (only_asks(request) ? field->remedy : "");
    if (const auto advice = formats::swiss_advice(config.format, config.match, bots);
        !advice.empty())
        message += "; " + advice;
    auto on_begun = told(request, answer, message);
    if (now && !only_asks(request)) {
        on_begun = [this, id = config.id, tell = std::move(on_begun)](const auto& ordered) {
            tell(ordered);
            // Where all bots are there, nothing is waited for.
            if (ordered) host_.scheduler().orders().start_now(id, [](const auto& /*none*/) {});
        };
    }
    host_.scheduler().orders().begin({config.id, std::move(field->entries), config.text, version,
                                      "started" + field->remark, only_asks(request)},
                                     std::move(on_begun));
}

// For a tournament that has begun and waits for bots to connect.
void ControlOrders::start_now(const config::TournamentConfig& config, json::View request,
                              const Answer& answer) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(config.no_show_after).count();
    const auto message = config.id + " goes on without who is missing: a game waits " +
                         std::to_string(seconds) + " s for its own bots";
    host_.scheduler().orders().start_now(config.id, told(request, answer, message),
                                         only_asks(request));
}

void ControlOrders::pause(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto message =
        contest->config->id + " is paused: no game begins, those that run are played on";
    host_.scheduler().orders().pause(contest->config->id, text_of(request, "reason", usual_reason),
                                     told(request, answer, message), only_asks(request));
}

void ControlOrders::resume(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto message =
        contest->config->id + (contest->begun ? " goes on" : " waits for the order start again");
    host_.scheduler().orders().resume(contest->config->id, text_of(request, "reason", usual_reason),
                                      told(request, answer, message), only_asks(request));
}

void ControlOrders::abort(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    const auto& id = contest->config->id;
    host_.scheduler().orders().abort(
        id, text_of(request, "reason", usual_reason),
        told(request, answer, id + " is aborted; " + how_to_undo_an_abort(id)), only_asks(request));
}

void ControlOrders::withdraw(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    if (!contest->begun) return answer(control::refusal(not_begun(*contest)));
    const auto bot = text_of(request, "bot");
    const auto& id = contest->config->id;
    const auto what = host_.scheduler().contest(id).has_fixed_list()
                          ? "; its games that have not begun are forfeited"
                          : "";
    const auto message = bot + " is withdrawn from " + id + what;
    host_.scheduler().orders().withdraw(id, bot, text_of(request, "reason", usual_reason),
                                        told(request, answer, message), only_asks(request));
}

void ControlOrders::admit(json::View request, const Answer& answer) {
    const auto contest = contest_of(request, answer);
    if (!contest) return;
    if (!contest->begun) return answer(control::refusal(not_begun(*contest)));
    const auto bot = text_of(request, "bot");
    const bool met = host_.referee().lobby().bots().contains(bot);
    if (!host_.referee().roster().knows(bot) && !met) {
        const auto near = host_.referee().roster().near(bot);
        return answer(control::refusal("no bot \"" + bot + "\" is known here" +
                                       base::did_you_mean(near) + (near.empty() ? ";" : "") +
                                       " `referee ctl token new " + base::shell_word(bot) +
                                       " --new` makes a new name known"));
    }
    if (host_.referee().roster().is_kept_out(bot))
        return answer(
            control::refusal(bot + " waits for approval, or was refused; `referee ctl approve " +
                             base::shell_word(bot) + "` lets it in"));
    const bool launched = host_.referee().roster().launch_tokens().contains(bot);
    if (contest->config->clock.measure == clock::Measure::cpu && !launched) {
        return answer(control::refusal(contest->config->id +
                                       " is judged by processor time, which can't be measured of " +
                                       bot + ": it dials in"));
    }
    auto message = scheduler::takes_part(bot, *contest->config);
    if (const auto rounds = contest->rounds_planned; rounds && contest->round > 0)
        message += "; it has " + std::to_string(*rounds) + " rounds, as before";
    host_.scheduler().orders().admit(contest->config->id, host_.referee().entry_of(bot),
                                     told(request, answer, message), only_asks(request));
}

void ControlOrders::replay_game(json::View request, const Answer& answer) {
    const auto id = text_of(request, "game");
    const auto key = game_key(id);
    if (!key)
        return answer(
            control::refusal("\"" + id + "\" is no game's id; expected one such as friday/12.1"));
    if (!host_.scheduler().status_of(key->tournament))
        return answer(control::refusal(no_tournament(key->tournament, request)));
    const auto message = "game " + id + " is annulled and will be played again" +
                         host_.scheduler().after_change(key->tournament, key->match, true);
    // What it is told with says "by order" already.
    host_.scheduler().orders().annul(*key, text_of(request, "reason", "no reason was given"),
                                     told(request, answer, message), only_asks(request));
}

void ControlOrders::token(json::View request, const Answer& answer) {
    const auto bot = text_of(request, "bot");
    if (!protocol::is_valid_name(bot))
        return answer(
            control::refusal("expected a bot's name, one line of printable text such as alice"));
    const auto& launched = host_.referee().roster().launch_tokens();
    if (launched.contains(bot))
        return answer(control::refusal(
            bot + " is launched by the referee, which gives it its token by itself"));
    if (const auto like = host_.referee().roster().like(bot);
        !like.empty() && !host_.referee().roster().knows(bot))
        return answer(control::refusal('"' + bot + "\" looks like \"" + like +
                                       "\", which is known here: " + names::difference(bot, like) +
                                       "; expected names that nobody takes for one another"));
    const auto& roster = host_.referee().roster();
    if (!roster.knows(bot) && !has_flag(request, "new")) {
        const auto near = roster.near(bot);
        return answer(control::refusal(
            "nobody is called \"" + bot + "\" here" + base::did_you_mean(near) +
            (near.empty() ? ";" : "") +
            " `--new` gives a token to a name that is new: referee ctl token new " +
            base::shell_word(bot) + " --new"));
    }
    if (roster.is_kept_out(bot))
        return answer(control::refusal(
            bot + " waits for approval, or was refused; `referee ctl approve " +
            base::shell_word(bot) +
            "` lets it in with the token that it has, and then it may get a new one"));
    if (only_asks(request))
        return told(request, answer,
                    bot +
                        " gets a new token, which is told once; the old one is void, and who "
                        "plays with it is shown out")({});
    const auto token = host_.tokens().fresh();
    const records::TokenRecord record{
        bot, host_.tokens().hash_of(token),
        std::string(tournament::name_of(tournament::Standing::given))};
    host_.referee().give_tokens({record}, [this, bot, token, answer = answer] {
        host_.referee().lobby().show_out(bot,
                                         "this name has a new token; ask the instructor for it");
        answer(
            done([&](json::Writer& writer) { writer.member("bot", bot).member("token", token); }));
    });
}

void ControlOrders::drain(json::View request, const Answer& answer) {
    const auto running = host_.scheduler().games_running();
    const bool is_elsewhere = host_.scheduler().matches_elsewhere() > 0;
    answer(done([&](json::Writer& writer) {
        writer.member("message",
                      "no game begins any more; the daemon ends " +
                          (running > 0 ? "after those that run: " + std::to_string(running) +
                                             (is_elsewhere ? ", and those that other machines "
                                                             "have begun"
                                                           : "")
                           : is_elsewhere ? std::string("after those that other machines have "
                                                        "begun")
                                          : std::string("now: none is running")));
    }));
    const auto reason = request.find("reason").string();
    host_.scheduler().drain("drained by order" + (reason ? ": " + std::string(*reason) : ""));
}

void ControlOrders::reload(json::View /*request*/, const Answer& answer) {
    if (const auto reloaded = reload_(); !reloaded)
        return answer(control::refusal("the old config stays: " + reloaded.error()));
    answer(
        done([](json::Writer& writer) { writer.member("message", "the config is read again"); }));
}

}  // namespace referee::daemon
