#pragma once

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "referee/cli/ctl_report.h"
#include "referee/net/control/daemon_connection.h"

// What the orders of `referee ctl` are added by.

namespace referee::cli {

struct CtlOptions {
    std::string out;
    std::string address;
    std::string token;
    control::Daemon daemon;
    bool json = false;
    bool watch = false;
    CtlView view;  // without the width
    nlohmann::json request = nlohmann::json::object();
};

// The line of usage shows what option_text() says of a place, where CLI11 writes "NAME(1x)".
class UsageByText final : public CLI::Formatter {
    std::string make_option_usage(const CLI::Option* option) const override {
        const auto& text = option->get_option_text();
        return text.empty() ? CLI::Formatter::make_option_usage(option) : text;
    }
};

// Adds `ctl NAME` with the options that it needs, and asks the daemon when it is called.
class CtlVerbs {
 public:
    // Asks the daemon; the exit status.
    using Ask = std::function<int(CtlOptions& options)>;

    // `command`: what all of them ask; empty: each what its name says.
    CtlVerbs(CLI::App& ctl, std::shared_ptr<CtlOptions> options, Ask ask, int& status,
             std::string command = {})
        : ctl_(ctl),
          options_(std::move(options)),
          ask_(std::move(ask)),
          status_(status),
          command_(std::move(command)) {
        ctl_.formatter(std::make_shared<UsageByText>());
    }

    // `examples` are what stands behind `referee ctl --out class`, a line each; `more` is what
    // else its help says.
    CLI::App* add(const std::string& name, const std::string& description,
                  const std::vector<std::string>& examples, const std::string& more = "") {
        auto* verb = ctl_.add_subcommand(name, description);
        std::string footer;
        for (const auto& example : examples)
            footer += "  $ referee ctl --out class " + example + '\n';
        if (!more.empty()) footer += '\n' + more;
        verb->footer(footer +
                     "\nExit status: 0 done; 1 refused, with the reason; 3 no daemon answers.");
        const auto command = command_.empty() ? name : command_;
        verb->callback([options = options_, command, ask = ask_, &status = status_] {
            options->request["command"] = command;
            status = ask(*options);
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
    // Which tournament it is about.
    void tournament(CLI::App* verb) {
        text(verb, "TOURNAMENT", "tournament", "Its id; may be left out where there is only one");
    }
    // The tournament, then so many bots: `member` has their names, or the one name.
    void bots(CLI::App* verb, std::size_t count, const std::string& member) {
        verb->add_option_function<std::vector<std::string>>(
                "NAME",
                [options = options_, member, count](std::vector<std::string> names) {
                    // Without bots `pair` asks how a round would be drawn.
                    const bool has_tournament =
                        names.size() == count + 1 || (count > 1 && names.size() == 1);
                    if (has_tournament) {
                        options->request["tournament"] = names.front();
                        names.erase(names.begin());
                    }
                    if (count == 1 && names.size() == 1) {
                        options->request[member] = names.front();
                    } else {
                        options->request[member] = names;
                    }
                },
                "The tournament's id, which may be left out where there is only one, and then " +
                    std::string(count == 1 ? "the bot's name" : "the two bots' names"))
            ->option_text(count == 1 ? "[TOURNAMENT] BOT" : "[TOURNAMENT] [BOT BOT]")
            ->required(count == 1)
            ->expected(count == 1 ? 1 : 0, static_cast<int>(count) + 1);
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
    void preview(CLI::App* verb) {
        flag(verb, "--dry-run", "dry_run", "Tell what it would do, and change nothing");
    }
    void reason(CLI::App* verb) {
        preview(verb);
        text(verb, "--reason", "reason",
             "Recorded with it, and told to bots, and on pages, to whom it concerns");
    }

 private:
    CLI::App& ctl_;
    std::shared_ptr<CtlOptions> options_;
    Ask ask_;
    int& status_;
    std::string command_;
};

}  // namespace referee::cli
