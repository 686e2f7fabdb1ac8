#include "referee/server/launches.h"

#include <unistd.h>

#include <algorithm>

#include "referee/files/file.h"
#include "referee/files/log/log.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/config_remarks.h"
#include "referee/launch/supply/program_launches.h"
#include "referee/net/loop/machine.h"
#include "referee/submit/build/build.h"

namespace referee::server {

Launches::Launches(boost::asio::io_context& loop, loop::Timers& timers,
                   loop::Background& background, const config::Config& config, std::string out,
                   const sandbox::SandboxWish& wish)
    : loop_(loop),
      timers_(timers),
      background_(background),
      out_(std::move(out)),
      wish_(wish),
      submissions_(out_ + "/" + versions::folder_in_output, wish_.unsandboxed,
                   submissions_context()) {
    submissions_.set_terms(config.submissions);
}

versions::SubmissionsContext Launches::submissions_context() {
    constexpr std::int64_t ms_per_s = 1000;
    return {
        .executor = loop_.get_executor(),
        .timers = timers_,
        .beside = background_,
        .wall_clock_s = [] { return loop::wall_clock_ms() / ms_per_s; },
        .launch =
            [this](config::BotConfig bot, std::vector<std::string> games) {
                return referee_->launch_for(std::move(bot), std::move(games));
            },
        .launch_no_more = [this](const std::string& bot) { referee_->launch_no_more(bot); },
        .tell = [](const std::string& news) { log::info("{}", news); },
        .tell_trouble = [](const std::string& trouble) { log::warn("{}", trouble); },
    };
}

base::Result<Launches::Change, Ending> Launches::prepare(const config::Config& config) {
    const auto failed = [](int status, const std::string& message) {
        return base::failure(Ending{status, message});
    };
    auto terms = supply::terms_of(config, wish_);
    if (!terms) return failed(exit_bad_input, terms.error());
    Change change{*std::move(terms), nullptr};
    const auto* launcher = bots_->launcher();
    const bool launches =
        config.submissions ||
        std::ranges::any_of(config.bots, [](const auto& bot) { return bot.launched(); }) ||
        (launcher == nullptr && files::is_there(out_ + "/" + versions::folder_in_output));
    if (!launches) return change;
    const auto secrets = supply::secrets_of(config, out_);
    if (const auto checked = supply::reads_no_secret(config, secrets); !checked)
        return failed(exit_bad_input, checked.error());
    if (launcher != nullptr) {
        const auto accepted = supply::accept(change.terms, launcher->sandbox(), ::geteuid() == 0);
        if (!accepted) return failed(exit_trouble, accepted.error());
        return change;
    }
    auto opened = supply::open_launcher(loop_.get_executor(), change.terms);
    if (!opened) return failed(exit_trouble, opened.error());
    change.launcher = *std::move(opened);
    return change;
}

void Launches::commit(const config::Config& config, Change change) {
    sandbox_terms_ = std::move(change.terms);
    submissions_.set_terms(config.submissions);
    if (change.launcher == nullptr) return;
    bots_->launch_by(std::move(change.launcher));
    tell_sandbox(config);
}

base::Result<void, Ending> Launches::open(tournament::Referee& referee, const std::string& endpoint,
                                          std::function<void()> on_never_started) {
    referee_ = &referee;
    bots_ = std::make_unique<supply::LaunchedBots>(
        supply::LaunchedBots::Context{loop_.get_executor(), timers_, background_, referee.lobby(),
                                      referee.roster().launch_tokens()},
        supply::LaunchedBots::Calls{
            [](const std::string& bot, const std::string& message) {
                log::warn("{}: {}", bot, message);
            },
            [](const std::string& message) { log::warn("{}", message); },
            [this, tell = std::move(on_never_started)](const std::string& bot) {
                if (tell && bots_->has_never_started(bot)) tell();
                timers_.schedule(timers_.now(), [this, bot] { tell_submissions_of_given_up(bot); });
                referee_->scheduler().pump();
            }});
    bots_->set_dial_in_address(endpoint);
    const auto& config = referee.config();
    auto change = prepare(config);
    if (!change) return base::failure(std::move(change.error()));
    commit(config, *std::move(change));
    referee.bring_bots_by(*bots_);
    if (config.submissions) {
        if (const auto builder = build::Builder::open(loop_, {}, wish_.unsandboxed); !builder)
            return base::failure(Ending{
                exit_trouble, "\"submissions\": programs can't be taken here: " + builder.error()});
    }
    if (auto opened = submissions_.open(referee.cores()); !opened)
        return base::failure(Ending{exit_trouble, opened.error()});
    return {};
}

std::optional<Launches::Sandbox> Launches::sandbox() const {
    const auto* launcher = bots_->launcher();
    if (launcher == nullptr) return std::nullopt;
    const auto& offer = launcher->sandbox();
    return Sandbox{supply::describe(sandbox_terms_, offer), offer.tier,
                   supply::worth_a_warning(sandbox_terms_, offer)};
}

void Launches::tell_sandbox(const config::Config& config) const {
    const auto told = *sandbox();
    spdlog::log(told.warned ? spdlog::level::warn : spdlog::level::info, "{}", told.text);
    if (sandbox_terms_.unsandboxed) return;
    const auto remarks = supply::remarks_on_folders(config, supply::secrets_of(config, out_),
                                                    process::program_search_path());
    for (const auto& warning : remarks.warnings) log::warn("{}", warning);
    const auto holding = supply::limits_held_by(*bots_->launcher());
    for (const auto& remark : supply::remarks_on_limits(config, holding, supply::this_machine()))
        log::warn("{}", remark);
}

void Launches::note_changes(const config::Config& config) {
    auto changes = supply::launch_changes(out_, config);
    if (!changes) return log::warn("{}", changes.error());
    for (auto& change : *changes) {
        log::warn("{}", change);
        changes_.push_back(std::move(change));
    }
}

void Launches::tell_submissions_of_given_up(const std::string& bot) {
    const auto absence = bots_->given_up_because(bot);
    if (!absence) return;
    if (bots_->fails_by_machine(bot)) return submissions_.not_launched(bot);
    const auto& cause = absence->cause;
    submissions_.given_up(bot, cause.empty() ? "its launches failed" : cause,
                          absence->evidence.stderr_tail.value_or(""));
}

void Launches::close() {
    submissions_.close();
    bots_->release_all();
}

void Launches::release() {
    submissions_.close();
    bots_.reset();
}

}  // namespace referee::server
