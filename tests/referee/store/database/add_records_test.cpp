#include "referee/store/database/opening.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "referee/store/database/audit.h"
#include "tests/referee/store/database/store_room.h"

namespace referee::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t noon = 1'000;

class AddRecordsTest : public StoreRoom {
 protected:
    base::Result<void, StoreError> add(std::vector<records::Record> records,
                                       Making making = Making::where_missing) {
        return add_records(path(), making, noon, [&](const std::vector<StoredRecord>& there) {
            seen_ = there.size();
            return records;
        });
    }
    std::size_t seen_ = 0;
};

TEST_F(AddRecordsTest, TheyStandBehindThoseThatAreThere) {
    ASSERT_TRUE(add({numbered(1)}));
    EXPECT_EQ(seen_, 0U);
    ASSERT_TRUE(add({numbered(2), numbered(3)}));
    EXPECT_EQ(seen_, 1U);
    EXPECT_THAT(read_lines(),
                ElementsAre(line_of(numbered(1)), line_of(numbered(2)), line_of(numbered(3))));
    auto reader = StoreReader::open(path());
    ASSERT_TRUE(reader);
    Audit audit(reader->database(), Audit::Depth::whole_file);
    while (!audit.is_over()) audit.go_on(1);
    EXPECT_THAT(audit.damages(), IsEmpty());
}

TEST_F(AddRecordsTest, LeavesOneFile) {
    ASSERT_TRUE(add({numbered(1)}));
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_EQ(entry.path().string(), path());
}

TEST_F(AddRecordsTest, AStoreInUseStaysAsItIs) {
    auto store = opened();
    append(*store, {numbered(1)});
    run_until_told(1);
    const auto added = add({numbered(2)});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().trouble, StoreTrouble::in_use);
    store.reset();
    EXPECT_THAT(read_lines(), ElementsAre(line_of(numbered(1))));
}

TEST_F(AddRecordsTest, NoStoreIsMadeWhereNoneIsAskedFor) {
    const auto added = add({numbered(1)}, Making::never);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().trouble, StoreTrouble::missing);
    EXPECT_THAT(added.error().message, HasSubstr(path()));
    EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace referee::store
