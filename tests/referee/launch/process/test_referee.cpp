// A referee that launches one bot, says whom it launched, and then does nothing until it is
// killed: launcher_test_referee ACCOUNTING COMMAND...

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <string>

#include "referee/launch/process/launcher.h"

int main(int count, char** arguments) {
    using namespace referee::process;
    if (count < 3) return 64;
    LauncherOptions options;
    for (const Accounting accounting : all_accountings) {
        if (name_of(accounting) == arguments[1]) options.accounting = accounting;
    }
    boost::asio::io_context context;
    auto made = Launcher::create(context.get_executor(), options);
    if (!made) return 1;
    auto launcher = *std::move(made);
    LaunchSpec spec;
    spec.command.assign(arguments + 2, arguments + count);
    spec.speaks = Speaks::tcp;
    auto launched = launcher->launch(spec);
    if (!launched) return 1;
    auto process = *std::move(launched);
    // The bot says the process id of its daemon.
    while (process->output_tail().find('\n') == std::string::npos) context.poll();
    std::printf("%d %s", process->pid(), process->output_tail().c_str());
    std::fflush(stdout);
    context.run();
    return 0;
}
