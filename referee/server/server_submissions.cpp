#include "referee/files/file.h"
#include "referee/launch/supply/launch_hints.h"
#include "referee/net/loop/machine.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"
#include "referee/submit/build/build.h"

// How bots' owners hand in programs, on a real machine.

namespace referee::server {

bool Server::takes_programs() const {
    return config_.submissions || files::is_there(options_.out + "/" + versions::folder_in_output);
}

void Server::make_submissions() {
    constexpr std::int64_t ms_per_s = 1000;
    versions::SubmissionsContext context{
        .executor = loop_.get_executor(),
        .timers = timers_,
        .beside = background_of_programs_,
        .wall_clock_s = [] { return loop::wall_clock_ms() / ms_per_s; },
        .host =
            [this](config::BotConfig bot, std::vector<std::string> games) {
                return referee_->host(std::move(bot), std::move(games));
            },
        .unhost = [this](const std::string& bot) { referee_->unhost(bot); },
        .tell = [](const std::string& news) { log::info("{}", news); },
        .tell_trouble = [](const std::string& trouble) { log::warn("{}", trouble); },
    };
    submissions_ = std::make_unique<versions::Submissions>(
        options_.out + "/" + versions::folder_in_output, options_.unsandboxed, std::move(context));
    submissions_->set_terms(config_.submissions);
}

void Server::tell_submissions_of_given_up(const std::string& bot) {
    const auto absence = supply_->given_up_because(bot);
    if (!absence) return;
    const auto& cause = absence->cause;
    submissions_->given_up(
        bot, cause.empty() ? "its launches failed" : supply::for_who_handed_it_in(cause),
        absence->evidence.stderr_tail.value_or(""));
}

base::Result<void, Ending> Server::open_submissions() {
    if (config_.submissions) {
        if (const auto builder = build::Builder::open(loop_, {}, options_.unsandboxed); !builder)
            return base::failure(Ending{
                exit_trouble, "\"submissions\": programs can't be taken here: " + builder.error()});
    }
    if (auto opened = submissions_->open(referee_->cores()); !opened)
        return base::failure(Ending{exit_trouble, opened.error()});
    return {};
}

}  // namespace referee::server
