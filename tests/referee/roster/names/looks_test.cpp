#include "referee/roster/names/looks.h"

#include <gtest/gtest.h>

namespace referee::names {
namespace {

bool look_alike(const std::string& one, const std::string& other) {
    KnownLooks known;
    known.add(one);
    return known.like(other) == one;
}

TEST(Looks, LettersThatPeopleTakeForOneAnother) {
    struct Case {
        const char* one;
        const char* other;
        const char* says;  // a part of the difference
    };
    for (const auto& [one, other, says] : {
             Case{"pa\u0443pal", "paypal", "U+0443 CYRILLIC SMALL LETTER U"},
             Case{"\u0430nn\u0430", "anna",
                  "\"\u0430nn\u0430\" has U+0430 CYRILLIC SMALL LETTER A"},
             Case{"\u041danna", "hanna", "U+041D CYRILLIC CAPITAL LETTER EN"},
             Case{"\u0410LICE", "alice", "CYRILLIC CAPITAL LETTER A"},
             Case{"b\u03bfb", "bob", "GREEK SMALL LETTER OMICRON"},
             Case{"bob", "b\u03bfb", "\"b\u03bfb\" has U+03BF"},
             Case{"Anna", "anna", "only in capitals"},
             Case{"\uff41nna", "anna", "FULLWIDTH LATIN SMALL LETTER A"},
             Case{"jos\u00e9", "jose\u0301", "LATIN SMALL LETTER E WITH ACUTE"},
             Case{"an\u200bna", "anna", "U+200B"},
             Case{"\u043aate", "kate", "U+043A CYRILLIC SMALL LETTER KA"},
             Case{"\u043aate", "Kate", "U+043A CYRILLIC SMALL LETTER KA"},
             Case{"to\u043c", "tom", "U+043C CYRILLIC SMALL LETTER EM"},
             Case{"i\u0307da", "ida", "U+0307 COMBINING DOT ABOVE"},
             Case{"a\u0332nna", "anna", "U+0332 COMBINING LOW LINE"},
             Case{"ann\u20dd", "ann", "U+20DD"},
             Case{"stra\u00dfe", "STRASSE", "SHARP S"},
             Case{"team1", "teaml", "look the same"},
             Case{"b0b", "bOb", "look the same"},
         }) {
        EXPECT_TRUE(look_alike(one, other)) << one << " and " << other;
        EXPECT_NE(difference(one, other).find(says), std::string::npos) << difference(one, other);
    }
}

TEST(Looks, DifferentNamesOfAClassStayDifferent) {
    const char* names[] = {"ann",          "anna",
                           "hanna",        "bob",
                           "bot1",         "bot2",
                           "bot10",        "bot-1",
                           "bot_1",        "jose",
                           "jos\u00e9",    "zo\u00eb",
                           "zoe",          "\u0430\u043d\u0434\u0440\u0435\u0439",
                           "\u5f20\u4f1f", "\u5f20\u536b",
                           "m\u00fcller",  "muller",
                           "mueller",      "team 7",
                           "team 17"};
    for (const auto* one : names) {
        for (const auto* other : names) {
            if (one == other) continue;
            EXPECT_FALSE(look_alike(one, other)) << one << " and " << other;
        }
    }
}

TEST(Looks, KnownNamesAreFoundByTheirLooks) {
    KnownLooks known;
    EXPECT_EQ(known.like("anna"), "");
    known.add("anna");
    known.add("bob");
    EXPECT_EQ(known.like("anna"), "") << "a name is not taken for itself";
    EXPECT_EQ(known.like("\u0430nna"), "anna");
    EXPECT_EQ(known.like("Bob"), "bob");
    EXPECT_EQ(known.like("carl"), "");
    known.clear();
    EXPECT_EQ(known.like("Bob"), "");
}

}  // namespace
}  // namespace referee::names
