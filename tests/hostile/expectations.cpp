#include "tests/hostile/expectations.h"

#include <utility>

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

std::vector<Probe> all_barred(const std::vector<std::string>& names) {
    std::vector<Probe> probes;
    for (const std::string& name : names) probes.push_back(barred(name));
    return probes;
}

std::vector<Probe> all_never(const std::vector<std::string>& names) {
    std::vector<Probe> probes;
    for (const std::string& name : names) probes.push_back(never(name));
    return probes;
}

std::vector<Attempt> on_processes() {
    return {
        {"fork_bomb",
         {"fork_many", "300"},
         {{"fork_many", open, any, held, held}},
         {{"fork_many", open, held, held, held}}},
        {"memory", {"take_memory_alone", "320"}, {barred("take_memory_alone")}},
        // Of all processes together only control groups know.
        {"memory_of_many",
         {"take_memory_together", "6", "60"},
         {{"take_memory_together", open, any, any, held}}},
        {"descriptors", {"list_descriptors"}, {{"inherited", held, held, held, held}}},
        {"referees_process",
         {"touch_process", "{victim}"},
         {barred("signal"), barred("signal_by_descriptor"), never("trace"), never("read_memory"),
          never("take_descriptor"), barred("limit"), barred("slow_down"), barred("bind_to_core"),
          barred("stop"), barred("kill")}},
        {"supervisor",
         {"touch_parent"},
         {never("trace_parent"), never("read_parents_memory"), never("take_parents_descriptor"),
          barred("stop_parent")}},
        {"processes_of_others",
         {"look_at_processes", "{victim}"},
         {barred("command_line"), barred("environment"), barred("open_files"), barred("list")}},
        {"control_groups",
         {"move_between_groups", "{victim}"},
         all_never({"rival_into_own_group", "out_of_own_group"})},
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
         [] {
             // The modes of a file belong to its owner, even where all may write it: as root, a bot
             // with a user of its own could not change them anyway.
             return all_barred({"write:own", "lock_away:own", "rename:own", "write:opponent",
                                "lock_away:opponent", "rename:opponent", "write:store",
                                "lock_away:store", "rename:store"});
         }()},
        {"some_files", {"fill_files", "100", "/tmp"}, {granted_in_namespaces("fill_files:/tmp")}},
        {"disk",
         {"fill_bytes", "16", "/tmp", "/dev/shm", "{own}"},
         {barred("fill_bytes:/tmp"), never("fill_bytes:/dev/shm"), barred("fill_bytes:{own}")}},
        {"inodes",
         {"fill_files", "3000", "/tmp", "/dev/shm", "{own}"},
         {barred("fill_files:/tmp"), never("fill_files:/dev/shm"), barred("fill_files:{own}")}},
    };
}

std::vector<Attempt> on_the_machine() {
    return {
        {"network",
         {"dial", "unix={control}", "abstract={abstract}", "tcp={tcp}", "udp={udp}"},
         {barred("unix"), barred("abstract"), barred("tcp"), never("mptcp"), never("fast_open"),
          barred("udp"), barred("listen"), never("tcp6"), never("vsock"), barred("netlink"),
          never("raw"), never("packet")}},
        {"output_redialled",
         {"redial", "{tcp}"},
         all_barred({"end_connection", "redial", "listen_on_output"}),
         {},
         false,
         true},
        {"kernel", {"enter_kernel"}, all_never({"io_uring", "key", "counters", "bpf", "faults"})},
        {"mounts",
         {"leave_mounts"},
         all_never({"user_namespace", "cloned_namespace", "mount_namespace", "rights_in_namespace",
                    "change_root", "join_referees_namespace", "device_file", "write_in:/",
                    "write_in:/usr", "write_in:/etc", "write_in:/dev", "write_in:/run",
                    "write_in:/proc"})},
        {"terminal", {"type_into_terminal"}, {never("terminal")}},
        {"python",
         {"{victim}", "own={own}/source", "store={store}", "token={token}",
          "opponent={opponent}/source"},
         {granted("read:own"), barred("read:store"), barred("read:token"), barred("read:opponent"),
          barred("list_parent"), barred("see_others"), barred("signal"), barred("udp"),
          barred("netlink"), never("user_namespace"), granted_in_namespaces("temporary_file"),
          granted("subprocess"), granted("signal_itself")},
         {},
         true},
    };
}

}  // namespace

Comes Probe::in(referee::sandbox::Tier tier) const {
    using referee::sandbox::Tier;
    if (tier == Tier::a) return a;
    if (tier == Tier::b) return b;
    return tier == Tier::c ? c : none;
}

referee::sandbox::Allowance little() {
    referee::sandbox::Allowance allowance;
    allowance.memory_bytes = 128 * mib;
    allowance.disk_bytes = 4 * mib;
    allowance.processes = 40;
    return allowance;
}

const std::vector<Attempt>& attempts() {
    static const std::vector<Attempt> all = [] {
        std::vector<Attempt> joined = on_processes();
        for (auto& more : {on_files(), on_the_machine()})
            joined.insert(joined.end(), more.begin(), more.end());
        return joined;
    }();
    return all;
}

}  // namespace hostile
