#include "referee/watch/web/tournament_data.h"

#include <gtest/gtest.h>

#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/watch/web/request.h"

namespace referee::web {
namespace {

std::string row(int rank, const std::string& name, int rating) {
    return R"({"rank":)" + std::to_string(rank) + R"(,"name":")" + name +
           R"(","clock":"turn","points":1,"ladder_rating":)" + std::to_string(rating) +
           R"(,"rating":{"elo":1,"matches":4},"matches":[{"match":"p/1"}],"byes":[]})";
}
std::string standings(const std::string& rows) {
    return R"({"tournament":"p","seed":7,"matches_played":32,"tie_breaks":["points"],"cycles":{"found":1},"bots":[)" +
           rows + "]}";
}
// So many matches of ann and bob, the last of which is open.
std::string pairings(int matches) {
    std::string text = R"({"rounds":[{"round":1,"matches":[)";
    for (int i = 1; i <= matches; ++i) {
        const auto id = "p/" + std::to_string(i);
        text += std::string(i > 1 ? "," : "") + R"({"board":1,"match":")" + id + R"(","over":)" +
                (i < matches ? "true" : "false") + R"(,"seats":[{"name":")" +
                (i == 3 ? "Cy" : "ann") + R"("},{"name":"bob"}],"games":[")" + id + R"(.1"]})";
    }
    return text + R"(],"byes":[{"name":"dot"}]}]})";
}

struct Told {
    explicit Told(const std::string& text) { EXPECT_TRUE(document.parse(text)) << text; }
    std::vector<std::string> texts(std::string_view list, std::string_view member) const {
        std::vector<std::string> found;
        for (const auto each : document.root().find(list).elements())
            found.emplace_back(each.find(member).text());
        return found;
    }
    protocol::json::Document document;
};

TEST(TournamentDataTest, ATableHasNoMatchesAndWhoHasOneIsToldWhatChanged) {
    const auto ann = row(1, "ann", 1510);
    const TournamentData first(standings(ann + "," + row(2, "bob", 1490)), "", {});
    const Told all(first.table(""));
    EXPECT_EQ(all.texts("bots", "name"), (std::vector<std::string>{"ann", "bob"}));
    EXPECT_EQ(first.table("").find("p/1"), std::string::npos);
    EXPECT_EQ(all.document.root().find("matches_played").unsigned_integer(), 32U)
        << "as many as a list has";
    EXPECT_EQ(first.table("").find("cycles"), std::string::npos);
    EXPECT_EQ(first.certainty(), R"({"cycles":{"found":1}})");
    const std::string version(*all.document.root().find("version").string());
    const TournamentData second(standings(ann + "," + row(2, "bob", 1500)), "", first);
    const Told changed(second.table(version));
    EXPECT_EQ(changed.texts("bots", "name"), std::vector<std::string>{"bob"});
    EXPECT_EQ(changed.document.root().find("whole").boolean(), false);
    EXPECT_EQ(Told(second.table("0123")).texts("bots", "name").size(), 2U) << "an unknown version";
    const TournamentData fewer(standings(ann), "", second);
    EXPECT_EQ(Told(fewer.table(version)).document.root().find("whole").boolean(), true)
        << "a row is gone";
}

TEST(TournamentDataTest, MatchesComeByPagesTheNewestFirst) {
    const TournamentData data(standings(""), pairings(60), {});
    const auto shown = [](std::string_view name) { return "~" + std::string(name); };
    const Told newest(data.matches({}, shown));
    const auto ids = newest.texts("matches", "match");
    ASSERT_EQ(ids.size(), 25U);
    EXPECT_EQ(ids.front(), "p/60");
    EXPECT_EQ(newest.document.root().find("total").unsigned_integer(), 60U);
    ASSERT_EQ(newest.document.root().find("older").unsigned_integer(), 36U);
    const Told oldest(data.matches({.before = 11, .look = {}}, shown));
    EXPECT_EQ(oldest.texts("matches", "match").size(), 10U);
    EXPECT_FALSE(oldest.document.root().find("older"));
    const Told found(data.matches({.look = "~cY"}, shown));
    EXPECT_EQ(found.texts("matches", "match"), std::vector<std::string>{"p/3"})
        << "as it is shown, whatever its capitals";
    const Told round(data.matches({.round = 1, .look = {}}, shown));
    EXPECT_EQ(round.texts("matches", "match").front(), "p/1");
    EXPECT_EQ(round.texts("byes", "name"), std::vector<std::string>{"dot"});
}

