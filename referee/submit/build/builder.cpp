#include "referee/submit/build/builder.h"

#include <boost/asio/executor_work_guard.hpp>

#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/sandbox_terms.h"

namespace referee::build {
namespace {

// Below it a program in the sandbox writes nowhere.
constexpr auto tier_that_writes = sandbox::Tier::b;
constexpr const char* folders_inside = "/usr/local/bin:/usr/bin:/bin";

}  // namespace

base::Result<std::unique_ptr<Builder>, std::string> Builder::open(boost::asio::io_context& loop,
                                                                  const BuildLimits& limits,
                                                                  bool unsandboxed) {
    const supply::SandboxTerms terms{!unsandboxed, {}, {}};
    auto opened = supply::open_launcher(loop.get_executor(), terms);
    if (!opened) return base::failure(opened.error());
    std::unique_ptr<Builder> builder(new Builder(loop, limits));
    builder->launcher_ = *std::move(opened);
    const auto& offer = builder->launcher_->sandbox();
    builder->sandboxed_ = !unsandboxed;
    builder->sandbox_ = supply::describe(terms, offer);
    if (builder->sandboxed_ && offer.tier < tier_that_writes) {
        return base::failure(
            "expected a sandbox of tier A or B to build in, found this: " + builder->sandbox_ +
            ". Where you trust every submission as yourself, --unsandboxed builds without one");
    }
    return builder;
}

std::string Builder::program_file(const std::string& program) const {
    return process::program_file(
        program, {}, sandboxed_ ? std::string(folders_inside) : process::program_search_path());
}

void Builder::run(const std::vector<BuildOrder>& orders, std::size_t at_once,
                  const std::function<bool(std::size_t, const BuildOutcome&)>& call) {
    std::vector<std::unique_ptr<Build>> builds(orders.size());
    std::size_t next = 0;
    std::size_t running = 0;
    bool goes_on = true;
    std::function<void()> begin_one = [&] {
        if (!goes_on || next == orders.size()) return;
        const auto place = next++;
        ++running;
        auto& build = builds[place];
        build = std::make_unique<Build>(loop_.get_executor(), *launcher_, limits_, sandboxed_);
        build->begin(orders[place], [&, place](const BuildOutcome& outcome) {
            goes_on = call(place, outcome) && goes_on;
            builds[place].reset();
            --running;
            begin_one();
        });
    };
    for (std::size_t i = 0; i < at_once; ++i) begin_one();
    const auto work = boost::asio::make_work_guard(loop_);
    while (running > 0) loop_.run_one();
}

}  // namespace referee::build
