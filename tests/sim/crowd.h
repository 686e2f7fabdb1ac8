#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/sim/link.h"
#include "tests/sim/run_report.h"

namespace tests::sim {

// Those at the door who don't belong there, while a tournament is played: idle connections from the
// bots' own address, and guessers of their tokens from another one.
class Crowd final : public Link::Peer {
 public:
    using Admit = std::function<void(const std::shared_ptr<Link>&)>;

    // Guesses at the tokens of these names, and counts in the report what comes of it.
    Crowd(World& world, Random random, std::vector<std::string> names, RunReport& report,
          Admit admit);

    void begin();
    // The referee of these connections is gone, or the run is over.
    void leave();
    void end();

    bool was_let_in() const { return let_in_; }

    void on_bytes(Link& link, std::string_view bytes) override;
    void on_closed(Link& /*link*/) override {}

 private:
    void idle();
    void guess();
    std::shared_ptr<Link> dial(const std::string& address);

    World& world_;
    Random random_;
    std::vector<std::string> names_;
    RunReport& report_;
    Admit admit_;
    std::vector<std::shared_ptr<Link>> links_;
    bool let_in_ = false;
    bool over_ = false;
};

}  // namespace tests::sim