TEST(TournamentDataTest, AllOfALargeRoundAreReachedByPages) {
    const TournamentData data(standings(""), pairings(2500), {});
    std::vector<std::string> firsts;
    TournamentData::MatchesAsked asked{.round = 1, .look = {}};
    for (bool more = true; more && firsts.size() < 4;) {
        const Told page(data.matches(asked, {}));
        firsts.push_back(page.texts("matches", "match").front());
        const auto older = page.document.root().find("older").unsigned_integer();
        more = older.has_value();
        asked.before = older.value_or(0);
    }
    EXPECT_EQ(firsts, (std::vector<std::string>{"p/1501", "p/501", "p/1"}));
}

// A class of forty on a ladder: rows as standings.json has them, after `turn` other matches.
std::string class_of_forty(int turn) {
    std::string rows;
    for (int i = 0; i < 40; ++i) {
        const auto figure = [&](int step) {
            return std::to_string((i * 7919 + turn * step * 31) % 400) + "." +
                   std::to_string((i + turn) % 10);
        };
        rows += std::string(i > 0 ? "," : "") + R"({"rank":)" + std::to_string(i + 1) +
                R"(,"name":"student-)" + std::to_string(i * 37 % 101) + R"(","played":)" +
                std::to_string(2480 + i + turn) + R"(,"won":)" +
                std::to_string(1200 + i * 13 % 90) + R"(,"drawn":)" + std::to_string(i % 7) +
                R"(,"lost":)" + std::to_string(1100 + turn + i * 11 % 90) +
                R"(,"clock":"turn","measure":"wall","points":)" +
                std::to_string(1200 + i * 13 % 90) + R"(.5,"scores":)" +
                std::to_string(9000 + i * 131 % 977) + R"(,"ladder_rating":1)" + figure(1) +
                R"(,"rating":{"elo":)" + figure(2) + R"(,"elo_error95":2)" + figure(3) +
                R"(,"superiority":0.613,"matches":2480,"group":0},"rank_interval":[)" +
                std::to_string(i + 1) + "," + std::to_string(i + 4) +
                R"(],"first_share":0.1,"matches":[],"byes":[]})";
    }
    return R"({"tournament":"practice","game":"walls","format":"ladder","finished":false,"tie_breaks":["points","scores"],"matches":50000,"certainty":"How sure the order is: in 1000 draws of what the strengths may be after 50000 matches, student-0 was the strongest in 61%; 12 of 39 pairs of neighbours have 95% intervals of ranks that don't overlap.","bots":[)" +
           rows + "]}";
}

TEST(TournamentDataTest, ARefreshAtFiftyThousandMatchesIsLessThanFiveKilobytes) {
    constexpr std::size_t refresh_bytes_max = 5000;
    const auto packed = [](std::string text) {
        return for_cache(json_answer(std::move(text)), {.if_none_match = {}, .gzip = true})
            .body->size();
    };
    const auto played = pairings(50'000);
    const TournamentData before(class_of_forty(1), played, {});
    const TournamentData after(class_of_forty(2), played, before);
    const Told first(before.table(""));
    const auto since = *first.document.root().find("version").string();
    // All rows differ, and so do the newest matches.
    const auto table = packed(after.table(since));
    const auto matches = packed(after.matches({}, [](auto name) { return std::string(name); }));
    RecordProperty("table", static_cast<int>(table));
    RecordProperty("matches", static_cast<int>(matches));
    EXPECT_LT(table + matches, refresh_bytes_max) << table << " and " << matches;
}

TEST(TournamentDataTest, AFileThatIsNotThereLeavesItEmpty) {
    const TournamentData none("", "", {});
    EXPECT_FALSE(none.has_table());
    EXPECT_EQ(none.matches({}, [](auto name) { return std::string(name); }),
              R"({"total":0,"rounds":0,"matches":[]})");
}

TEST(CrosstableTest, AVisitorsReadingIsAFileAsTheFoldersIs) {
    const auto pseudonyms = std::make_shared<const pseudonyms::Pseudonyms>(
        "a secret", "friday", std::vector<std::string>{"=1", "R", "1", "W2a", "house"});
    const pseudonyms::NameMask own(pseudonyms, "=1");
    const auto masked =
        own.json(R"({"tournament":"friday","columns":["1"],"bots":[{"number":1,"name":"R","cells":)"
                 R"(["W2a 1"],"points":1.5,"rank":1},{"number":2,"name":"=1","cells":["-1"],)"
                 R"("points":0,"rank":"house"},{"number":3,"name":"1","cells":[""],"points":null,)"
                 R"("rank":"opponent"}]})");
    EXPECT_EQ(csv_of_crosstable(masked), "no,name,1,points,rank\n1," + pseudonyms->of("R") +
                                             ",W2a 1,1.5,1\n2,'=1,-1,0,house\n3," +
                                             pseudonyms->of("1") + ",,,opponent\n")
        << "what rules made has no names, whatever bots are called";
}

}  // namespace
}  // namespace referee::web
