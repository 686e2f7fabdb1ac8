#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/store/database/chain.h"
#include "referee/store/database/store_error.h"

namespace referee::store {

// A failure where there is something at `path` already.
base::Result<void, StoreError> check_new(const std::string& path);

// The file that a store is made in before it gets its name. It is removed with this object unless
// it got its name.
class PartFile {
 public:
    explicit PartFile(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
        remove();
    }
    ~PartFile() { remove(); }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    PartFile(PartFile&&) = delete;
    PartFile& operator=(PartFile&&) = delete;

    const std::string& name() const { return part_; }

    // Never replaces another file. `tip`: where the store ends that was made; a failure where the
    // one that is read under its name afterwards ends elsewhere.
    base::Result<void, StoreError> finish(const ChainEnd& tip) const;

    // Takes the place of the file at `path`, in one step that survives a power cut. Requires: no
    // log lies beside either.
    base::Result<void, StoreError> replace() const;

 private:
    void remove() const;

    std::string path_;
    std::string part_;
};

}  // namespace referee::store
