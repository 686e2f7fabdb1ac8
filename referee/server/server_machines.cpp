#include <filesystem>

#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/coordinator.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/files/file.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"
#include "referee/version.h"

// Matches that other machines play.

namespace referee::server {
namespace {

// In the output folder, so that whoever goes on with its store goes on with its jobs too.
constexpr std::string_view id_file_name = "machines.id";
constexpr std::size_t id_bytes_max = 100;

base::Result<std::string, std::string> id_in(const std::string& file, tournament::Tokens& tokens) {
    if (const auto text = files::read_named_file(file, id_bytes_max); text && !text->empty())
        return text->substr(0, text->find('\n'));
    auto id = tokens.fresh();
    if (const auto written = files::replace_file(file, id + "\n"); !written)
        return base::failure(file + " " + written.error());
    return id;
}

machines::Telling to_log() {
    return {[](const std::string& news) { log::info("{}", news); },
            [](const std::string& trouble) { log::warn("{}", trouble); },
            [](const std::string& trouble) { log::error("{}", trouble); }};
}

std::string lack_of_job_time(const config::Config& config) {
    const auto lack = machines::lack_of_job_time(config);
    return lack.empty() ? lack : config.file + ": machines.time_max: " + lack;
}

}  // namespace

std::shared_ptr<const machines::JobTerms> Server::job_terms(const config::Config& config) const {
    machines::JobTerms terms;
    terms.store = store_id_;
    terms.version = version;
    terms.unsandboxed = options_.unsandboxed;
    terms.tier_min = options_.tier_min;
    terms.config = config;
    return std::make_shared<const machines::JobTerms>(std::move(terms));
}

base::Result<void, Ending> Server::prepare_machines() {
    if (!config_.machines) return {};
    const auto& wanted = *config_.machines;
    if (const auto lack = lack_of_job_time(config_); !lack.empty())
        return base::failure(Ending{exit_bad_input, lack});
    auto id = id_in(options_.out + "/" + std::string(id_file_name), tokens_);
    if (!id) return base::failure(Ending{exit_trouble, id.error()});
    store_id_ = *std::move(id);
    std::error_code ignored;
    const bool is_new = !std::filesystem::exists(wanted.folder, ignored);
    auto folder = machines::CoordinatorFolder::open(wanted.folder, {store_id_, tokens_.fresh()});
    if (!folder) return base::failure(Ending{exit_trouble, folder.error()});
    if (is_new)
        log::warn("{} was not there and is made; expected it on all machines at this path",
                  wanted.folder);
    batch_ = machines::batch_of(wanted, store_id_);
    background_of_machines_ = std::make_unique<loop::BackgroundThread>(loop_.get_executor());
    coordinator_ =
        std::make_unique<machines::Coordinator>(job_terms(config_), *std::move(folder), *batch_,
                                                timers_, *background_of_machines_, to_log());
    return {};
}

base::Result<void, std::string> Server::check_machines(const config::Config& config) const {
    const auto& old = config_.machines;
    const auto& wanted = config.machines;
    const bool same = old.has_value() == wanted.has_value() &&
                      (!old || (old->kind == wanted->kind && old->folder == wanted->folder &&
                                old->submit == wanted->submit && old->list == wanted->list &&
                                old->slurm == wanted->slurm && old->cancel == wanted->cancel));
    if (same) {
        const auto lack = wanted ? lack_of_job_time(config) : std::string();
        if (!lack.empty()) return base::failure(lack);
        return {};
    }
    return base::failure(
        "\"machines\" can't change while the daemon runs, but for \"jobs_at_once\", \"cores\" and "
        "\"time_max\"; expected the old one, or stop the daemon and start it again");
}

void Server::close_machines(std::function<void()> then) {
    if (!coordinator_) return then();
    coordinator_->close(std::move(then));
}

}  // namespace referee::server
