#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "protocol/json/document.h"
#include "referee/office/audit/audit.h"

namespace referee::audit {
namespace {

namespace json = protocol::json;

bool same_value(json::View one, json::View other);

bool same_members(json::View one, json::View other) {
    std::size_t members = 0;
    for (const auto member : one.members()) {
        const auto its = other.find(member.name);
        if (!its || !same_value(member.value, its)) return false;
        ++members;
    }
    std::size_t others = 0;
    for ([[maybe_unused]] const auto member : other.members()) ++others;
    return members == others;
}

bool same_value(json::View one, json::View other) {
    if (one.kind() != other.kind()) return false;
    if (one.kind() == json::Kind::object) return same_members(one, other);
    if (one.kind() == json::Kind::array) {
        if (one.size() != other.size()) return false;
        auto its = other.elements().begin();
        for (const auto element : one.elements()) {
            if (!same_value(element, *its)) return false;
            ++its;
        }
        return true;
    }
    std::array<std::string, 2> texts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        json::Writer writer(texts[i]);
        (i == 0 ? one : other).write(writer);
    }
    return texts[0] == texts[1];
}

// Of two moves as text; empty: none came.
bool alike(const std::string& one, const std::string& other) {
    if (one == other) return true;
    json::Document first;
    json::Document second;
    return first.parse(one) && second.parse(other) && same_value(first.root(), second.root());
}

std::string answer_of(const Run& run, std::size_t turn) {
    return run.turns[turn].now.value_or("");
}

Verdict verdict_on(const std::vector<Run>& runs, const Findings& findings) {
    if (!findings.between_runs.empty()) return Verdict::by_chance;
    const bool whole = std::all_of(runs.begin(), runs.end(),
                                   [](const Run& run) { return run.end == RunEnd::whole; });
    if (!whole) return Verdict::broken_off;
    return findings.all.empty() ? Verdict::as_recorded : Verdict::otherwise;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::as_recorded:
            return "as_recorded";
        case Verdict::otherwise:
            return "otherwise";
        case Verdict::by_chance:
            return "by_chance";
        case Verdict::broken_off:
            break;
    }
    return "broken_off";
}

Findings compare(const std::vector<Run>& runs) {
    REFEREE_ASSERT(!runs.empty());
    Findings findings;
    findings.compared = runs.front().turns.size();
    for (const auto& run : runs) findings.compared = std::min(findings.compared, run.turns.size());
    findings.from_record.resize(runs.size());
    for (std::size_t turn = 0; turn < findings.compared; ++turn) {
        bool differs = false;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (alike(answer_of(runs[run], turn), runs[run].turns[turn].recorded)) continue;
            findings.from_record[run].push_back(turn);
            differs = true;
        }
        const auto first = answer_of(runs.front(), turn);
        if (std::any_of(runs.begin(), runs.end(),
                        [&](const Run& run) { return !alike(answer_of(run, turn), first); })) {
            findings.between_runs.push_back(turn);
            differs = true;
        }
        if (differs) findings.all.push_back(turn);
    }
    findings.verdict = verdict_on(runs, findings);
    return findings;
}

}  // namespace referee::audit
