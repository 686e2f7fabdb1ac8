#include "referee/cli/handed_in_source.h"

#include <chrono>
#include <sstream>

#include "referee/roster/kinds/kind.h"
#include "referee/submit/collect/collect.h"

namespace referee::cli {

std::string wrong_build(const rubric::RubricBuild& build) {
    if (build.kind.empty() || kinds::find_kind(build.kind) != nullptr) return {};
    return "build.kind: found \"" + build.kind +
           "\"; expected one of these: " + kinds::list_of_kinds();
}

base::Result<grading::GradedSubmission, Ending> build_handed_in(const std::string& source,
                                                                const std::string& name,
                                                                const rubric::RubricBuild& build,
                                                                const std::string& folder,
                                                                bool unsandboxed) {
    if (auto wrong = wrong_build(build); !wrong.empty())
        return base::failure(Ending{exit_bad_input, std::move(wrong)});
    collect::CollectOptions terms;
    terms.out = folder;
    terms.handout = {build.command, build.within, build.run};
    if (build.time) terms.limits.time = std::chrono::ceil<std::chrono::seconds>(*build.time);
    terms.limits.memory_mb = build.memory_mb.value_or(terms.limits.memory_mb);
    terms.kind = build.kind.empty() ? nullptr : kinds::find_kind(build.kind);
    terms.unsandboxed = unsandboxed;
    std::ostringstream told;
    std::ostringstream wrong;
    const auto status = collect::build_single(terms, source, name, told, wrong);
    if (status != exit_done && status != exit_no) return base::failure(Ending{status, wrong.str()});
    auto found = grading::submissions_in(folder + "/submissions");
    if (!found) return base::failure(Ending{exit_trouble, found.error().front()});
    return std::move(found->front());
}

}  // namespace referee::cli
