#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "referee/store/archive.h"
#include "referee/store/committer.h"
#include "tests/places.h"
#include "tests/referee/store/store_damage.h"
#include "tests/referee/store/store_room.h"
#include "tests/sample.h"

// A store that was cut, torn or flipped anywhere: each damage is noticed, or all records are read
// as they were written; none is believed.

namespace referee::store {
namespace {

using testing::HasSubstr;
using testing::IsSubsetOf;

constexpr std::uint64_t damages_of_stores = 1000;
constexpr std::uint64_t damages_of_archives = 300;
#ifdef REFEREE_SANITIZED
// Fewer damages than these 62 would meet fewer than the shares below by chance alone.
constexpr std::uint64_t damages_sampled_of = 16;
constexpr std::uint64_t damages_whole_of = 16;
#else
constexpr std::uint64_t damages_sampled_of = 4;
constexpr std::uint64_t damages_whole_of = 1;
#endif
constexpr int rounds_of_original = 12;
constexpr std::uint64_t saved_each = 3;
// About half of a small store is room that no row uses: what is damaged there changes nothing.
constexpr std::uint64_t noticed_percent_min = 30;
// The others have no header, or nothing of their table of tables.
constexpr std::uint64_t saved_percent_min = 70;

const std::vector<std::string> beside{"", "-wal", "-shm", ".head"};

class DamageTest : public StoreRoom {
 protected:
    void SetUp() override { make_original(); }

    // The files of one and the same history: at rest, and as a killed process leaves them.
    void make_original() {
        StoreOptions options{.reserved_bytes = 0, .log_frames_max = 40};
        auto store = opened(options);
        append(*store, sample_records());
        run_until_told(1);
        for (int round = 0; round < rounds_of_original; ++round) {
            const auto match = static_cast<std::uint64_t>(round) + 10;
            append(*store, {records::StartRecord{{"friday", match, 1, 1}, 7, {"alice", "b\"ob"}},
                            sample_game(match, 1, 60), numbered(round)});
            run_until_told(told_.size() + 1);
        }
        keep("killed");
        store.reset();
        keep("at_rest");
        lines_ = read_all(copy_of("at_rest").store).lines;
        EXPECT_EQ(history_to_write(copy_of("at_rest").store, &lines_to_write_), "");
        ASSERT_EQ(lines_to_write_.size(), lines_.size());
        ASSERT_EQ(lines_.size(), sample_records().size() + 3 * rounds_of_original);
        archive_ = exported(path());
    }

    void keep(const std::string& name) const {
        std::filesystem::create_directory(path(name));
        for (const auto& ending : beside) {
            if (std::filesystem::exists(path() + ending))
                std::filesystem::copy_file(path() + ending, path(name) + "/store" + ending);
        }
    }

    struct Copy {
        std::string store;
        std::vector<std::string> files;
    };
    Copy copy_of(const std::string& name) const {
        const auto folder = path("copy");
        std::filesystem::remove_all(folder);
        std::filesystem::copy(path(name), folder);
        Copy copy{folder + "/store", {}};
        for (const auto& ending : beside) {
            if (std::filesystem::exists(copy.store + ending))
                copy.files.push_back(copy.store + ending);
        }
        return copy;
    }

    struct Read {
        bool good = false;
        std::string message;
        std::vector<std::string> lines;
    };
    static std::string numbered_line(const StoredRecord& stored) {
        return std::to_string(stored.seq) + " " + std::to_string(stored.time_ms) + " " +
               line_of(stored.record);
    }
    static Read read_all(const std::string& store) {
        Read read;
        auto reader = StoreReader::open(store);
        if (!reader) return {false, reader.error().message, {}};
        const auto done = reader->history(
            [&read](const StoredRecord& stored) { read.lines.push_back(numbered_line(stored)); },
            StoreReader::Replays::read);
        read.good = bool{done};
        if (!done) read.message = done.error().message;
        return read;
    }

    // Whether the look at everything finds a damage.
    static bool check_finds(const std::string& store) {
        if (!HeadFile::read(store)) return true;
        try {
            auto opened = open_to_read(store, {});
            RecordCheck check(opened.database, RecordCheck::Depth::whole_file);
            while (!check.is_over()) check.go_on(100);
            if (check.seen().damages_total > 0) return true;
            const auto head = HeadFile::read(store);
            if (*head) check_told(opened.database, **head);
        } catch (const std::runtime_error&) {
            return true;
        }
        return false;
    }

