#pragma once

// From what was handed in to built submissions in their folders.

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <string>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/submit/collect/collection.h"

namespace referee::collect {

// Is told how it goes while submissions are built.
struct CollectProgress {
    std::function<void(const std::string& line)> say;
    std::function<void(std::size_t done, std::size_t of)> progress;
};

// Builds each submission that an earlier collection has not built, and puts each into its folder
// SUBMISSIONS/NAME as soon as all of it is there: whoever stops this in the middle loses the builds
// that were under way, and nothing half-built is ever there. An error is the machine's trouble:
// what was built before it stays.
base::Result<void, std::string> construct(boost::asio::io_context& loop,
                                          const CollectOptions& options,
                                          const matching::ClassList& people, Collection& collection,
                                          const std::string& scratch,
                                          const CollectProgress& progress);

// Builds what one student handed in, as `collect` builds that of a class: an archive, a single file
// or a folder, which is only read. What was built stands in OUT/submissions/NAME as soon as all of
// it is there; what is returned says whether it is. `options.archives` and `options.roster` are not
// looked at. `say` is told in which sandbox it is built.
base::Result<Collected, Ending> build_single(
    const CollectOptions& options, const std::string& source, const std::string& name,
    const std::function<void(const std::string& line)>& say);

}  // namespace referee::collect
