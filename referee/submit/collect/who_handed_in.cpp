#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/submit/build/recipe.h"
#include "referee/submit/collect/steps.h"

namespace referee::collect {
namespace {

using exports::Shape;

// The line in which a group names its members.
constexpr std::size_t first_line_bytes_max = 1000;
constexpr std::string_view group_file = "main.c";

// One submission of one export, with its newest files in a folder of its own.
struct Draft {
    Collected collected;
    std::string group_name;  // what the group calls its archive
    // Where groups name themselves.
    matching::Claim claim{};
    std::string how_by_export{};
    std::string doubt_of_export{};
};

// Whoever knows no time comes before all who do.
std::int64_t newest_s(const Collected& collected) {
    return collected.versions.back().at_s.value_or(std::numeric_limits<std::int64_t>::min());
}

// Of these: main.c, or else the only file of a language. Empty where there is none.
std::string group_file_of(const std::vector<build::SourceFile>& all) {
    std::vector<std::string> sources;
    for (const auto& file : all) {
        if (std::filesystem::path(file.path).filename() == group_file) return file.path;
        if (build::is_source(file.path)) sources.push_back(file.path);
    }
    return sources.size() == 1 ? sources.front() : std::string();
}

void read_line(const matching::ClassList& people, matching::Claim& claim, const std::string& folder,
               const std::vector<build::SourceFile>& all) {
    const auto file = group_file_of(all);
    if (file.empty()) {
        claim.doubts.push_back("there is no " + std::string(group_file) +
                               ", and no other source file that is the only one");
        return;
    }
    const auto text = files::first_bytes(folder + "/" + file, first_line_bytes_max);
    auto read = matching::first_line_in(people, text.substr(0, text.find('\n')));
    claim.by_line = std::move(read.people);
    claim.doubts.insert(claim.doubts.end(), read.doubts.begin(), read.doubts.end());
    if (claim.by_line.empty() && read.doubts.empty())
        claim.doubts.push_back("the first line of " + base::visible_line(file) + " has no id");
}

class WhoHandedIn {
 public:
    WhoHandedIn(const CollectOptions& options, const matching::ClassList& people,
                const WhoseByKey& whose, std::string scratch)
        : options_(options), people_(people), whose_(whose), scratch_(std::move(scratch)) {}

    base::Result<void, std::string> add(const UnpackedExport& from) {
        std::vector<std::string> paths;
        for (const auto& file : from.files) paths.push_back(file.path);
        const auto shape = options_.shape.value_or(exports::shape_in(paths));
        collection_.shape = shape;
        auto read = exports::read_export(shape, from.files, from.metadata);
        append(collection_.left_over, read.left_over);
        append(collection_.remarks, read.remarks);
        append(collection_.remarks, from.remarks);
        if (shape == Shape::classroom) assignment_ = assignment_of(read.submissions);
        for (const auto& submission : read.submissions) {
            if (auto taken = take(from, submission); !taken) return taken;
        }
        return {};
    }

    Collection finish() {
        settle_groups();
        give_names();
        for (auto& draft : drafts_) {
            compare_with_deadlines(draft.collected);
            collection_.submissions.push_back(std::move(draft.collected));
        }
        std::ranges::sort(collection_.submissions, {}, &Collected::name);
        for (std::size_t person = 0; person < people_.people().size(); ++person) {
            if (!draft_of_.contains(person)) collection_.missing.push_back(person);
        }
        tell_of_missing_names();
        return std::move(collection_);
    }

 private:
    bool roster_has_names() const {
        return std::ranges::any_of(people_.people(),
                                   [](const auto& person) { return !person.full_name.empty(); });
    }

    // Whether the roster could tell who that is, if it is somebody of the class.
    bool can_be_compared(const exports::Submission& submission) const {
        return roster_has_names() ||
               std::ranges::any_of(submission.submitters, [](const auto& one) {
                   return !one.id.empty() || !one.email.empty();
               });
    }

    // What stands before most students' logins. Somebody's login may end in another's.
    std::string assignment_of(std::span<const exports::Submission> all) const {
        std::map<std::string, std::size_t> count;
        for (const auto& one : all) {
            const auto found = matching::find_students(people_, one);
            if (!found.people.empty()) ++count[found.before];
        }
        // Of equally many the shorter one, which comes first.
        const auto most = std::ranges::max_element(
            count, [](const auto& one, const auto& other) { return one.second < other.second; });
        return most == count.end() ? std::string() : most->first;
    }

    void tell_of_missing_names() {
        if (roster_has_names()) return;
        if (names_not_compared_ > 0)
            collection_.remarks.push_back(
                fmt::format("the export names students by their full names, and the roster has no "
                            "column full_name: of {} submissions the first line is believed as it "
                            "stands; with the column a line that names another would be noticed",
                            names_not_compared_));
        if (collection_.unknown.empty()) return;
        collection_.remarks.emplace_back(
            "the roster has no column full_name, by which services name students: with one, such "
            "as name,student_id,email,full_name, more would be found");
    }

