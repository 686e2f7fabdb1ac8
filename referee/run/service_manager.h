#pragma once

#include <optional>
#include <string>

#include "referee/clock/time.h"

namespace referee::run {

// The service manager that started this program, if one did: systemd's notification socket.
class ServiceManager {
 public:
    // Looks into the environment.
    ServiceManager();
    ~ServiceManager();
    ServiceManager(const ServiceManager&) = delete;
    ServiceManager& operator=(const ServiceManager&) = delete;
    ServiceManager(ServiceManager&&) = delete;
    ServiceManager& operator=(ServiceManager&&) = delete;

    // "READY=1", "STATUS=...", "STOPPING=1", "WATCHDOG=1", "RELOADING=1".
    void tell(const std::string& state) const;
    // How often a sign of life is due; nothing where none is asked for.
    std::optional<Duration> watchdog() const { return watchdog_; }

 private:
    int socket_ = -1;
    std::optional<Duration> watchdog_;
};

}  // namespace referee::run
