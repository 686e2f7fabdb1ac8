#include "referee/daemon/bot_news.h"

#include "referee/limits.h"
#include "referee/report/reports.h"

namespace referee::daemon {

namespace {

std::string text_of(const RegistrationsState& state) {
    std::string text;
    if (state.waiting > 0)
        text = std::to_string(state.waiting) +
               (state.waiting == 1 ? " name waits" : " names wait") +
               " for approval: `referee ctl registrations` shows who, `referee ctl approve --all` "
               "lets "
               "all of them play";
    if (state.full)
        text +=
            (text.empty() ? "" : "; ") + std::string("the list of registered names is full, ") +
            std::to_string(state.names) + " of " + std::to_string(state.total) +
            ", and new ones are refused: raise \"registration.total\", or refuse names that nobody "
            "needs (`referee ctl registrations --all` shows all)";
    return text;
}

}  // namespace

RegistrationsState state_of(const tournament::ConfigRoster& roster,
                            const config::RegistrationConfig& terms) {
    RegistrationsState state;
    const auto& registered = roster.registered();
    for (const auto& [name, known] : registered.all())
        state.waiting += terms.approval && known.standing == tournament::Standing::waiting ? 1 : 0;
    state.names = registered.counted();
    state.total = terms.total;
    state.full =
        !terms.password.empty() &&
        (state.names >= state.total || registered.all().size() >= limits::registered_names_max);
    state.text = text_of(state);
    return state;
}

RegistrationNews::RegistrationNews(loop::Timers& timers, std::function<void()> tell)
    : timers_(timers), tell_(std::move(tell)) {}

RegistrationNews::~RegistrationNews() {
    timers_.cancel(waiting_);
}

void RegistrationNews::changed() {
    if (waiting_ != 0) return;
    if (!told_at_ || timers_.now() - *told_at_ >= every) return tell_now();
    waiting_ = timers_.schedule(*told_at_ + every, [this] {
        waiting_ = 0;
        tell_now();
    });
}

void RegistrationNews::tell_now() {
    told_at_ = timers_.now();
    tell_();
}

std::optional<std::string> VersionNews::played(const std::string& tournament,
                                               const std::string& bot, const std::string& program) {
    if (program.empty()) return std::nullopt;
    auto& seen = seen_[{tournament, bot}];
    ++seen.matches;
    seen.changes += !seen.program.empty() && seen.program != program ? 1 : 0;
    seen.program = program;
    const report::ProgramChange change{.matches = seen.matches, .changes = seen.changes};
    if (seen.told || !change.is_restless()) return std::nullopt;
    seen.told = true;
    return "the program of " + bot + " changed " + std::to_string(seen.changes) + " times in its " +
           "last " + std::to_string(seen.matches) + " matches of " + tournament +
           ", or it says so by its \"version\": no figure of it is of one program; a ladder "
           "ranks " +
           "it as if its version had not changed, until one has settled";
}

}  // namespace referee::daemon
