#pragma once

#include <set>
#include <string>
#include <vector>

#include "referee/store/records/records.h"
#include "tests/sim/world.h"

namespace tests::sim {

// The records of one kind.
template <typename Kind>
std::vector<const Kind*> of_kind(const std::vector<referee::records::Record>& records) {
    std::vector<const Kind*> found;
    for (const auto& record : records) {
        if (const auto* one = std::get_if<Kind>(&record)) found.push_back(one);
    }
    return found;
}

// A disk that takes its time: what is appended is committed later, in order, some of it together.
// Remembers all of it.
class SimulatedJournal final : public referee::records::Journal {
 public:
    // After `commits_good` commits everything fails; 0: never.
    SimulatedJournal(World& world, Random random, Duration slowest, std::size_t commits_good = 0)
        : world_(world), random_(random), slowest_(slowest), commits_good_(commits_good) {}

    void append(std::vector<referee::records::Record> records, OnCommitted on_committed) override;

    void watch(OnTrouble on_trouble) override { on_trouble_ = std::move(on_trouble); }
    // The disk is full, or there is room again (empty).
    void tell_trouble(const std::string& trouble) { on_trouble_({trouble}); }

    // From now on everything fails. Requires: something was committed.
    void fail() { commits_good_ = commits_; }

    // The process is gone: what isn't committed is lost, and nobody is told anything any more.
    void power_off();
    // The same, right behind a commit, which is kept: behind the next one where `commits` is 1.
    // Then `on_off` is called.
    void power_off_behind(std::size_t commits, std::function<void()> on_off);
    // Another process goes on with what was committed.
    void power_on() { off_ = false; }
    // Appends so far, committed or not.
    std::size_t appended() const { return appended_; }
    bool is_off() const { return off_; }

    const std::vector<referee::records::Record>& committed() const { return committed_; }
    // The bytes that a file would hold.
    const std::string& text() const { return text_; }
    bool holds(const std::string& identity) const { return identities_.contains(identity); }

 private:
    void commit(const std::vector<referee::records::Record>& records,
                const OnCommitted& on_committed);

    World& world_;
    Random random_;
    Duration slowest_;
    std::size_t commits_good_;
    std::size_t commits_ = 0;
    std::size_t appended_ = 0;
    bool off_ = false;
    std::size_t lives_ = 0;              // lives of the referee that are over
    std::size_t commits_until_off_ = 0;  // 0: it stays on
    std::function<void()> on_off_;
    Instant last_{};
    OnTrouble on_trouble_;
    std::vector<referee::records::Record> committed_;
    std::set<std::string> identities_;
    std::string text_;
};

}  // namespace tests::sim
