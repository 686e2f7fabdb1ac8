#pragma once

#include <optional>
#include <string>

#include "referee/game/clock/time.h"

namespace referee::daemon {

// Tells systemd how the program fares, where systemd started it and asked for that.
class SystemdNotice {
 public:
    // Reads systemd's wishes from the environment.
    SystemdNotice();
    ~SystemdNotice();
    SystemdNotice(const SystemdNotice&) = delete;
    SystemdNotice& operator=(const SystemdNotice&) = delete;
    SystemdNotice(SystemdNotice&&) = delete;
    SystemdNotice& operator=(SystemdNotice&&) = delete;

    // "READY=1", "STATUS=...", "STOPPING=1", "WATCHDOG=1", "RELOADING=1".
    void tell(const std::string& state) const;
    // How often a sign of life is due; nothing where none is asked for.
    std::optional<Duration> watchdog() const { return watchdog_; }

 private:
    int socket_ = -1;
    std::optional<Duration> watchdog_;
};

}  // namespace referee::daemon
