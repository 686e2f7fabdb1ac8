#include "referee/launch/process/user_slots.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {

namespace {

bool has_name(uid_t user) {
    constexpr std::size_t entry_bytes_max = 4096;
    std::array<char, entry_bytes_max> text = {};
    passwd entry = {};
    passwd* found = nullptr;
    ::getpwuid_r(user, &entry, text.data(), text.size(), &found);
    return found != nullptr;
}

}  // namespace

bool has_users(std::string_view uid_map, uid_t first, uid_t count) {
    const auto words = words_of(uid_map);
    for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
        const auto start = whole_number(words[i]);
        const auto length = whole_number(words[i + 2]);
        if (!start || !length) return false;
        if (*start <= first && first + std::uint64_t{count} <= *start + *length) return true;
    }
    return false;
}

std::optional<UserSlots> UserSlots::find() {
    const auto map = read_kernel_file("/proc/self/uid_map");
    if (::geteuid() != 0 || !map) return std::nullopt;
    for (const uid_t first : {user_slots_first, user_slots_first_in_container}) {
        if (has_users(*map, first, user_slots_count)) return UserSlots(first);
    }
    return std::nullopt;
}

std::shared_ptr<UserSlots::Slot> UserSlots::take() {
    for (uid_t tried = 0; tried < user_slots_count; ++tried) {
        const uid_t user = first_ + next_;
        next_ = (next_ + 1) % user_slots_count;
        if (taken_->contains(user) || has_name(user)) continue;
        taken_->insert(user);
        return std::make_shared<Slot>(*this, user);
    }
    return nullptr;
}

}  // namespace referee::process
