#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/report/ledger.h"

namespace referee::report {

// Which bots' programs changed while the matches of a table were played, as far as results name
// what played.
struct ProgramChange {
    standings::Entrant entrant = 0;
    std::uint64_t matches = 0;   // in which its program is known
    std::uint64_t programs = 0;  // different ones
    std::uint64_t changes = 0;   // from a match to its next, or within one
    std::uint64_t since = 0;     // the first match of the row that the last program played
    std::uint64_t matches_since = 0;

    // So often that no figure is of one program.
    bool is_restless() const;
};
std::vector<ProgramChange> program_changes(const Ledger& ledger);

// A sentence for each.
std::vector<std::string> program_sentences(const Ledger& ledger);
// A member "program_changes"; nothing where no program changed.
void write_program_changes(protocol::json::Writer& writer, const Ledger& ledger);

}  // namespace referee::report
