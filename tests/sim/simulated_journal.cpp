#include "tests/sim/simulated_journal.h"

#include <boost/asio/post.hpp>

#include "referee/store/records/record_line.h"

namespace tests::sim {

void SimulatedJournal::append(std::vector<referee::records::Record> records,
                              OnCommitted on_committed) {
    if (off_) return;
    ++appended_;
    // One sync at a time: what comes while one runs goes out together with the next.
    if (last_ <= world_.now()) last_ = world_.now() + random_up_to(random_, slowest_);
    world_.outside().schedule(
        last_, [this, life = lives_, records = std::move(records), told = std::move(on_committed)] {
            boost::asio::post(world_.loop(), [this, life, records, told] {
                if (life == lives_) commit(records, told);
            });
        });
}

void SimulatedJournal::power_off() {
    off_ = true;
    ++lives_;
    last_ = {};
    commits_until_off_ = 0;
}

void SimulatedJournal::power_off_behind(std::size_t commits, std::function<void()> on_off) {
    commits_until_off_ = commits;
    on_off_ = std::move(on_off);
}

void SimulatedJournal::commit(const std::vector<referee::records::Record>& records,
                              const OnCommitted& on_committed) {
    if (commits_good_ != 0 && commits_ >= commits_good_) {
        on_committed(base::failure(referee::records::JournalFailure{"the simulated disk is full"}));
        return;
    }
    ++commits_;
    for (const auto& record : records) {
        const auto key = referee::records::identity(record);
        if (!key.empty() && !identities_.insert(key).second) continue;
        referee::records::write_record(text_, record);
        committed_.push_back(record);
    }
    if (commits_until_off_ > 0 && --commits_until_off_ == 0) {
        power_off();
        on_off_();
        return;
    }
    on_committed({});
}

}  // namespace tests::sim
