#pragma once

#include <optional>
#include <string>

#include "referee/memory/store/database.h"

namespace referee::store {

// What can be read of a damaged store, though SQLite refuses it: a file that was cut, whose header
// is damaged, or of which only the log is left. Such a store is copied, and the copy's beginning is
// set right; the store itself is only read. The copy is removed with this object.
class WreckCopy {
 public:
    // `name`: of the copy, where nothing is yet.
    WreckCopy(const std::string& store, std::string name);
    ~WreckCopy() { remove(); }
    WreckCopy(const WreckCopy&) = delete;
    WreckCopy& operator=(const WreckCopy&) = delete;
    WreckCopy(WreckCopy&&) = delete;
    WreckCopy& operator=(WreckCopy&&) = delete;

    // The store itself where its tables can be found, else a copy in which they can. Nothing where
    // there is no such copy. Must not outlive this object.
    std::optional<Database> open();
    // Why the store itself can't be read; empty: it can.
    const std::string& trouble() const { return trouble_; }

 private:
    enum class Mended : std::uint8_t { nothing, header, first_page };

    std::optional<Database> open_as(Mended mended);
    bool copy(Mended mended);
    void remove() const;

    std::string store_;
    std::string name_;
    std::string trouble_;
};

}  // namespace referee::store
