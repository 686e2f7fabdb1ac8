#include "referee/submit/matching/class_list.h"

#include <gtest/gtest.h>

#include "protocol/base/text.h"

namespace referee::matching {
namespace {

constexpr std::size_t ann_lee = 0;
constexpr std::size_t bob_ray = 1;
constexpr std::size_t cay_day = 2;
constexpr std::size_t dan_low = 3;
using Places = std::vector<std::size_t>;

ClassList four_students() {
    const auto roster = roster::read_roster(
        "name,student_id,full_name\n"
        "ann,2740011,Ann Lee\n"
        "bob,2740012,\n"
        "cay,2751113,\n"
        "dan,2740014,\n");
    EXPECT_TRUE(roster);
    return ClassList(*roster);
}

TEST(FirstLine, NamesStudentsByTheirIds) {
    const auto people = four_students();
    struct Case {
        std::string line;
        Places named;
        std::string doubts;
    };
    const std::vector<Case> cases = {
        {"// 2740011 2751113, 99 iap_1, 2026", {ann_lee, cay_day}, ""},
        {"/*2740012*/", {bob_ray}, ""},
        {"#include <stdio.h>", {}, ""},
        {"// 2740011 2751131",
         {ann_lee},
         "nobody of the roster has the id 2751131: is it 2751113 of cay?"},
        {"// 2740031",
         {},
         "nobody of the roster has the id 2740031: is it 2740011 of ann (Ann Lee)?"},
        {"// 2740011 2740021",
         {ann_lee},
         "nobody of the roster has the id 2740021: is it 2740012 of bob?"},
        {"// 2740011 9999999", {ann_lee}, "nobody of the roster has the id 9999999"},
    };
    for (const auto& [line, named, doubts] : cases) {
        const auto read = first_line_in(people, line);
        EXPECT_EQ(read.people, named) << line;
        EXPECT_EQ(base::joined(read.doubts, "; "), doubts) << line;
    }
}

// Submissions a, b ... of a class, and what becomes of them.
TEST(GroupClaims, AFirstLineIsBelievedWhereNothingSaysOtherwise) {
    const auto people = four_students();
    struct One {
        Places by_export;
        Places by_line;
        Places by_instructor;
        Places whose;
        std::string odd;  // and in whose place it is left out
        std::vector<std::string> doubts{};
    };
    const std::string ann_names_bob = "the export names ann (Ann Lee), and its first line bob";
    const std::vector<std::pair<std::string, std::vector<One>>> cases = {
        {"a group", {{{ann_lee}, {ann_lee, bob_ray}, {}, {ann_lee, bob_ray}, ""}}},
        {"both of a group handed in",
         {{{ann_lee}, {ann_lee, bob_ray}, {}, {ann_lee, bob_ray}, ""},
          {{bob_ray}, {ann_lee, bob_ray}, {}, {ann_lee, bob_ray}, ""}}},
        {"a folder with a group's own name",
         {{{}, {ann_lee, bob_ray}, {}, {ann_lee, bob_ray}, ""}}},
        {"no line", {{{ann_lee}, {}, {}, {ann_lee}, "no main.c", {"no main.c"}}}},
        {"another's id",
         {{{ann_lee}, {bob_ray}, {}, {ann_lee}, ann_names_bob},
          {{bob_ray}, {bob_ray}, {}, {bob_ray}, "a names bob too"}}},
        {"another's id, who handed in nothing",
         {{{ann_lee}, {bob_ray}, {}, {ann_lee}, ann_names_bob}}},
        {"a member of another group",
         {{{dan_low}, {bob_ray}, {}, {dan_low}, "the export names dan, and its first line bob"},
          {{ann_lee}, {ann_lee, bob_ray}, {}, {ann_lee, bob_ray}, "a names bob too"}}},
        {"another's id beside one's own",
         {{{ann_lee}, {ann_lee, bob_ray}, {}, {ann_lee}, "b names bob too"},
          {{bob_ray}, {bob_ray}, {}, {bob_ray}, "a names bob too"}}},
        {"into a group",
         {{{ann_lee}, {ann_lee, bob_ray}, {}, {ann_lee}, "c names ann (Ann Lee), bob too"},
          {{bob_ray}, {ann_lee, bob_ray}, {}, {bob_ray}, "c names ann (Ann Lee), bob too"},
          {{cay_day},
           {ann_lee, bob_ray, cay_day},
           {},
           {cay_day},
           "a names ann (Ann Lee), bob too; b names ann (Ann Lee), bob too"}}},
        {"nobody of the roster, with another's id",
         {{{}, {bob_ray}, {}, {}, "b names bob too"},
          {{bob_ray}, {bob_ray}, {}, {bob_ray}, "a names bob too"}}},
        {"the instructor says that it is one's own",
         {{{ann_lee}, {bob_ray}, {ann_lee}, {ann_lee}, ""},
          {{bob_ray}, {bob_ray}, {}, {bob_ray}, ""}}},
        {"the instructor says that the other's is the other's",
         {{{ann_lee}, {bob_ray}, {}, {ann_lee}, ""},
          {{bob_ray}, {bob_ray}, {bob_ray}, {bob_ray}, ""}}},
        {"the instructor believes the line",
         {{{ann_lee}, {bob_ray}, {bob_ray}, {bob_ray}, ""},
          {{bob_ray}, {bob_ray}, {}, {}, "instead: a"}}},
        {"the instructor believes the group's line",
         {{{ann_lee}, {ann_lee, bob_ray}, {ann_lee, bob_ray}, {ann_lee, bob_ray}, ""},
          {{bob_ray}, {bob_ray}, {}, {}, "instead: a"}}},
        {"the instructor says whose nobody's is", {{{}, {}, {dan_low}, {dan_low}, ""}}},
    };
    for (const auto& [about, all] : cases) {
        std::vector<Claim> claims;
        for (const auto& one : all) {
            const auto letter = static_cast<char>('a' + claims.size());
            claims.push_back({std::string(1, letter), one.by_export, one.by_line, one.by_instructor,
                              one.doubts});
        }
        const auto settled = settle_claims(people, claims);
        ASSERT_EQ(settled.size(), all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto& its = settled[i];
            EXPECT_EQ(its.people, all[i].whose) << about << ": " << claims[i].key;
            const auto odd =
                its.instead.empty() ? base::joined(its.odd, "; ") : "instead: " + its.instead;
            EXPECT_EQ(odd, all[i].odd) << about << ": " << claims[i].key;
        }
    }
}

}  // namespace
}  // namespace referee::matching
