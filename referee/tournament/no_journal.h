#pragma once

#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

#include "referee/store/records/journal.h"

namespace referee::tournament {

// Of games outside of any store: nothing is recorded.
class NoJournal final : public records::Journal {
 public:
    explicit NoJournal(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}
    void append(std::vector<records::Record> /*records*/, OnCommitted on_committed) override {
        boost::asio::post(loop_, [tell = std::move(on_committed)] { tell({}); });
    }

 private:
    boost::asio::any_io_executor loop_;
};

}  // namespace referee::tournament
