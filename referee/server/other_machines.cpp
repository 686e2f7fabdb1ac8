#include "referee/server/other_machines.h"

#include <filesystem>

#include "referee/cluster/jobs/job_folder.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"

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

std::string time_max_mistake(const config::Config& config) {
    const auto lack = machines::lack_of_job_time(config);
    return lack.empty() ? lack : config.file + ": machines.time_max: " + lack;
}

}  // namespace

std::shared_ptr<const machines::JobTerms> OtherMachines::terms_with(const config::Config& config) {
    terms_.config = config;
    return std::make_shared<const machines::JobTerms>(terms_);
}

base::Result<void, Ending> OtherMachines::prepare(const config::Config& config,
                                                  const std::string& out,
                                                  tournament::Tokens& tokens) {
    machines_ = config.machines;
    if (!machines_) return {};
    const auto& wanted = *machines_;
    if (const auto lack = time_max_mistake(config); !lack.empty())
        return base::failure(Ending{exit_bad_input, lack});
    auto id = id_in(out + "/" + std::string(id_file_name), tokens);
    if (!id) return base::failure(Ending{exit_trouble, id.error()});
    terms_.store = *std::move(id);
    std::error_code ignored;
    const bool is_new = !std::filesystem::exists(wanted.folder, ignored);
    auto folder = machines::CoordinatorFolder::open(wanted.folder, {terms_.store, tokens.fresh()});
    if (!folder) return base::failure(Ending{exit_trouble, folder.error()});
    if (is_new)
        log::warn("{} was not there and is made; expected it on all machines at this path",
                  wanted.folder);
    batch_ = machines::batch_of(wanted, terms_.store, jobs::this_program());
    background_ = std::make_unique<loop::BackgroundThread>(loop_);
    coordinator_ = std::make_unique<machines::Coordinator>(
        terms_with(config), *std::move(folder), *batch_, timers_, *background_, to_log());
    return {};
}

base::Result<void, std::string> OtherMachines::check(const config::Config& config) const {
    const auto& old = machines_;
    const auto& wanted = config.machines;
    const bool same = old.has_value() == wanted.has_value() &&
                      (!old || (old->kind == wanted->kind && old->folder == wanted->folder &&
                                old->submit == wanted->submit && old->list == wanted->list &&
                                old->slurm == wanted->slurm && old->cancel == wanted->cancel));
    if (same) {
        const auto lack = wanted ? time_max_mistake(config) : std::string();
        if (!lack.empty()) return base::failure(lack);
        return {};
    }
    return base::failure(
        "\"machines\" can't change while the daemon runs, but for \"jobs_at_once\", \"cores\" and "
        "\"time_max\"; expected the old one, or stop the daemon and start it again");
}

void OtherMachines::close(std::function<void()> then) {
    if (!coordinator_) return then();
    coordinator_->close(std::move(then));
}

}  // namespace referee::server
