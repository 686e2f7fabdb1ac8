#include "referee/store/archive.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "tests/referee/store/store_room.h"

namespace referee::store {
namespace {

using namespace records;
using testing::HasSubstr;
using testing::StartsWith;

class ArchiveTest : public StoreRoom {
 protected:
    Archived imported(const std::string& archive, const std::string& to) {
        std::istringstream in(archive);
        return import_archive(in, "archive", to);
    }
    std::string archive() {
        const auto store = filled();
        append(*store, sample_records());  // the same again: those with a key stay as they are
        run_until_told(2);
        return exported(path());
    }
};

TEST_F(ArchiveTest, ThereAndBackGivesTheSameBytes) {
    const auto text = archive();
    EXPECT_THAT(text, StartsWith("{\"archive\":\"referee\",\"version\":2,\"schema\":13,"
                                 "\"origin\":\"new\"}\n{\"seq\":1,\"time_ms\":17000000000"));
    EXPECT_EQ(exported(path()), text);
    const auto result = imported(text, path("again.store"));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(*result + 2, static_cast<std::uint64_t>(std::ranges::count(text, '\n')));
    EXPECT_FALSE(std::filesystem::exists(path("again.store-wal"))) << "one file";
    EXPECT_EQ(exported(path("again.store")), text);
}

TEST_F(ArchiveTest, WhatComesTwiceIsToldWithItsLine) {
    std::ostringstream twice;
    ArchiveWriter writer(twice, "new");
    for (const std::uint64_t seq : {1U, 2U})
        writer.write({seq, 1, OpeningRecord{"friday", {}, {}}});
    writer.end();
    const auto refused = imported(twice.str(), path("again.store"));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                StartsWith("archive:3: expected a new record, found the opening friday a second "
                           "time"));
}

TEST_F(ArchiveTest, AnImportedStoreIsGoneOnWith) {
    const auto again = path("a new/folder/again.store");
    ASSERT_TRUE(imported(archive(), again));
    auto lines = read_lines(again);
    auto result = Store::open(again, {}, loop_.get_executor());
    ASSERT_TRUE(result);
    append(**result, {numbered(1), sample_game(1)});
    run_until_told(3);
    lines.push_back(line_of(numbered(1)));
    EXPECT_EQ(read_lines(again), lines) << "and the game stood there";
}

TEST_F(ArchiveTest, AnExistingFileIsRefusedAndLeftAlone) {
    const auto text = archive();
    std::ofstream(path("precious")) << "precious";
    EXPECT_EQ(imported(text, path("precious")).error().trouble, StoreTrouble::exists);
    EXPECT_EQ(std::filesystem::file_size(path("precious")), 8U);
    EXPECT_THAT(imported(text, path("precious/a.store")).error().message,
                HasSubstr("precious can't be made: Not a directory"));
}

TEST_F(ArchiveTest, WhatIsWrongIsToldWithItsLineAndNothingStaysBehind) {
    const auto text = archive();
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const auto without = [&](std::size_t index) {
        auto left = lines;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
        return left;
    };
    const auto changed = [&](std::size_t index, const std::string& line) {
        auto other = lines;
        other[index] = line;
        return other;
    };
    const auto last = std::to_string(lines.size());
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "archive:1: expected a first line"},
        {{"{"}, "archive:1: "},
        {{"{}"}, "archive:1: archive: expected \"referee\""},
        {changed(0, R"({"archive":"referee","version":1,"schema":4})"),
         "archive:1: version: expected 2; the referee that wrote it"},
        {changed(0, R"({"archive":"referee","version":2,"schema":10,"origin":"new"})"),
         "archive:1: schema: expected 13; the referee that wrote it"},
        {changed(0, R"({"archive":"referee","version":2,"schema":13})"),
         "archive:1: origin: expected how its chain began"},
        {changed(0, R"({"archive":"referee","version":2,"schema":13,"origin":"old"})"),
         "archive:2: link: expected "},
        {changed(0, R"({"archive":"referee","version":2,"schema":13,"origin":"new"} )"),
         "archive:" + last + ": sha256: expected "},
        {without(0), "archive:1: archive: "},
        {changed(4, "{\"seq\":4"), "archive:5: "},
        {changed(
             4,
             R"({"seq":3,"time_ms":1,"record":"state","tournament":"f","state":"running","reason":""})"),
         "archive:5: seq: expected a whole number above 3"},
        {changed(4, R"({"seq":4,"time_ms":"noon"})"),
         "archive:5: time_ms: expected a whole number"},
        {changed(
             4,
             R"({"seq":4,"time_ms":1,"record":"state","tournament":"f","state":"gone","reason":""})"),
         "archive:5: state: expected \"waiting\""},
        {changed(
             4,
             R"({"seq":4,"time_ms":1,"record":"opening","tournament":"friday","config":"","version":""})"),
         "archive:5: link: expected "},
        {without(5), "archive:6: link: expected "},
        {without(lines.size() - 2),
         "archive:" + std::to_string(lines.size() - 1) + ": records: expected "},
        {without(lines.size() - 1), "archive:" + last + ": expected a record, or a last line"},
    };
    const auto before = made_.names();
    for (const auto& [archived, message] : cases) {
        std::string joined;
        for (const auto& line : archived) joined += line + '\n';
        const auto result = imported(joined, path("again.store"));
        ASSERT_FALSE(result) << message;
        EXPECT_EQ(result.error().trouble, StoreTrouble::bad_archive);
        EXPECT_THAT(result.error().message, StartsWith(message));
        EXPECT_EQ(made_.names(), before) << "nothing half made";
    }
    const auto behind = imported(text + "{}\n", path("again.store"));
    ASSERT_FALSE(behind);
    EXPECT_THAT(behind.error().message, HasSubstr("expected nothing behind the end"));
}

}  // namespace
}  // namespace referee::store
