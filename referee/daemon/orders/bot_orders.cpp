#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "referee/daemon/orders/control_orders.h"

// The orders about names that bots have registered, and the one that forgets a bot.

namespace referee::daemon {

namespace {

using tournament::Standing;

bool is_registration(Standing standing) {
    return standing != Standing::given;
}

}  // namespace

void ControlOrders::registrations(json::View request, const Answer& answer) {
    const bool all = has_flag(request, "all");
    const auto& roster = host_.referee().roster();
    const auto& students = host_.config().registration.class_roster;
    answer(done([&](json::Writer& writer) {
        std::uint64_t waiting = 0;
        writer.key("registrations").begin_array();
        for (const auto& [name, known] : roster.registered().all()) {
            const bool waits = known.standing == Standing::waiting;
            waiting += waits ? 1 : 0;
            if (!is_registration(known.standing) || (!waits && !all)) continue;
            writer.begin_object().member("name", name);
            writer.member("standing", tournament::name_of(known.standing));
            writer.member("from", known.from);
            const auto* student = students ? students->named(name) : nullptr;
            writer.member("student_id", student != nullptr ? student->student_id : "");
            writer.member("email", student != nullptr ? student->email : "").end_object();
        }
        writer.end_array().member("waiting", waiting);
        writer.member("approval", host_.config().registration.approval);
    }));
}

void ControlOrders::approve(json::View request, const Answer& answer) {
    judge(request, Standing::approved, answer);
}

void ControlOrders::refuse(json::View request, const Answer& answer) {
    judge(request, Standing::refused, answer);
}

// The names that a request means: its list, or all that wait. Answers the request where it means
// none, or one that nobody has registered.
std::vector<std::string> ControlOrders::registered_names_of(json::View request, Standing standing,
                                                            const Answer& answer) {
    const auto& registered = host_.referee().roster().registered();
    std::vector<std::string> names;
    if (has_flag(request, "all")) {
        for (const auto& [name, known] : registered.all()) {
            if (known.standing == Standing::waiting) names.push_back(name);
        }
        if (names.empty()) answer(control::refusal("nobody waits for approval"));
        return names;
    }
    for (const auto& bot : texts_of(request, "bots")) {
        const auto* known = registered.find(bot);
        // A name that the instructor made may be refused too.
        const bool made = known != nullptr && !is_registration(known->standing);
        if (known == nullptr || (made && standing != Standing::refused)) {
            answer(control::refusal("nobody has registered the name \"" + bot +
                                    "\"; `referee ctl registrations --all` lists all names"));
            return {};
        }
        // Twice the same name is the same order.
        if (std::find(names.begin(), names.end(), bot) == names.end()) names.push_back(bot);
    }
    if (names.empty())
        answer(control::refusal("expected names, such as alice bob, or --all for all who wait"));
    return names;
}

void ControlOrders::judge(json::View request, Standing standing, const Answer& answer) {
    auto names = registered_names_of(request, standing, answer);
    if (names.empty()) return;
    std::vector<records::TokenRecord> records;
    for (const auto& name : names)
        records.push_back(*host_.referee().roster().registered().judged(name, standing));
    const auto on_judged = [this, names = std::move(names), standing, answer = answer] {
        const bool refused = standing == Standing::refused;
        for (const auto& name : names) {
            if (refused)
                host_.referee().lobby().show_out(name,
                                                 "the instructor has refused this name; ask the "
                                                 "instructor");
        }
        answer(done([&](json::Writer& writer) {
            writer.member("message", (refused ? "refused: " : "approved: ") + base::joined(names));
        }));
    };
    host_.referee().give_tokens(std::move(records), on_judged);
}

namespace {

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

}  // namespace

void ControlOrders::forget(json::View request, const Answer& answer) {
    const auto name = text_of(request, "bot");
    const bool dry = has_flag(request, "dry_run");
    if (!protocol::is_valid_name(name))
        return answer(control::refusal("expected a bot's name, such as alice"));
    if (forgets_) return answer(control::refusal("another bot is just being forgotten; try again"));
    if (host_.scheduler().stopping())
        return answer(
            control::refusal("the daemon is stopping; when it has ended, `referee store forget " +
                             name + " --out " + host_.options().out + "` does it"));
    const auto& bots = host_.referee().lobby().bots();
    const auto found = bots.find(name);
    const bool plays = found != bots.end() && !found->second->places().empty();
    if (plays && !dry) {
        const auto game = found->second->places().front().game->game_id();
        return answer(
            refusal({forget::ForgetTrouble::plays,
                     name + " plays just now, in game " + game + "; `referee ctl withdraw " +
                         game.substr(0, game.find('/')) + " " + base::shell_word(name) +
                         "` ends its part there. Try again when the game is over"}));
    }
    forgets_ = true;
    using Planned = base::Result<forget::ForgetPlan, forget::ForgetRefusal>;
    const auto planned = std::make_shared<std::optional<Planned>>();
    host_.background().run(
        [planned, task = forget::ForgetTask{host_.options().out, name, host_.config().file}] {
            *planned = forget::plan_forgetting(task);
        },
        life_.while_it_lasts([this, planned, dry, answer = answer] {
            auto plan = **planned;
            forgets_ = plan && !dry;
            if (!plan) return answer(refusal(plan.error()));
            if (dry) return answer(dry_answer(*plan));
            forget_(*std::move(plan), answer);
        }));
}

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
