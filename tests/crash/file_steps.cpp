#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

// Changes files in the folder that it is given, a call at a time, so that the kill shim can be
// tested.

namespace {

constexpr mode_t mode = 0600;

bool steps(const std::string& folder) {
    bool good = mkdir((folder + "/inner").c_str(), 0700) == 0;
    const auto name = folder + "/inner/file";
    const int file = open(name.c_str(), O_RDWR | O_CREAT, mode);
    good = good && write(file, "12345678", 8) == 8;
    good = good && pwrite(file, "abcd", 4, 2) == 4;
    good = good && fsync(file) == 0 && fdatasync(file) == 0;
    good = good && ftruncate(file, 6) == 0 && close(file) == 0;
    std::ofstream(folder + "/stream") << "streamed";
    good = good && rename(name.c_str(), (folder + "/renamed").c_str()) == 0;
    good = good && unlink((folder + "/stream").c_str()) == 0;
    return good;
}

// Nothing of this is counted: outside, reading, a child's.
bool uncounted(const std::string& folder) {
    const int outside = open((folder + "-outside").c_str(), O_WRONLY | O_CREAT, mode);
    bool good = write(outside, "x", 1) == 1 && close(outside) == 0;
    const int again = open((folder + "/renamed").c_str(), O_RDWR | O_CREAT, mode);
    char byte = 0;
    good = good && read(again, &byte, 1) == 1 && close(again) == 0;
    good = good && unlink((folder + "/nothing").c_str()) != 0;
    const pid_t child = fork();
    if (child == 0) {
        const int mine = open((folder + "/child").c_str(), O_WRONLY | O_CREAT, mode);
        _exit(write(mine, "x", 1) == 1 ? 0 : 1);
    }
    int status = 0;
    return good && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    return steps(argv[1]) && uncounted(argv[1]) ? 0 : 1;
}
