#include "referee/grading/rubric/outcome_members.h"

#include <algorithm>
#include <array>

#include "protocol/base/near.h"
#include "protocol/base/overloaded.h"
#include "protocol/json/document.h"
#include "referee/grading/rubric/sections.h"

namespace referee::rubric {
namespace {

using MemberKind = engines::DetailMember::Is;

constexpr std::string_view score_member = "score";
constexpr std::string_view attainable_member = "attainable";
// Either says that a game for one player is won.
constexpr std::array<std::string_view, 2> says_won{"win", "finished"};

// Whether the game can tell what no play scores more than, seen by its default params.
bool tells_attainable(const engines::Game& game) {
    const auto params = game.params_for(game.info().seats_default);
    json::Document document;
    return params && document.parse(*params) && game.attainable(document.root()).has_value();
}

std::vector<std::string> members_of(const engines::Game& game, MemberKind kind) {
    std::vector<std::string> members;
    for (const auto& member : game.info().detail) {
        if (member.is == kind) members.emplace_back(member.name);
    }
    if (kind == MemberKind::truth) return members;
    for (const auto more : {score_member, attainable_member}) {
        const bool is_known = more == score_member || tells_attainable(game);
        if (is_known && std::find(members.begin(), members.end(), more) == members.end())
            members.emplace_back(more);
    }
    return members;
}

std::string why_not_member(const engines::Game& game, const std::string& member, MemberKind kind) {
    if (member.empty()) return {};  // told already
    const auto known = members_of(game, kind);
    if (std::find(known.begin(), known.end(), member) != known.end()) return {};
    const std::string what = kind == MemberKind::truth ? "truth" : "number";
    const auto title = std::string(game.info().title);
    if (known.empty())
        return "no outcome of " + title + " has a " + what +
               " that a rule can ask for, such as \"" + member +
               "\"; expected another kind of rule";
    const auto near = base::nearest(member, known);
    return "no outcome of " + title + " has a " + what + " \"" + member + "\"; " +
           (near.empty() ? "expected one of: "
                         : "did you mean \"" + near + "\"? Expected one of: ") +
           in_quotes(known);
}

std::string why_no_wins(const engines::GameInfo& game) {
    const auto says = [](const engines::DetailMember& member) {
        return std::find(says_won.begin(), says_won.end(), member.name) != says_won.end();
    };
    if (game.seats_max > 1 || std::any_of(game.detail.begin(), game.detail.end(), says)) return {};
    return "no game of " + std::string(game.title) +
           " is ever won: it has one player, and its outcome says neither \"win\" nor "
           "\"finished\"; "
           "expected a rule about scores, such as \"average_score\"";
}

}  // namespace

std::string why_not_in(const engines::Game& game, const Rule& rule) {
    return std::visit(
        base::Overloaded{
            [&](const Always& always) {
                return why_not_member(game, always.member, MemberKind::truth);
            },
            [&](const ShareOf& share) {
                auto why = why_not_member(game, share.attainable, MemberKind::number);
                return why.empty() ? why_not_member(game, share.reached, MemberKind::number) : why;
            },
            [&](const Wins&) { return why_no_wins(game.info()); },
            [&](const EachWin&) { return why_no_wins(game.info()); },
            [](const auto&) { return std::string(); },
        },
        rule);
}

}  // namespace referee::rubric
