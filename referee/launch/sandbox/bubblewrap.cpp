#include "referee/launch/sandbox/bubblewrap.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace referee::sandbox {
namespace {

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

bool exists(const std::string& path) {
    struct stat file = {};
    return ::lstat(path.c_str(), &file) == 0;
}

bool is_link(const std::string& path) {
    struct stat file = {};
    return ::lstat(path.c_str(), &file) == 0 && S_ISLNK(file.st_mode);
}

std::string target_of(const std::string& path) {
    std::array<char, 4096> target = {};
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    return length > 0 ? std::string(target.data(), static_cast<std::size_t>(length))
                      : std::string();
}

class Command {
 public:
    explicit Command(const std::string& program) : words_{program} {}
    void add(std::initializer_list<std::string> words) {
        words_.insert(words_.end(), words.begin(), words.end());
    }
    void system() {
        add({"--ro-bind", "/usr", "/usr"});
        for (const std::string folder : system_folders) {
            if (is_link(folder)) {
                add({"--symlink", target_of(folder), folder});
            } else if (exists(folder)) {
                add({"--ro-bind", folder, folder});
            }
        }
        for (const std::string path : system_settings) {
            if (exists(path)) add({"--ro-bind", path, path});
        }
    }
    void device_files() {
        for (const std::string device : devices) add({"--dev-bind", device, device});
        for (const auto& [target, place] : device_links) add({"--symlink", target, place});
        add({"--dir", inside_shared_memory});
    }
    std::vector<std::string> take() { return std::move(words_); }

 private:
    std::vector<std::string> words_;
};

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
    Command command(bubblewrap);
    command.add({"--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net",
                 "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent", "--as-pid-1",
                 "--uid", std::to_string(view.uid), "--gid", std::to_string(view.gid)});
    // The shim mounts the folders for writing, and then gives this up.
    command.add({"--cap-add", "CAP_SYS_ADMIN"});
    command.system();
    command.add({"--proc", "/proc", "--dir", inside_work_folder});
    command.device_files();
    for (const Bind& bind : view.binds) command.add({"--ro-bind", bind.source, bind.place});
    if (!view.working_directory.empty()) command.add({"--dir", view.working_directory});
    // Comes last: it makes the root itself, and all that bubblewrap made in it, read-only.
    command.add({"--remount-ro", "/", "--chdir", "/", "--", inside_shim_path, shim_argument});
    return command.take();
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

}  // namespace referee::sandbox
