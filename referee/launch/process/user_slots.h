#pragma once

// Users that bots get where the referee is root: one for each bot at a time, so that no bot can
// touch another's processes or files, and none runs as root.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace referee::process {

// Above the users of people and of services, below those that systemd and subordinate users take.
constexpr uid_t user_slots_first = 70'000;
// Where a container knows only the usual 65,536 users.
constexpr uid_t user_slots_first_in_container = 50'000;
constexpr uid_t user_slots_count = 1'000;

// Whether all users from `first` on, `count` of them, can be had, by a text as in
// /proc/self/uid_map.
bool has_users(std::string_view uid_map, uid_t first, uid_t count);

class UserSlots {
 public:
    // A user that is taken; given back at the end.
    class Slot {
     public:
        Slot(UserSlots& slots, uid_t user) : taken_(slots.taken_), user_(user) {}
        ~Slot() { taken_->erase(user_); }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
        uid_t user() const { return user_; }

     private:
        std::shared_ptr<std::set<uid_t>> taken_;
        uid_t user_;
    };

    // Nothing where this process can't change users.
    static std::optional<UserSlots> find();

    // The next user that is free and has no name on this machine. Empty where all are taken.
    std::shared_ptr<Slot> take();

 private:
    explicit UserSlots(uid_t first) : first_(first) {}

    uid_t first_;
    uid_t next_ = 0;
    std::shared_ptr<std::set<uid_t>> taken_ = std::make_shared<std::set<uid_t>>();
};

}  // namespace referee::process
