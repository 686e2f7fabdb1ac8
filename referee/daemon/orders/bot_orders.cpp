#include <algorithm>
#include <array>
#include <memory>

#include "protocol/base/text.h"
#include "referee/daemon/orders/order.h"

// The orders about names that bots have registered, and the one that forgets a bot.

namespace referee::daemon {

namespace {

using tournament::Standing;

bool is_registration(Standing standing) {
    return standing != Standing::given;
}

// In which the bot sits just now; empty: in none.
std::string game_that_runs(server::Server& server, const std::string& bot) {
    const auto& bots = server.referee().lobby().bots();
    const auto found = bots.find(bot);
    if (found == bots.end() || found->second->places().empty()) return {};
    return found->second->places().front().game->game_id();
}

void registrations(const Order& order) {
    const bool all = order.has("all");
    const auto& roster = order.server().referee().roster();
    const auto& terms = order.server().config().registration;
    order.answer(done([&](json::Writer& writer) {
        std::uint64_t waiting = 0;
        writer.key("registrations").begin_array();
        for (const auto& [name, known] : roster.registered().all()) {
            const bool waits = known.standing == Standing::waiting;
            waiting += waits ? 1 : 0;
            if (!is_registration(known.standing) || (!waits && !all)) continue;
            writer.begin_object().member("name", name);
            writer.member("standing", tournament::name_of(known.standing));
            writer.member("from", known.from).member("reason", known.reason);
            const auto* student = terms.class_roster ? terms.class_roster->named(name) : nullptr;
            writer.member("student_id", student != nullptr ? student->student_id : "");
            writer.member("email", student != nullptr ? student->email : "").end_object();
        }
        writer.end_array().member("waiting", waiting).member("approval", terms.approval);
    }));
}

// The names that are meant: those of its list, or all that wait. Answers the order where it means
// none, or one that nobody has registered.
std::vector<std::string> registered_names_of(const Order& order, Standing standing) {
    const auto& roster = order.server().referee().roster();
    const auto& registered = roster.registered();
    std::vector<std::string> names;
    if (order.has("all")) {
        for (const auto& [name, known] : registered.all()) {
            if (known.standing == Standing::waiting) names.push_back(name);
        }
        if (names.empty()) order.refuse("nobody waits for approval");
        return names;
    }
    for (const auto& bot : order.request.find("bots").texts()) {
        const auto* known = registered.find(bot);
        // A name that the instructor made may be refused too.
        const bool made = known != nullptr && !is_registration(known->standing);
        if (known == nullptr && roster.knows(bot)) {
            order.refuse(base::quoted(bot) +
                         " is in the config or its roster, which let it in: nobody approves or "
                         "refuses it; `referee ctl withdraw " +
                         base::shell_word(bot) + "` takes it out of a tournament");
            return {};
        }
        if (known == nullptr || (made && standing != Standing::refused)) {
            order.refuse("nobody has registered the name \"" + bot +
                         "\"; `referee ctl registrations --all` lists all names");
            return {};
        }
        // Twice the same name is the same order.
        if (std::ranges::find(names, bot) == names.end()) names.push_back(bot);
    }
    if (names.empty()) order.refuse("expected names, such as alice bob, or --all for all who wait");
    return names;
}

void judge(const Order& order, Standing standing) {
    const auto names = registered_names_of(order, standing);
    if (names.empty()) return;
    auto& referee = order.server().referee();
    const bool refused = standing == Standing::refused;
    const auto told = order.told((refused ? "refused: " : "approved: ") + base::joined(names));
    if (order.previews()) return told({});
    const auto reason = refused ? order.text("reason") : std::string();
    std::vector<records::TokenRecord> records;
    for (const auto& name : names)
        records.push_back(*referee.roster().registered().judged(name, standing, reason));
    referee.give_tokens(std::move(records), [&referee, names, refused, reason, told] {
        for (const auto& name : names) {
            if (refused) referee.lobby().disconnect(name, tournament::told_of_refusal(reason));
        }
        told({});
    });
}

void token(const Order& order) {
    auto& server = order.server();
    const auto bot = order.text("bot");
    const auto& roster = server.referee().roster();
    if (roster.launch_tokens().contains(bot))
        return order.refuse(bot +
                            " is launched by the referee, which gives it its token by itself");
    const auto word = base::shell_word(bot);
    const bool is_new = !roster.knows(bot);
    if (is_new) {
        if (const auto like = roster.like(bot); !like.empty())
            return order.refuse(base::quoted(bot) + " looks like " + base::quoted(like) +
                                ", which is known here: " + names::difference(bot, like) +
                                "; expected names that nobody takes for one another");
        const auto near = roster.near(bot);
        if (!order.has("new"))
            return order.refuse(
                "nobody is called " + base::quoted(bot) + " here" + base::did_you_mean(near) +
                (near.empty() ? ";" : "") +
                " `--new` gives a token to a name that is new: referee ctl token new " + word +
                " --new");
    }
    if (roster.is_kept_out(bot))
        return order.refuse(
            bot + " waits for approval, or was refused; `referee ctl approve " + word +
            "` lets it in with the token that it has, and then it may get a new one");
    const auto game = game_that_runs(server, bot);
    const auto plays = game.empty() ? std::string()
                                    : bot + " plays just now, in game " + game +
                                          ": its connection ends, as if it had left; with the new "
                                          "token it may come back to the game";
    if (order.previews())
        return order.told(
            bot + " gets a new token, which is told once" +
            (is_new ? "" : "; the old one is void, and who plays with it is shown out") +
            (plays.empty() ? "" : "; ") + plays)({});
    server.referee().give_new_token(bot, "this name has a new token; ask the instructor for it",
                                    [bot, plays, answer = order.answer](const std::string& token) {
                                        answer(done([&](json::Writer& writer) {
                                            writer.member("bot", bot).member("token", token);
                                            if (!plays.empty()) writer.member("message", plays);
                                        }));
                                    });
}

std::string refusal(const forget::ForgetRefusal& refused) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("ok", false).member("error", refused.message);
    writer.member("code", name_of(refused.trouble)).end_object();
    return line + '\n';
}

std::string dry_answer(const forget::ForgetPlan& plan) {
    return done([&](json::Writer& writer) {
        writer.member("placeholder", plan.placeholder)
            .member("message", "nothing was changed; " + plan.task.name + " would become " +
                                   plan.placeholder + ": " + describe(plan));
        for (const auto& [name, files] :
             {std::pair("rewrites", &plan.files.rewritten),
              std::pair("removes", &plan.files.removed), std::pair("left", &plan.left)}) {
            writer.key(std::string_view(name)).texts(*files);
        }
    });
}

void forget(const Order& order) {
    auto& server = order.server();
    const auto name = order.text("bot");
    const bool dry = order.previews();
    if (order.reach.forgets) return order.refuse("another bot is just being forgotten; try again");
    if (server.scheduler().stopping())
        return order.refuse("the daemon is stopping; when it has ended, `referee store forget " +
                            name + " --out " + server.options().out + "` does it");
    if (const auto game = game_that_runs(server, name); !game.empty() && !dry)
        return order.answer(
            refusal({forget::ForgetTrouble::plays,
                     name + " plays just now, in game " + game + "; `referee ctl withdraw " +
                         game.substr(0, game.find('/')) + " " + base::shell_word(name) +
                         "` ends its part there. Try again when the game is over"}));
    order.reach.forgets = true;
    using Planned = base::Result<forget::ForgetPlan, forget::ForgetRefusal>;
    const auto planned = std::make_shared<std::optional<Planned>>();
    server.background_of_standings().run(
        [planned, task = forget::ForgetTask{server.options().out, name, server.config().file}] {
            *planned = forget::plan_forgetting(task);
        },
        order.reach.life.while_it_lasts(
            [&reach = order.reach, planned, dry, answer = order.answer] {
                auto plan = **planned;
                reach.forgets = plan && !dry;
                if (!plan) return answer(refusal(plan.error()));
                if (dry) return answer(dry_answer(*plan));
                reach.forget(*std::move(plan), answer);
            }));
}

constexpr std::array<OrderRow, 5> rows_about_names{
    {{"token", {.bot = true}, token},
     {"registrations", {}, registrations},
     {"approve", {}, [](const Order& order) { judge(order, Standing::approved); }},
     {"refuse", {}, [](const Order& order) { judge(order, Standing::refused); }},
     {"forget", {.bot = true}, forget}}};

}  // namespace

const OrderRows orders_about_bots = rows_about_names;

std::string forgotten_answer(
    const forget::ForgetPlan& plan,
    const base::Result<store::Rewritten, forget::ForgetRefusal>& forgotten) {
    if (!forgotten) return refusal(forgotten.error());
    return done([&](json::Writer& writer) {
        writer.member("placeholder", plan.placeholder).member("message", told_of(plan, *forgotten));
        writer.key("left").texts(plan.left);
    });
}

}  // namespace referee::daemon