    static void append(std::vector<std::string>& texts, const std::vector<std::string>& more) {
        texts.insert(texts.end(), more.begin(), more.end());
    }

    base::Result<void, std::string> take(const UnpackedExport& from,
                                         const exports::Submission& submission) {
        Draft draft;
        auto& collected = draft.collected;
        const auto& newest = submission.versions.back();
        collected.key = submission.key;
        collected.versions = submission.versions;
        collected.folder = fmt::format("{}/{}/files", scratch_, next_folder_++);
        auto taken = take_files(from, newest.files, collected.folder);
        if (!taken) return base::failure(taken.error());
        collected.refused = std::move(taken->refused);
        collected.remarks = std::move(taken->remarks);
        for (const auto& file : newest.files) {
            if (exports::is_archive_name(file.path))
                draft.group_name = std::filesystem::path(file.path).stem().string();
        }
        if (options_.groups == GroupsBy::first_line)
            return take_claim(std::move(draft), submission);
        auto found = students_of(submission);
        if (assignment_ && !found.people.empty() && found.before != *assignment_)
            found.doubt = "most folders' names have \"" + *assignment_ +
                          "\" before the student, this one \"" + base::visible_line(found.before) +
                          "\": is it " + matching::list_of(people_, found.people) + "'s?";
        if (found.people.empty() || !found.doubt.empty()) {
            collection_.unknown.push_back({shown_key(submission), found.doubt});
            return {};
        }
        collected.people = std::move(found.people);
        collected.how = std::move(found.how);
        join(std::move(draft));
        return {};
    }

    // Whom the export names, and whom the group; versions of one submitter are joined here.
    base::Result<void, std::string> take_claim(Draft draft, const exports::Submission& submission) {
        auto& claim = draft.claim;
        claim.key = submission.key;
        auto found = matching::find_students(people_, submission);
        if (found.doubt.empty()) {
            claim.by_export = std::move(found.people);
            draft.how_by_export = std::move(found.how);
        } else {
            draft.doubt_of_export = found.doubt;
            // A folder may have the group's own name.
            if (!submission.key_names_student && can_be_compared(submission))
                claim.doubts.push_back(found.doubt);
            if (!submission.key_names_student && !can_be_compared(submission))
                ++names_not_compared_;
        }
        if (draft.collected.refused.empty()) {
            const auto& folder = draft.collected.folder;
            const auto all = build::files_below(folder);
            if (!all) return base::failure(all.error());
            read_line(people_, claim, folder, *all);
        }
        for (auto& other : claimed_) {
            const bool same = claim.by_export.empty() ? other.claim.key == claim.key
                                                      : other.claim.by_export == claim.by_export;
            if (!same) continue;
            add_version(other, std::move(draft));
            return {};
        }
        claimed_.push_back(std::move(draft));
        return {};
    }

    void settle_groups() {
        std::set<std::string> known;
        std::vector<matching::Claim> claims;
        for (auto& draft : claimed_) {
            const auto line = base::visible_line(draft.claim.key);
            if (const auto* said = base::find_in(whose_, line)) draft.claim.by_instructor = *said;
            known.insert(line);
            claims.push_back(draft.claim);
        }
        for (const auto& [key, people] : whose_) {
            if (!known.contains(key))
                collection_.remarks.push_back(std::string(groups_file_name) + " names " + key +
                                              ", and there is no such submission");
        }
        const auto settled = matching::settle_claims(people_, claims);
        for (std::size_t i = 0; i < settled.size(); ++i)
            take_settled(std::move(claimed_[i]), settled[i]);
    }

    void take_settled(Draft draft, const matching::Settled& settled) {
        using By = matching::Settled::By;
        auto& collected = draft.collected;
        if (!settled.instead.empty()) {
            collection_.remarks.push_back(collected.key + " is left out: by " + groups_file_name +
                                          " " + settled.instead +
                                          " is what its students handed in");
            return;
        }
        if (settled.people.empty()) {
            auto doubt = draft.doubt_of_export;
            for (const auto& odd : settled.odd)
                if (odd != draft.doubt_of_export) doubt += (doubt.empty() ? "" : "; ") + odd;
            collection_.unknown.push_back({collected.key, doubt});
            return;
        }
        if (!settled.odd.empty())
            collection_.to_look_at.push_back({collected.key, settled.people, settled.odd});
        collected.people = settled.people;
        collected.how = settled.by == By::line         ? "by the ids in the first line"
                        : settled.by == By::instructor ? std::string("by ") + groups_file_name
                                                       : draft.how_by_export;
        join(std::move(draft));
    }

