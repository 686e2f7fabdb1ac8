// The rules that look at runs: which inputs were answered rightly.

#include <algorithm>

#include "referee/grading/verdict/finding.h"
#include "referee/grading/verdict/words.h"
#include "referee/limits.h"

namespace referee::verdict {
namespace {

// What all rules of runs have to say: how many are right, and which are wrong and why.
Finding seen_in(const Judged& judged) {
    Finding finding;
    finding.of = static_cast<double>(judged.runs.size());
    for (const auto& [id, run] : judged.runs) {
        if (run->right) {
            finding.got += 1;
            continue;
        }
        finding.wrong_runs.push_back(id);
        if (finding.advice.size() < limits::advice_max)
            finding.advice.push_back("input " + id + ": " + run->reason);
    }
    finding.reason =
        "right for " + number(finding.got) + " of " + count(judged.runs.size(), "input");
    return finding;
}

}  // namespace

Finding find(const rubric::Right& rule, const Judged& judged) {
    auto finding = seen_in(judged);
    const auto all = static_cast<double>(judged.runs.size());
    const auto asked = rule.at_least == 0 ? all : static_cast<double>(rule.at_least);
    finding.reason += rule.at_least == 0
                          ? "; all were asked"
                          : "; " + number(asked) + (asked == 1 ? " was asked" : " were asked");
    finding.got = finding.got >= asked ? 1 : 0;
    finding.of = 1;
    return finding;
}

Finding find(const rubric::EachRight& /*rule*/, const Judged& judged) {
    auto finding = seen_in(judged);
    finding.reason += "; each gives its share";
    return finding;
}

}  // namespace referee::verdict
