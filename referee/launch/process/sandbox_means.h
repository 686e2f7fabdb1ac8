#pragma once

// What a launcher has to make sandboxes with, and what the shim must know to make one.

#include <sys/types.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/shim_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::process {

// Above the users of people and of services, below those that systemd and subordinate users take.
constexpr uid_t user_slots_first = 70'000;
// Where a container knows only the usual 65,536 users.
constexpr uid_t user_slots_first_in_container = 50'000;
constexpr uid_t user_slots_count = 1'000;

// Whether all users from `first` on, `count` of them, can be had, by a text as in
// /proc/self/uid_map.
bool has_users(std::string_view uid_map, uid_t first, uid_t count);

// Users that bots get where the referee is root: one for each bot at a time, so that no bot can
// touch another's processes or files, and none runs as root.
class UserSlots {
 public:
    // A user that is taken; given back when nobody has this any more.
    using Slot = std::shared_ptr<const uid_t>;

    // Nothing where this process can't change users.
    static std::optional<UserSlots> find();

    // The next user that is free and has no name on this machine. Empty where all are taken.
    Slot take();

 private:
    explicit UserSlots(uid_t first) : first_(first) {}

    uid_t first_;
    uid_t next_ = 0;
    std::shared_ptr<std::set<uid_t>> taken_ = std::make_shared<std::set<uid_t>>();
};

class SandboxMeans {
 public:
    // Looks for bubblewrap, Landlock and users to change to; tries nothing yet. `shim_path`: of the
    // exec shim.
    SandboxMeans(std::string shim_path, const std::string& search_path);

    // Why this kind of sandbox can't be made, as far as that can be seen without making one.
    base::Result<void, sandbox::SkippedTier> can_make(sandbox::Tier tier) const;

    // Whether a sandbox of this tier holds this bot.
    base::Result<void, sandbox::SkippedTier> can_hold(const LaunchSpec& spec,
                                                      sandbox::Tier tier) const;

    // As root every bot gets a user of its own. Nothing where the referee is an ordinary user, whom
    // its bots share.
    base::Result<UserSlots::Slot, sandbox::SkippedTier> take_user();

    // Completes what the shim is told, whose other members are set. Requires: can_make(tier), and a
    // sandbox in the spec.
    void plan(const LaunchSpec& spec, sandbox::Tier tier, ShimSpec& shim) const;

    // The file of bubblewrap; empty where there is none.
    std::string bubblewrap() const { return bubblewrap_ ? *bubblewrap_ : std::string(); }

    // How many processes a sandbox itself needs.
    static constexpr std::uint64_t own_processes = 3;

 private:
    base::Result<void, sandbox::SkippedTier> can_use_landlock() const;
    void plan_namespaces(const LaunchSpec& spec, ShimSpec& shim) const;
    void plan_landlock(const LaunchSpec& spec, ShimSpec& shim) const;

    std::string shim_path_;
    bool is_root_;
    base::Result<std::string, sandbox::SkippedTier> bubblewrap_;
    std::optional<UserSlots> users_;
    // The kernel's programs, for a bot with a network of its own and for one without.
    struct Filters {
        std::string none;
        std::string loopback;
    };
    Filters in_namespaces_;
    Filters in_shared_;
    std::string no_filter_;  // why they could not be made
};

}  // namespace referee::process
