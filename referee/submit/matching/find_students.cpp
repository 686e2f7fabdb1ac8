#include "referee/submit/matching/find_students.h"

#include <algorithm>
#include <array>
#include <set>

#include "protocol/json/printable.h"

namespace referee::matching {
namespace {

using exports::Submission;
using exports::Submitter;

void add(std::vector<std::size_t>& people, const std::vector<std::size_t>& more) {
    std::set<std::size_t> all(people.begin(), people.end());
    all.insert(more.begin(), more.end());
    people.assign(all.begin(), all.end());
}

std::string how_by(Feature feature) {
    return "by " + std::string(name_of(feature));
}

std::string shown(const Submitter& submitter) {
    for (const auto& text : {submitter.name, submitter.email, submitter.id}) {
        if (!text.empty()) return protocol::json::visible_line(text);
    }
    return "somebody without a name";
}

std::string several(const ClassList& people, const std::vector<std::size_t>& found,
                    const std::string& who) {
    std::string text = who + " may be ";
    for (std::size_t i = 0; i < found.size(); ++i)
        text += (i == 0 ? "" : " or ") + text_of(people.people()[found[i]]);
    return text + ": a column of the roster with ids, e-mail addresses or logins would tell";
}

std::string nobody(const ClassList& people, const std::string& who, const std::string& name) {
    const auto near = people.near(name);
    return "nobody of the roster is " + who + (near.empty() ? "" : ": is it " + near + "?");
}

// One person by one of their features; several are a doubt.
struct Try {
    Feature feature;
    std::string text;
};

Found first_of(const ClassList& people, const std::vector<Try>& tries, const std::string& who,
               const std::string& name) {
    for (const auto& attempt : tries) {
        if (attempt.text.empty()) continue;
        const auto found = people.with(attempt.feature, attempt.text);
        if (found.size() == 1) return {found, how_by(attempt.feature), {}};
        if (found.size() > 1) return {{}, {}, several(people, found, who)};
    }
    return {{}, {}, nobody(people, who, name)};
}

// Where groups hand in, Moodle puts the group before the name: "Red-Ann Lee".
std::string behind_group(const std::string& name) {
    const auto dash = name.find('-');
    return dash == std::string::npos ? std::string() : name.substr(dash + 1);
}

Found find_submitter(const ClassList& people, const Submitter& submitter) {
    return first_of(people,
                    {{Feature::id, submitter.id},
                     {Feature::email, submitter.email},
                     {Feature::name, submitter.name},
                     {Feature::name, behind_group(submitter.name)}},
                    shown(submitter), submitter.name);
}

// "snake-1-ann-lee": the longest ending that names somebody, so that a login may have dashes.
Found find_by_key(const ClassList& people, const std::string& key) {
    const auto who = protocol::json::visible_line(key);
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const auto ending = key.substr(begin);
        if (const auto team = people.of_team(ending); !team.empty()) return {team, "by team", {}};
        for (const auto feature : {Feature::id, Feature::email, Feature::login, Feature::name}) {
            const auto found = people.with(feature, ending);
            if (found.size() == 1) return {found, how_by(feature), {}};
            if (found.size() > 1) return {{}, {}, several(people, found, who)};
        }
        const auto dash = key.find('-', begin);
        begin = dash == std::string::npos ? dash : dash + 1;
    }
    return {{}, {}, nobody(people, who, key.substr(key.rfind('-') + 1))};
}

}  // namespace

Found find_students(const ClassList& people, const Submission& submission) {
    if (submission.key_names_student && submission.submitters.empty())
        return find_by_key(people, submission.key);
    Found all;
    for (const auto& submitter : submission.submitters) {
        const auto found = find_submitter(people, submitter);
        add(all.people, found.people);
        if (!found.how.empty()) all.how = found.how;
        if (!found.doubt.empty()) all.doubt += (all.doubt.empty() ? "" : "; ") + found.doubt;
    }
    if (submission.submitters.empty())
        all.doubt = "the export doesn't say who handed in " + submission.key;
    return all;
}

}  // namespace referee::matching
