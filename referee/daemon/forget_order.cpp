#include "protocol/base/shell_word.h"
#include "protocol/codec.h"
#include "referee/daemon/answers.h"
#include "referee/daemon/orders.h"

// The order that forgets a bot.

namespace referee::daemon {
namespace {

std::string refusal(const ForgetRefusal& refused) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("ok", false).member("error", refused.message);
    writer.member("code", name_of(refused.trouble)).end_object();
    return line + '\n';
}

std::string dry_answer(const ForgetPlan& plan) {
    return done([&](json::Writer& writer) {
        writer.member("pseudonym", plan.pseudonym)
            .member("message", "nothing was changed; " + plan.task.name + " would become " +
                                   plan.pseudonym + ": " + describe(plan));
        for (const auto& [name, files] :
             {std::pair("rewrites", &plan.files.rewritten),
              std::pair("removes", &plan.files.removed), std::pair("left", &plan.left)}) {
            writer.key(std::string_view(name)).begin_array();
            for (const auto& file : *files) writer.string(file);
            writer.end_array();
        }
    });
}

}  // namespace

void Orders::forget(json::View request, const Answer& answer) {
    const std::string name(request.find("bot").string().value_or(""));
    const bool dry = request.find("dry_run").boolean().value_or(false);
    if (!protocol::is_valid_name(name))
        return answer(control::refusal("expected a bot's name, such as alice"));
    if (forgets_) return answer(control::refusal("another bot is just being forgotten; try again"));
    if (host_.scheduler().stopping())
        return answer(
            control::refusal("the daemon is stopping; when it has ended, `referee forget " + name +
                             " --out " + host_.options().out + "` does it"));
    const auto& bots = host_.referee().lobby().bots();
    const auto found = bots.find(name);
    const bool plays = found != bots.end() && !found->second->places().empty();
    if (plays && !dry) {
        const auto game = found->second->places().front().game->game_id();
        return answer(refusal(
            {ForgetTrouble::plays, name + " plays just now, in game " + game +
                                       "; `referee ctl withdraw " + base::shell_word(name) +
                                       " --tournament " + game.substr(0, game.find('/')) +
                                       "` ends its part there. Try again when the game is over"}));
    }
    forgets_ = true;
    using Planned = base::Result<ForgetPlan, ForgetRefusal>;
    const auto planned = std::make_shared<std::optional<Planned>>();
    host_.background().run(
        [planned, task = ForgetTask{host_.options().out, name, host_.config().file}] {
            *planned = plan_forgetting(task);
        },
        life_.while_it_lasts([this, planned, dry, answer = answer] {
            auto plan = **planned;
            forgets_ = plan && !dry;
            if (!plan) return answer(refusal(plan.error()));
            if (dry) return answer(dry_answer(*plan));
            forget_(*std::move(plan), answer);
        }));
}

std::string forgotten_answer(const ForgetPlan& plan,
                             const base::Result<store::Rewritten, ForgetRefusal>& forgotten) {
    if (!forgotten) return refusal(forgotten.error());
    return done([&](json::Writer& writer) {
        writer.member("pseudonym", plan.pseudonym).member("message", told_of(plan, *forgotten));
        writer.key("left").begin_array();
        for (const auto& left : plan.left) writer.string(left);
        writer.end_array();
    });
}

}  // namespace referee::daemon