    static std::string shown_key(const exports::Submission& submission) {
        const auto& submitters = submission.submitters;
        const auto name = submitters.empty() ? std::string() : submitters.front().name;
        return base::visible_line(name.empty() ? submission.key : name);
    }

    matching::Found students_of(const exports::Submission& submission) const {
        auto found = matching::find_students(people_, submission);
        if (options_.groups != GroupsBy::team) return found;
        std::set<std::size_t> all(found.people.begin(), found.people.end());
        for (const auto person : found.people) {
            const auto team = people_.of_team(people_.people()[person].team);
            all.insert(team.begin(), team.end());
        }
        found.people.assign(all.begin(), all.end());
        return found;
    }

    // The same students' submissions are versions of one; a student of two groups is a mistake.
    void join(Draft draft) {
        auto& collected = draft.collected;
        std::set<std::size_t> others;
        for (const auto person : collected.people) {
            if (const auto* place = base::find_in(draft_of_, person)) others.insert(*place);
        }
        if (others.empty()) {
            for (const auto person : collected.people) draft_of_[person] = drafts_.size();
            drafts_.push_back(std::move(draft));
            return;
        }
        auto& other = drafts_[*others.begin()];
        if (others.size() > 1 || other.collected.people != collected.people) {
            collection_.unknown.push_back(
                {collected.key, "somebody of " + matching::list_of(people_, collected.people) +
                                    " handed in " + other.collected.key +
                                    " too, with others: expected each student in one group"});
            return;
        }
        add_version(other, std::move(draft));
    }

    // The newest one counts.
    static void add_version(Draft& other, Draft draft) {
        auto& collected = draft.collected;
        const bool is_newer = newest_s(collected) >= newest_s(other.collected);
        auto& older = is_newer ? other.collected : collected;
        auto& newer = is_newer ? collected : other.collected;
        auto all = std::move(older.versions);
        all.insert(all.end(), newer.versions.begin(), newer.versions.end());
        for (std::size_t i = 0; i < all.size(); ++i) all[i].number = static_cast<unsigned>(i + 1);
        newer.versions = std::move(all);
        if (is_newer) other = std::move(draft);
    }

    void give_names() {
        std::set<std::string> taken;
        for (const auto& person : people_.people()) taken.insert(person.bot);
        for (auto& draft : drafts_) {
            auto& collected = draft.collected;
            const auto& first = people_.people()[collected.people.front()];
            collected.name = first.bot;
            if (options_.groups == GroupsBy::none || collected.people.size() == 1) continue;
            const auto& name = options_.groups == GroupsBy::team ? first.team : draft.group_name;
            const bool is_name = !name.empty() && name.size() <= protocol::limits::name_bytes_max &&
                                 base::is_one_printable_line(name);
            if (is_name && taken.insert(name).second) collected.name = name;
        }
    }

    void compare_with_deadlines(Collected& collected) const {
        const auto& newest = collected.versions.back();
        collected.late = newest.late;
        bool late_for_all = !options_.deadlines.empty() && newest.at_s.has_value();
        for (const auto& deadline : options_.deadlines) {
            LateSubmission late{deadline.name, deadline.at_s, 0, {}};
            if (newest.at_s)
                late.late_s = exports::late_by(*newest.at_s, deadline, options_.grace_s);
            for (const auto& version : collected.versions) {
                const bool in_time = version.at_s && exports::late_by(*version.at_s, deadline,
                                                                      options_.grace_s) == 0;
                if (in_time) late.version_in_time = version.number;
            }
            late_for_all = late_for_all && late.late_s > 0;
            collected.deadlines.push_back(std::move(late));
        }
        collected.late = collected.late || late_for_all;
        if (!newest.at_s && !options_.deadlines.empty()) {
            collected.remarks.emplace_back(
                "no time is known of it: " +
                std::string(newest.late ? "it is late because the service says so"
                                        : "it is not marked late"));
        }
    }

    const CollectOptions& options_;
    const matching::ClassList& people_;
    const WhoseByKey& whose_;
    std::string scratch_;
    Collection collection_;
    std::optional<std::string> assignment_;  // of GitHub Classroom, before each login
    std::vector<Draft> claimed_;             // by groups that name themselves
    std::vector<Draft> drafts_;
    std::map<std::size_t, std::size_t> draft_of_;  // by person
    std::size_t next_folder_ = 0;
    std::size_t names_not_compared_ = 0;
};

}  // namespace

base::Result<Collection, std::string> who_handed_in(const CollectOptions& options,
                                                    const matching::ClassList& people,
                                                    const WhoseByKey& whose,
                                                    std::span<const UnpackedExport> exports,
                                                    const std::string& scratch) {
    WhoHandedIn found(options, people, whose, scratch);
    for (const auto& one : exports) {
        if (auto added = found.add(one); !added) return base::failure(added.error());
    }
    return found.finish();
}

}  // namespace referee::collect
