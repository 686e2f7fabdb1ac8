// What a bot does to files: the referee's, an opponent's, and the disk.

#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "tests/hostile/attempt.h"

namespace hostile {

namespace {

int create(const std::string& path, std::size_t bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    static const std::vector<char> noise(bytes_a_mib, 'x');
    int error = 0;
    for (std::size_t written = 0; written < bytes && error == 0; written += bytes_a_mib) {
        const ssize_t got = ::write(file, noise.data(), noise.size());
        if (got != static_cast<ssize_t>(noise.size())) error = got < 0 ? errno : ENOSPC;
    }
    ::close(file);
    return error;
}

// Fills each folder with so many files, tells whether all came into being, and removes them.
void fill(const char* probe, const Arguments& arguments, std::size_t bytes_a_file) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const auto path = [&](long number_of_file) {
            return arguments[i] + "/hostile." + std::to_string(number_of_file);
        };
        int error = 0;
        long made = 0;
        for (; made < number(arguments[0]) && error == 0; ++made)
            error = create(path(made), bytes_a_file);
        for (long one = 0; one < made; ++one) ::unlink(path(one).c_str());
        tell(std::string(probe) + ":" + arguments[i], error);
    }
}

int open_and_close(const std::string& path, int flags) {
    const int file = ::open(path.c_str(), flags | O_CLOEXEC);
    if (file < 0) return errno;
    ::close(file);
    return 0;
}

key_t key_of(const std::string& name) {
    key_t key = 17;
    for (const char letter : name) key = key * 31 + letter;
    return key;
}

std::string queue_of(const std::string& name) {
    return "/" + name;
}

void read_files(const Arguments& arguments) {
    for (const std::string& argument : arguments) {
        const auto [label, path] = labelled(argument);
        tell("read:" + label, open_and_close(path, O_RDONLY));
    }
}

// Nothing changes where it may: each keeps its bytes, its mode and its name.
void change_files(const Arguments& arguments) {
    for (const std::string& argument : arguments) {
        const auto [label, path] = labelled(argument);
        tell("write:" + label, open_and_close(path, O_WRONLY));
        struct stat file = {};
        const mode_t mode = ::stat(path.c_str(), &file) == 0 ? file.st_mode : S_IRUSR | S_IWUSR;
        tell("lock_away:" + label, errno_of(::chmod(path.c_str(), mode & ALLPERMS)));
        const std::string renamed = path + ".renamed";
        const int error = errno_of(::rename(path.c_str(), renamed.c_str()));
        if (error == 0) ::rename(renamed.c_str(), path.c_str());
        tell("rename:" + label, error);
    }
}

void fill_bytes(const Arguments& arguments) {
    fill("fill_bytes", arguments, bytes_a_mib);
}

void fill_files(const Arguments& arguments) {
    fill("fill_files", arguments, 0);
}

// A file in each folder, a shared memory of System V and a message queue.
void leave_files(const Arguments& arguments) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        tell("leave:" + arguments[i], create(arguments[i] + "/" + arguments[0], 1));
    }
    tell("leave:memory", errno_of(::shmget(key_of(arguments[0]), 1, IPC_CREAT | 0600)));
    tell("leave:queue",
         errno_of(::mq_open(queue_of(arguments[0]).c_str(), O_CREAT | O_RDWR, 0600, nullptr)));
}

// Finds what the run before left, and removes it.
void find_files(const Arguments& arguments) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string path = arguments[i] + "/" + arguments[0];
        tell("find:" + arguments[i], open_and_close(path, O_RDONLY));
        ::unlink(path.c_str());
    }
    const int memory = ::shmget(key_of(arguments[0]), 1, 0);
    tell("find:memory", errno_of(memory));
    if (memory >= 0) ::shmctl(memory, IPC_RMID, nullptr);
    tell("find:queue", errno_of(::mq_open(queue_of(arguments[0]).c_str(), O_RDWR)));
    ::mq_unlink(queue_of(arguments[0]).c_str());
}

// A device is the machine's memory.
void write_anywhere(const Arguments&) {
    constexpr dev_t memory = 0x101;
    tell("device_file", errno_of(::mknod("/tmp/hostile.device", S_IFCHR | 0600, memory)));
    ::unlink("/tmp/hostile.device");
    for (const char* const place : {"/", "/usr", "/etc", "/dev", "/run", "/proc"}) {
        const int folder = ::open(place, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
        const std::string path = std::string(place) + "/hostile.file";
        const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        const int error = folder < 0 ? errno_of(file) : 0;
        if (file >= 0) ::unlink(path.c_str());
        tell(std::string("write_in:") + place, error);
    }
}

}  // namespace

std::span<const Action> actions_on_files() {
    static constexpr auto actions = std::to_array<Action>({
        {"read_files", read_files, 1},      // LABEL=PATH...
        {"change_files", change_files, 1},  // LABEL=PATH...
        {"fill_bytes", fill_bytes, 2},      // MIB FOLDER...
        {"fill_files", fill_files, 2},      // COUNT FOLDER...
        {"leave_files", leave_files, 2},    // NAME FOLDER...
        {"find_files", find_files, 2},      // NAME FOLDER...
        {"write_anywhere", write_anywhere},
    });
    return actions;
}

}  // namespace hostile
