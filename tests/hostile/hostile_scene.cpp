#include "tests/hostile/hostile_scene.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace hostile {

namespace {

constexpr mode_t for_all = 0777;
constexpr int waiting_max = 64;

void demand(bool held, const char* what) {
    if (!held) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

int listen_unix(const std::string& name, bool abstract) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + (abstract ? 1 : 0), name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    demand(::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0, "bind");
    demand(::listen(socket, waiting_max) == 0, "listen");
    return socket;
}

// A socket on 127.0.0.1, and its port.
int bind_loopback(int type, std::uint16_t& port) {
    const int socket = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    demand(::bind(socket, place, size) == 0, "bind");
    demand(::getsockname(socket, place, &size) == 0, "getsockname");
    port = ntohs(address.sin_port);
    return socket;
}

}  // namespace

Scene::Scene() {
    ::chmod(folder_.path.c_str(), for_all);
    for (const char* const name : {"own", "opponent"}) {
        std::filesystem::create_directory(path(name));
        ::chmod(path(name).c_str(), for_all);
    }
    for (const char* const name :
         {"own/source", "opponent/source", "store.sqlite", "config.json", "token"}) {
        std::ofstream(path(name)) << "text\n";
        ::chmod(path(name).c_str(), for_all);
    }
    open_sockets();
    renew_victim();
}

Scene::~Scene() {
    end_victim();
    for (const int socket : sockets_) ::close(socket);
}

void Scene::open_sockets() {
    abstract_name_ = "hostile-test-" + std::to_string(::getpid());
    sockets_.push_back(listen_unix(path("control"), false));
    ::chmod(path("control").c_str(), for_all);
    sockets_.push_back(listen_unix(abstract_name_, true));
    for (std::uint16_t* const port : {&port_, &other_port_}) {
        sockets_.push_back(bind_loopback(SOCK_STREAM, *port));
        demand(::listen(sockets_.back(), waiting_max) == 0, "listen");
    }
    sockets_.push_back(bind_loopback(SOCK_DGRAM, datagram_port_));
}

void Scene::renew_victim() {
    end_victim();
    victim_ = ::fork();
    if (victim_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) ::pause();
    }
}

void Scene::end_victim() {
    if (victim_ <= 0) return;
    ::kill(victim_, SIGKILL);
    ::waitpid(victim_, nullptr, 0);
}

std::string Scene::filled_in(std::string text) const {
    const std::pair<std::string, std::string> words[] = {
        {"{own}", own_folder()},
        {"{opponent}", path("opponent")},
        {"{store}", path("store.sqlite")},
        {"{config}", path("config.json")},
        {"{token}", path("token")},
        {"{control}", path("control")},
        {"{abstract}", abstract_name_},
        {"{victim}", std::to_string(victim_)},
        {"{tcp}", std::to_string(port_)},
        {"{other}", std::to_string(other_port_)},
        {"{udp}", std::to_string(datagram_port_)},
    };
    for (const auto& [word, value] : words)
        for (auto at = text.find(word); at != text.npos; at = text.find(word))
            text.replace(at, word.size(), value);
    return text;
}

}  // namespace hostile
