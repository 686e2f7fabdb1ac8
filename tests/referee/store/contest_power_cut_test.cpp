#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <regex>

#include "engines/registry.h"
#include "referee/report/output_folder.h"
#include "referee/report/reports.h"
#include "referee/store/store.h"
#include "tests/referee/store/simulated_disk.h"
#include "tests/referee/tournament/contests/contest_player.h"
#include "tests/sample.h"

// Plays a whole tournament whose records are in a store on a simulated disk. The power is cut
// during operations of that disk, and what was not synced is lost or torn. The tournament goes on
// from what is found, and at the end every file is the same as that of an undisturbed tournament.

namespace referee::store {
namespace {

using contests::Case;
using contests::Contest;
using contests::Player;
using formats::FormatKind;
using records::Record;

constexpr const char* contest_file = "contest.store";
constexpr int contest_log_frames_max = 24;  // so that a short tournament moves its log
constexpr std::size_t steps_most = 100'000;
constexpr unsigned second_cut_percent = 50;

const engines::Registry& registry() {
    static const engines::Registry all;
    return all;
}

// Where a play was cut off the next one of the same game counts, and the files name it.
std::string as_if_played_at_once(const std::string& text) {
    static const std::regex attempt("(/[0-9]+\\.[0-9]+)~[0-9]+");
    return std::regex_replace(text, attempt, "$1");
}

std::vector<std::string> files_of(const Contest& contest) {
    const auto ledger = report::ledger_of(contest.snapshot());
    const auto standings = report::standings_of(ledger);
    const auto crosstable = report::crosstable_text_of(ledger);
    const auto pairings = report::pairings_of(ledger);
    return {as_if_played_at_once(standings.json),
            standings.csv,
            standings.text,
            crosstable.csv,
            crosstable.text,
            as_if_played_at_once(pairings.json),
            pairings.text,
            report::trf_file_of(ledger).value_or("")};
}

// A process that plays the tournament, from what it finds in the store, until the tournament is
// over or the disk stops.
class Sitting {
 public:
    // Goes on while up to `ahead` appends are not committed yet.
    Sitting(const Case& wanted, SimulatedDisk& disk, std::size_t ahead, std::uint64_t seed)
        : wanted_(wanted),
          ahead_(ahead),
          contest_(contests::config_of(wanted), *registry().find(wanted.game)),
          player_(contest_, seed, [this](const auto& records, auto on_committed) {
              append(records, std::move(on_committed));
          }) {
        StoreOptions options;
        options.vfs = disk.name();
        options.log_frames_max = contest_log_frames_max;
        options.now_ms = [] { return std::int64_t{1'700'000'000'000}; };
        auto opened = Store::open(contest_file, options, loop_.get_executor());
        if (opened) store_ = *std::move(opened);
    }
    ~Sitting() {
        store_.reset();
        loop_.restart();
        loop_.run();
    }
    Sitting(const Sitting&) = delete;
    Sitting& operator=(const Sitting&) = delete;
    Sitting(Sitting&&) = delete;
    Sitting& operator=(Sitting&&) = delete;

    // False where the store can't be opened, or its records don't fit this tournament.
    bool take_up() {
        if (store_ == nullptr) return false;
        std::string wrong;
        const auto told = store_->history([&](const StoredRecord& stored) {
            ++found_;
            const auto fits = contests::RecordedPast(contest_).apply(stored.record);
            if (!fits && wrong.empty()) wrong = fits.error();
        });
        EXPECT_EQ(wrong, "");
        return told && wrong.empty();
    }
    void play() {
        if (!contest_.begun()) player_.begin(contests::field_of(wanted_));
        player_.pick_up();
        for (std::size_t i = 0; i < steps_most && !failed_ && !contest_.over(); ++i) {
            if (!player_.step()) wait(0);
        }
        wait(0);
    }

    const Contest& contest() const { return contest_; }
    std::size_t found() const { return found_; }
    // Records in the store, as far as was told.
    std::size_t known() const { return found_ + told_; }

 private:
    void append(const std::vector<Record>& records, std::function<void()> on_committed) {
        if (failed_) return;
        ++due_;
        store_->append(records, [this, count = records.size(), tell = std::move(on_committed)](
                                    const records::Committed& committed) {
            --due_;
            failed_ = failed_ || !committed;
            if (failed_) return;
            told_ += count;
            tell();
        });
        wait(ahead_);
    }
    void wait(std::size_t due) {
        loop_.restart();
        const auto keeps_running = boost::asio::require(
            loop_.get_executor(), boost::asio::execution::outstanding_work.tracked);
        while (due_ > due) loop_.run_one();
    }

    const Case& wanted_;
    std::size_t ahead_;
    boost::asio::io_context loop_;
    Contest contest_;
    Player player_;
    std::unique_ptr<Store> store_;
    std::size_t found_ = 0;
    std::size_t told_ = 0;
    std::size_t due_ = 0;
    bool failed_ = false;
};

class ContestPowerCutTest : public testing::TestWithParam<Case> {};

TEST_P(ContestPowerCutTest, WhereverThePowerIsCutItComesToTheSame) {
    constexpr std::uint64_t cuts_wanted = 60;
    constexpr std::uint64_t sampled_of = 4;
    std::vector<std::string> calm;
    std::uint64_t operations = 0;
    {
        SimulatedDisk disk("calm");
        Sitting sitting(GetParam(), disk, 0, 1);
        ASSERT_TRUE(sitting.take_up());
        sitting.play();
        ASSERT_TRUE(sitting.contest().over());
        calm = files_of(sitting.contest());
        operations = disk.operations();
    }
    ASSERT_GT(operations, cuts_wanted);
    std::size_t cuts = 0;
    for (std::uint64_t i = 0; i < cuts_wanted; ++i) {
        const bool at_an_end = i == 0 || i + 1 == cuts_wanted;
        if (!at_an_end && !tests::in_sample(i, sampled_of)) continue;
        const auto operation = 1 + i * operations / cuts_wanted;
        const auto where = "cut in operation " + std::to_string(operation);
        std::mt19937_64 random(operation);
        SimulatedDisk disk("cut");
        disk.stop_in(operation);
        std::size_t known = 0;
        while (true) {
            {
                Sitting sitting(GetParam(), disk, random() % 4, random());
                if (sitting.take_up()) {
                    EXPECT_GE(sitting.found(), known) << where << ": what was told is lost";
                    sitting.play();
                    known = sitting.known();
                }
                if (!disk.has_stopped()) {
                    ASSERT_TRUE(sitting.contest().over()) << where;
                    EXPECT_EQ(files_of(sitting.contest()), calm) << where;
                }
            }
            if (!disk.has_stopped())
                break;  // the process ended before the operation came in which it should stop
            ++cuts;
            disk.cut_power(random);
            if (random() % 100 < second_cut_percent) disk.stop_in(1 + random() % (operations / 4));
        }
        if (HasFailure()) return;
    }
    std::cout << cuts << " cuts in " << operations << " operations\n";
}

INSTANTIATE_TEST_SUITE_P(Formats, ContestPowerCutTest,
                         testing::Values(Case{"swiss", FormatKind::swiss, 7},
                                         Case{"attendance", FormatKind::swiss, 9, "walls", 2, 2,
                                              false, true},
                                         Case{"round_robin", FormatKind::round_robin, 5},
                                         Case{"pods", FormatKind::swiss, 7, "light_cycles", 4, 1},
                                         Case{"knockout", FormatKind::knockout, 7}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace referee::store
