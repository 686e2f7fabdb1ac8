#include "referee/memory/store/part_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "referee/memory/store/store_lock.h"

namespace referee::store {

base::Result<void, StoreError> check_new(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return {};
    return base::failure(StoreError{StoreTrouble::exists,
                                    path + " exists already; expected the name of a new store"});
}

base::Result<void, StoreError> PartFile::finish() const {
    unlink((path_ + ".head").c_str());  // of a store that is not there any more
    if (renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
        return base::failure(StoreError{errno == EEXIST ? StoreTrouble::exists : StoreTrouble::io,
                                        path_ + ": " + std::strerror(errno)});
    }
    return sync_folder(path_);
}

void PartFile::remove() const {
    for (const auto* ending : {"", "-wal", "-shm", "-journal", ".head"})
        unlink((part_ + ending).c_str());
}

}  // namespace referee::store
