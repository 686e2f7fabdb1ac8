#pragma once

#include <string>

namespace referee::supply {

// What is told of one bot again and again, launch after launch: in full where it is new, and in a
// few words where it is what was told last.
class RepeatedWords {
 public:
    // `what`: what happened, in a line. `details`: all else, as what the bot printed.
    std::string once(const std::string& what, const std::string& details);

 private:
    std::string last_;
};

}  // namespace referee::supply
