#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>

#include "protocol/base/result.h"
#include "referee/submit/collect/collect_options.h"
#include "referee/submit/collect/collection.h"

namespace referee::collect {

// What is told while submissions are built.
struct Told {
    std::function<void(const std::string& line)> say;
    std::function<void(std::size_t done, std::size_t of)> progress;
};

// Builds each submission that an earlier collection has not built, and puts each into its folder
// SUBMISSIONS/NAME as soon as all of it is there: whoever stops this in the middle loses the builds
// that were under way, and nothing half-built is ever there. An error is the machine's trouble:
// what was built before it stays.
base::Result<void, std::string> construct(boost::asio::io_context& loop,
                                          const CollectOptions& terms,
                                          const matching::ClassList& people, Collection& collection,
                                          const std::string& scratch, const Told& told);

// Where a submission lies.
std::string folder_of(const CollectOptions& terms, const Collected& submission);

}  // namespace referee::collect
