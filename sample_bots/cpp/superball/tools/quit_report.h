#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace bots::superball::tools {

// While it lives, a QUIT signal to this process prints the score so far and the game goes on. One
// at a time; made before any other thread. The signal stays blocked afterwards, so that a late one
// doesn't take the program down in its last moment.
class QuitReport {
 public:
    QuitReport();
    ~QuitReport();
    QuitReport(const QuitReport&) = delete;
    QuitReport& operator=(const QuitReport&) = delete;
    QuitReport(QuitReport&&) = delete;
    QuitReport& operator=(QuitReport&&) = delete;

    void set_score(std::int64_t score) { score_ = score; }

 private:
    void listen();

    std::atomic<std::int64_t> score_{0};
    std::atomic<bool> ending_{false};
    std::thread listener_;
};

}  // namespace bots::superball::tools