    // The archive of what is proven is made a new store of, which has nothing that was not written.
    // False where SQLite finds its way in the file no more.
    bool save_what_is_proven(const std::string& store, bool is_damaged) {
        std::ostringstream out;
        const auto proven = export_proven(store, out);
        if (!proven) {
            EXPECT_TRUE(is_damaged) << proven.error().message;
            return false;
        }
        if (proven->left_out.empty()) {
            EXPECT_EQ(out.str(), archive_);
        }
        const auto mended = path("mended");
        std::filesystem::remove(mended);
        std::istringstream in(out.str());
        const auto imported = import_archive(in, "archive", mended);
        EXPECT_TRUE(imported) << imported.error().message;
        EXPECT_FALSE(check_finds(mended));
        const auto is_partly_there = [](const std::string& left_out) {
            return left_out.find(": only its ") != std::string::npos;
        };
        if (std::ranges::none_of(proven->left_out, is_partly_there)) {
            EXPECT_THAT(read_all(mended).lines, IsSubsetOf(lines_));
        }
        return true;
    }

    // What it is opened with to go on; why it is refused.
    std::string history_to_write(const std::string& store, std::vector<std::string>* lines) {
        StoreOptions options{.reserved_bytes = 0};
        options.now_ms = [] { return std::int64_t{1}; };
        auto result = Store::open(store, options, loop_.get_executor());
        if (!result) return result.error().message;
        const auto read = (*result)->history(
            [lines](const StoredRecord& stored) { lines->push_back(numbered_line(stored)); });
        return read ? "" : read.error().message;
    }

    std::vector<std::string> lines_;
    std::vector<std::string> lines_to_write_;  // without the replays
    std::string archive_;
};

TEST_F(DamageTest, OfAStoreIsNoticedAndNeverBelieved) {
    std::uint64_t noticed = 0;
    std::uint64_t noticed_at_rest = 0;
    std::uint64_t at_reading = 0;
    std::uint64_t at_opening = 0;
    std::uint64_t tried = 0;
    std::uint64_t saved = 0;
    const auto seeds =
        tests::sampled_stretch(damages_of_stores, damages_sampled_of, damages_whole_of);
    for (auto seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
        base::SplitMix lots(seed);
        const auto copy = copy_of(seed % 2 == 0 ? "killed" : "at_rest");
        const auto damage = tests::damage_one(copy.files, lots);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + damage.file + ": " + damage.what);
        const auto read = read_all(copy.store);
        if (read.good) {
            ASSERT_EQ(read.lines, lines_) << "believed";
        } else {
            EXPECT_FALSE(read.message.empty());
            ++at_reading;
        }
        const bool found = check_finds(copy.store);
        EXPECT_TRUE(read.good || found) << "noticed by reading only: " << read.message;
        if (found) ++noticed;
        const bool rests = seed % 2 == 1;
        if (found && rests) ++noticed_at_rest;
        if (seed % saved_each == 0) {
            ++tried;
            if (save_what_is_proven(copy.store, found)) ++saved;
        }
        std::vector<std::string> lines;
        if (history_to_write(copy.store, &lines).empty()) {
            EXPECT_EQ(lines, lines_to_write_) << "believed where it is opened to go on";
            EXPECT_TRUE(read.good) << "noticed by reading only: " << read.message;
        } else {
            ++at_opening;
        }
        if (HasFailure()) break;
    }
    std::cout << seeds.count << " damages from seed " << seeds.first << ": " << at_reading
              << " refused when all was read, " << at_opening << " where it was opened to go on, "
              << noticed << " found by the check (" << noticed_at_rest << " of " << seeds.count / 2
              << " at rest), the others without effect; " << saved << " of " << tried
              << " were saved in part or whole\n";
    EXPECT_GE(saved * 100, tried * saved_percent_min);
    EXPECT_GE(noticed_at_rest * 100, seeds.count / 2 * noticed_percent_min);
}

TEST_F(DamageTest, OfAnArchiveIsNoticedAtTheImport) {
    const auto seeds =
        tests::sampled_stretch(damages_of_archives, damages_sampled_of, damages_whole_of);
    for (auto seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
        base::SplitMix lots(seed);
        const auto file = path("archive.ndjson");
        std::ofstream(file, std::ios::binary) << archive_;
        const auto damage = tests::damage_one({file}, lots);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + damage.what);
        std::ifstream in(file, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        std::istringstream damaged(text.str());
        const auto imported = import_archive(damaged, "archive.ndjson", path("imported"));
        ASSERT_EQ(bool{imported}, text.str() == archive_) << "believed";
        if (imported) std::filesystem::remove(path("imported"));
        if (!imported) {
            EXPECT_THAT(imported.error().message, HasSubstr("archive.ndjson:"));
        }
    }
}

}  // namespace
}  // namespace referee::store
