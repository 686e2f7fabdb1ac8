#include "tests/hostile/expectations.h"

namespace hostile {

namespace {

using enum Comes;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// What succeeds outside and is held in all tiers; and what need not succeed outside, because an
// ordinary user may not do it or the kernel lacks it.
Probe barred(const std::string& name) {
    return {name, open, held, held, held};
}
Probe never(const std::string& name) {
    return {name, any, held, held, held};
}
// What every bot needs.
Probe granted(const std::string& name) {
    return {name, open, open, open, open};
}
// What needs a folder to write in, which tier C doesn't give.
Probe granted_in_namespaces(const std::string& name) {
    return {name, open, held, open, open};
}

std::vector<Probe> all(Probe (*promise)(const std::string& name),
                       const std::vector<std::string>& names) {
    std::vector<Probe> probes;
    for (const std::string& name : names) probes.push_back(promise(name));
    return probes;
}

std::vector<Attempt> on_processes() {
    return {
        {"descriptors", {"list_descriptors"}, {{"inherited", held, held, held, held}}},
        {"referees_process",
         {"touch_process", "{victim}"},
         all(barred, {"signal", "signal_by_descriptor", "limit", "slow_down", "bind_to_core",
                      "stop", "kill"})},
        {"supervisor", {"touch_parent"}, {barred("stop_parent")}},
        {"supervisors_secrets",
         {"look_at_parent"},
         all(never,
             {"parents_environment", "parents_memory", "parents_descriptors", "parents_root"})},
        {"processes_of_others",
         {"look_at_processes", "{victim}"},
         all(barred, {"command_line", "environment", "open_files", "list"})},
        {"control_groups",
         {"move_between_groups", "{victim}"},
         all(never, {"rival_into_own_group", "out_of_own_group"})},
    };
}

std::vector<Attempt> on_files() {
    return {
        {"reading",
         {"read_files", "own={own}/source", "opponent={opponent}/source", "store={store}",
          "config={config}", "token={token}", "shadow=/etc/shadow"},
         {granted("read:own"), barred("read:opponent"), barred("read:store"), barred("read:config"),
          barred("read:token"), never("read:shadow")}},
        {"changing",
         {"change_files", "own={own}/source", "opponent={opponent}/source", "store={store}"},
         all(barred,
             {"write:own", "lock_away:own", "rename:own", "write:opponent", "lock_away:opponent",
              "rename:opponent", "write:store", "lock_away:store", "rename:store"})},
        {"some_files", {"fill_files", "100", "/tmp"}, {granted_in_namespaces("fill_files:/tmp")}},
        {"disk",
         {"fill_bytes", "8", "/tmp", "/dev/shm", "{own}"},
         {barred("fill_bytes:/tmp"), never("fill_bytes:/dev/shm"), barred("fill_bytes:{own}")}},
        {"inodes",
         {"fill_files", "900", "/tmp", "/dev/shm", "{own}"},
         {barred("fill_files:/tmp"), never("fill_files:/dev/shm"), barred("fill_files:{own}")}},
        {"systems_folders",
         {"write_anywhere"},
         all(never, {"device_file", "write_in:/", "write_in:/usr", "write_in:/etc", "write_in:/dev",
                     "write_in:/run", "write_in:/proc"})},
    };
}

std::vector<Attempt> on_the_network() {
    return {
        {"network",
         {"dial", "unix={control}", "abstract={abstract}", "tcp={tcp}", "udp={udp}"},
         all(barred, {"unix", "abstract", "tcp", "udp", "listen", "netlink"})},
        {"network_of_who_dials_in",
         {"dial", "unix={control}", "abstract={abstract}", "tcp={tcp}", "other={other}",
          "udp={udp}"},
         {barred("unix"), barred("abstract"), granted("tcp"), barred("other_port"), barred("udp"),
          barred("listen"), barred("netlink")},
         How::dials_in},
        {"output_redialled",
         {"redial", "{tcp}"},
         all(barred, {"end_connection", "redial", "listen_on_output"}),
         How::tells_on_standard_error},
    };
}

}  // namespace

Comes Probe::in(referee::sandbox::Tier tier) const {
    using referee::sandbox::Tier;
    if (tier == Tier::a) return a;
    if (tier == Tier::b) return b;
    return tier == Tier::c ? c : none;
}

referee::process::SandboxAllowance little() {
    referee::process::SandboxAllowance allowance;
    allowance.memory_bytes = 128 * mib;
    allowance.disk_bytes = 2 * mib;
    return allowance;
}

const std::vector<Attempt>& bombs() {
    static const std::vector<Attempt> each{
        {"fork_bomb", {"fork_many", "300"}, {{"fork_many", open, held_as_root, held, held}}},
        {"memory", {"take_memory_alone", "192"}, {barred("take_memory_alone")}, How::may_be_ended},
        {"shared_memory",
         {"take_shared_memory", "192"},
         {{"take_shared_memory", open, any, any, held}},
         How::may_be_ended},
        // Of all processes together only control groups know.
        {"memory_of_many",
         {"take_memory_together", "6", "40"},
         {{"take_memory_together", open, any, any, held}},
         How::may_be_ended},
    };
    return each;
}

const std::vector<Attempt>& attempts() {
    static const std::vector<Attempt> each = [] {
        std::vector<Attempt> joined = on_processes();
        for (auto& more : {on_files(), on_the_network()})
            joined.insert(joined.end(), more.begin(), more.end());
        return joined;
    }();
    return each;
}

}  // namespace hostile
