#pragma once

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "referee/net/control/client.h"

// What the orders of `referee ctl` are added by.

namespace referee::cli {

struct CtlOptions {
    std::string out;
    std::string address;
    std::string token;
    control::Daemon daemon;
    bool json = false;
    bool watch = false;
    nlohmann::json request = nlohmann::json::object();
};

// Asks the daemon; the exit status.
int ask_daemon(CtlOptions& options);

// Adds `ctl NAME` with the options that it needs, and asks the daemon when it is called.
class CtlVerbs {
 public:
    CtlVerbs(CLI::App& ctl, std::shared_ptr<CtlOptions> options, int& status)
        : ctl_(ctl), options_(std::move(options)), status_(status) {}

    CLI::App* add(const std::string& name, const std::string& command,
                  const std::string& description) {
        auto* verb = ctl_.add_subcommand(name, description);
        verb->callback([options = options_, command, &status = status_] {
            options->request["command"] = command;
            status = ask_daemon(*options);
        });
        verb->add_flag("--json", options_->json, "The daemon's answer as JSON");
        return verb;
    }
    void text(CLI::App* verb, const std::string& option, const std::string& member,
              const std::string& description, bool required = false) {
        auto* added = verb->add_option_function<std::string>(
            option,
            [options = options_, member](const std::string& value) {
                options->request[member] = value;
            },
            description);
        if (required) added->required();
    }
    void flag(CLI::App* verb, const std::string& option, const std::string& member,
              const std::string& description) {
        verb->add_flag_callback(
            option, [options = options_, member] { options->request[member] = true; }, description);
    }
    void texts(CLI::App* verb, const std::string& option, const std::string& member,
               const std::string& description) {
        verb->add_option_function<std::vector<std::string>>(
            option,
            [options = options_, member](const std::vector<std::string>& values) {
                options->request[member] = values;
            },
            description);
    }
    // Who orders it; the user who is logged in, if nobody is named.
    void by(CLI::App* verb) {
        verb->preparse_callback([options = options_](std::size_t /*arguments*/) {
            if (const auto* user = getpwuid(geteuid()); user != nullptr)
                options->request["by"] = user->pw_name;
        });
        text(verb, "--by", "by",
             "Who orders it, recorded with it and told with the reason; else your login name");
    }
    void reason(CLI::App* verb) {
        text(verb, "--reason", "reason",
             "Recorded with it, and told to bots, and on pages, to whom it concerns");
    }

 private:
    CLI::App& ctl_;
    std::shared_ptr<CtlOptions> options_;
    int& status_;
};

// Orders that annul what was played, or take that back, and what is asked before them.
void add_again_verbs(CtlVerbs& verbs);

}  // namespace referee::cli
