#include "referee/store/database/part_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "referee/store/database/leftovers.h"
#include "referee/store/database/opening.h"
#include "referee/store/database/store_lock.h"

namespace referee::store {

base::Result<void, StoreError> check_new(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    return base::failure(StoreError{StoreTrouble::exists,
                                    path + " exists already; expected the name of a new store"});
}

base::Result<void, StoreError> PartFile::finish(const ChainEnd& tip) const {
    if (auto alone = check_alone(path_); !alone) return alone;
    unlink((path_ + ".head").c_str());  // of a making that was cut short
    if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
        return base::failure(StoreError{errno == EEXIST ? StoreTrouble::exists : StoreTrouble::io,
                                        path_ + ": " + std::strerror(errno)});
    }
    if (auto synced = sync_folder(path_); !synced) return synced;
    auto made = open_to_read(path_, {});
    if (!made) return base::failure(std::move(made.error()));
    try {
        if (tip_of(made->database) == tip) return {};
    } catch (const DatabaseError& error) {
        return base::failure(told(error, path_));
    }
    return base::failure(StoreError{
        StoreTrouble::corrupt, path_ +
                                   " was made, but what is read there is not what was written: did "
                                   "somebody put a file beside it? Move it and the files beside it "
                                   "away, and try again"});
}

base::Result<void, StoreError> PartFile::replace() const {
    unlink((part_ + ".head").c_str());
    if (rename(part_.c_str(), path_.c_str()) != 0) {
        return base::failure(StoreError{StoreTrouble::io, part_ + " can't take the place of " +
                                                              path_ + ": " + std::strerror(errno) +
                                                              "; the store is as it was"});
    }
    return sync_folder(path_);
}

void PartFile::remove() const {
    for (const auto* ending : {"", "-wal", "-shm", "-journal", ".head"})
        unlink((part_ + ending).c_str());
}

}  // namespace referee::store
