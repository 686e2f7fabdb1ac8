#pragma once

#include <functional>
#include <memory>
#include <string>

#include "protocol/base/result.h"

struct duk_hthread;

namespace referee::drawing {

// A small interpreter of JavaScript for scripts of ours: it knows no file, no network, no clock.
class Interpreter {
 public:
    Interpreter();

    // Runs the script; the text that its last expression has. An error is what the script threw.
    base::Result<std::string, std::string> run(const std::string& script);
    // A global text.
    void set(const char* name, const std::string& value);
    // A global function of a number that gives a text; empty becomes null.
    using Texts = std::function<std::string(double)>;
    void set(const char* name, Texts texts);

 private:
    struct Ends {
        void operator()(duk_hthread* context) const;
    };
    std::unique_ptr<duk_hthread, Ends> context_;
    std::unique_ptr<Texts> texts_;
};

}  // namespace referee::drawing
