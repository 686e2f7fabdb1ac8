#pragma once

#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "referee/files/file.h"
#include "referee/store/chain.h"
#include "referee/store/store_error.h"

namespace referee::store {

// Where the chain of a store ended when somebody was last told of a record, in a small file
// `PATH.head` beside the store. SQLite drops the end of a damaged log without a word; this file
// then names a record that is missing. It is written after each commit and before anybody is told,
// and not synced each time: after a power cut it may be behind the store, never before it. It is
// there from the opening to an orderly end.
//
// The file has two places that are written in turn, each with a digest of its own, so that a writer
// that was killed in the middle leaves one that is good.
class HeadFile {
 public:
    // What the file beside the store says; nothing where there is none. A failure where the file
    // says nothing that a writer leaves behind.
    static base::Result<std::optional<ChainTip>, StoreError> read(const std::string& path);

    // Makes the file beside the store, or replaces it. It is on disk when this returns.
    static base::Result<HeadFile, StoreError> make(const std::string& path, const ChainTip& tip);

    // A failure, in words, where the disk refuses; a full disk is none: the file stays behind.
    base::Result<void, std::string> write(const ChainTip& tip);
    // At an orderly end: the store is whole in one file, which needs no other to tell its end.
    void remove();

 private:
    HeadFile(files::Descriptor file, std::string name)
        : file_(std::move(file)), name_(std::move(name)) {}

    files::Descriptor file_;
    std::string name_;
    bool second_place_ = false;  // is written next
};

}  // namespace referee::store
