#pragma once

// What a hostile bot finds around it: a referee's files and sockets, an opponent's folder, and a
// process of the referee's user. Everything is readable and writable for all, so that only the
// sandbox can hold it.

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/folder_of_test.h"

namespace hostile {

class Scene {
 public:
    Scene();
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    // Puts paths and numbers in place of {own}, {store}, {victim}, {tcp} and so on.
    std::string filled_in(std::string text) const;

    // A fresh process of the referee's user, in place of the one before.
    void renew_victim();

    std::string path(const std::string& name) const { return folder_.at(name); }
    std::string own_folder() const { return path("own"); }
    // Where bots are told to dial in. {other} is a port of somebody else.
    std::uint16_t port() const { return port_; }

 private:
    void end_victim();
    void open_sockets();

    const tests::FolderOfTest folder_;
    std::string abstract_name_;
    pid_t victim_ = -1;
    std::uint16_t port_ = 0;
    std::uint16_t other_port_ = 0;
    std::uint16_t datagram_port_ = 0;
    std::vector<int> sockets_;
};

}  // namespace hostile
