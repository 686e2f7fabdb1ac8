#include "referee/store/records/record_fields.h"

namespace referee::fields {

std::optional<std::string_view> bye_of(const records::PairingRecord& pairing) {
    if (pairing.match != 0 || pairing.bots.empty()) return std::nullopt;
    return pairing.bots.front();
}

}  // namespace referee::fields
