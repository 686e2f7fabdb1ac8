#include "referee/launch/sandbox/bubblewrap.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "referee/files/file.h"

namespace referee::sandbox {
namespace {

namespace fs = std::filesystem;

// On a merged system these are links into /usr.
constexpr std::array system_folders = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

// Settings that interpreters read at their start: the linker's cache, Debian's choice among
// programs, Java's and Racket's own settings, the time zone, and how names are looked up. All of
// them are public.
constexpr std::array system_settings = {
    "/etc/ld.so.cache",     "/etc/ld.so.conf",      "/etc/ld.so.conf.d",    "/etc/alternatives",
    "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk", "/etc/racket",
    "/etc/octave.conf",     "/etc/localtime",       "/etc/timezone",        "/etc/nsswitch.conf",
    "/etc/ssl/openssl.cnf", "/etc/fonts",           "/etc/mime.types"};

constexpr std::array devices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                "/dev/urandom"};

constexpr std::array<std::array<const char*, 2>, 4> device_links = {
    {{"/proc/self/fd", "/dev/fd"},
     {"/proc/self/fd/0", "/dev/stdin"},
     {"/proc/self/fd/1", "/dev/stdout"},
     {"/proc/self/fd/2", "/dev/stderr"}}};

// Of "bwrap: Can't find source path /home/ann/tables: Permission denied" the path; empty where it
// is not about a path that the bot is to see.
std::string path_not_shown(std::string_view printed) {
    constexpr std::string_view old_root = "/oldroot";
    // That nothing may be mounted at all is the machine's refusal.
    if (printed.find("Operation not permitted") != std::string_view::npos) return {};
    for (const std::string_view words : {"find source path ", "bind mount ", "mkdir parents for ",
                                         "Can't mkdir ", "Can't create file at "}) {
        const auto found = printed.find(words);
        if (found == std::string_view::npos) continue;
        auto path = printed.substr(found + words.size());
        if (path.starts_with(old_root)) path.remove_prefix(old_root.size());
        return std::string(path.substr(0, std::min(path.find(": "), path.find(" on /"))));
    }
    return {};
}

}  // namespace

std::vector<std::string> bubblewrap_command(const std::string& bubblewrap, const View& view,
                                            const std::string& shim_argument) {
    std::vector<std::string> command{bubblewrap};
    const auto add = [&command](std::initializer_list<std::string> words) {
        command.insert(command.end(), words);
    };
    add({"--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
         "--unshare-cgroup-try", "--die-with-parent", "--as-pid-1", "--uid",
         std::to_string(view.uid), "--gid", std::to_string(view.gid)});
    // The shim mounts the folders for writing, and then gives this up.
    add({"--cap-add", "CAP_SYS_ADMIN", "--ro-bind", "/usr", "/usr"});
    std::error_code ignored;
    for (const fs::path folder : system_folders) {
        if (fs::is_symlink(folder, ignored)) {
            add({"--symlink", fs::read_symlink(folder, ignored), folder});
        } else if (fs::exists(folder, ignored)) {
            add({"--ro-bind", folder, folder});
        }
    }
    for (const fs::path path : system_settings) {
        if (fs::exists(fs::symlink_status(path, ignored))) add({"--ro-bind", path, path});
    }
    add({"--proc", "/proc", "--dir", inside_work_folder});
    for (const std::string device : devices) add({"--dev-bind", device, device});
    for (const auto& [target, place] : device_links) add({"--symlink", target, place});
    add({"--dir", inside_shared_memory});
    for (const Bind& bind : view.binds) add({"--ro-bind", bind.source, bind.place});
    if (!view.working_directory.empty()) add({"--dir", view.working_directory});
    // Comes last: it makes the root itself, and all that bubblewrap made in it, read-only.
    add({"--remount-ro", "/", "--chdir", "/", "--", inside_shim_path, shim_argument});
    return command;
}

SkippedTier not_executed(const std::string& why) {
    return {Tier::b, "bubblewrap (bwrap) could not be executed: " + why,
            "install it anew where everybody may execute it, e.g. apt install bubblewrap; as root "
            "the bot's user starts it, and one below /tmp is not found"};
}

SkippedTier refused_by_machine(const std::string& printed) {
    SkippedTier refused{Tier::b, "bubblewrap could make no sandbox: " + printed, ""};
    const auto said = [&](std::string_view words) {
        return printed.find(words) != std::string::npos;
    };
    if (const auto path = path_not_shown(printed); !path.empty()) {
        refused.found = "bubblewrap can't show " + path + " in the sandbox: " + printed;
        refused.advice =
            "name a path in \"directory\" or \"reads\" that the bot's user may enter and read, "
            "and no link; chmod +x the folders above it";
    } else if (said("nknown option") || said("nrecognized option")) {
        refused.found = "bubblewrap is too old: " + printed;
        refused.advice =
            "install version 0.4 or newer, e.g. apt install bubblewrap; 0.8 is known to work";
    } else if (said("No permissions to create") || said("user namespace") || said("uid map") ||
               said("Operation not permitted") || said("Permission denied")) {
        refused.advice =
            "allow user namespaces, e.g. sysctl kernel.unprivileged_userns_clone=1 or "
            "kernel.apparmor_restrict_unprivileged_userns=0; in a container, start it with the "
            "right to make them";
    } else {
        refused.advice =
            "run 'bwrap --unshare-all --ro-bind / / true' as the same user; it says more";
    }
    return refused;
}

std::vector<std::string> system_paths() {
    std::vector<std::string> paths = {"/usr"};
    paths.insert(paths.end(), system_folders.begin(), system_folders.end());
    paths.insert(paths.end(), system_settings.begin(), system_settings.end());
    return paths;
}

bool is_of_system(const std::string& path) {
    return std::ranges::any_of(
        system_paths(), [&path](const auto& folder) { return files::lies_in(path, folder); });
}

}  // namespace referee::sandbox
