#include "tests/referee/launch/process/launcher_fixture.h"

#include <poll.h>

#include <chrono>
#include <stdexcept>

#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/process_tree.h"
#include "tests/places.h"

namespace referee::process {

namespace {

// time: the one place where a test of bots waits for a state or a line
using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{30};

}  // namespace

std::size_t open_descriptors() {
    return directory_names("/proc/self/fd").size();
}

std::vector<pid_t> own_children() {
    std::vector<pid_t> children;
    for (const TreeProcess& process : processes_below(::getpid(), Walk::stat_scan)) {
        if (process.parent == ::getpid()) children.push_back(process.pid);
    }
    return children;
}

char state_of(pid_t pid) {
    const auto process = look_at(pid);
    return process ? process->state : 'X';
}

pid_t parent_of(pid_t pid) {
    return look_at(pid).value_or(TreeProcess{}).parent;
}

bool is_dead(pid_t pid) {
    const char state = state_of(pid);
    return state == 'Z' || state == 'X';
}

std::string test_program(const std::string& name) {
    return tests::binary_root() + "/bin/" + name;
}

LaunchSpec test_bot(const std::string& behaviour) {
    LaunchSpec spec;
    spec.command = {test_program("launcher_test_bot"), behaviour};
    return spec;
}

LaunchSpec shell_bot(const std::string& script, Speaks speaks) {
    LaunchSpec spec;
    spec.command = {"sh", "-c", script};
    spec.speaks = speaks;
    return spec;
}

std::string LauncherTest::start(LauncherOptions options) {
    launcher_.reset();
    auto made = Launcher::create(context_.get_executor(), std::move(options));
    if (!made) return made.error().message;
    launcher_ = *std::move(made);
    return {};
}

std::string LauncherTest::start_in(sandbox::Tier tier, LauncherOptions options) {
    options.sandbox = tier != sandbox::Tier::none;
    options.tier_most = tier;
    if (auto why_not = start(std::move(options)); !why_not.empty())
        throw std::runtime_error(why_not);
    if (launcher_->sandbox().tier == tier) return {};
    std::string why_not = "no tier " + std::string(name_of(tier)) + " here";
    for (const auto& passed : launcher_->sandbox().passed_over) why_not += "; " + passed.found;
    return why_not;
}

OwnedProcess LauncherTest::launch(const LaunchSpec& spec) {
    auto launched = launcher_->launch(spec);
    if (!launched) throw std::runtime_error(launched.error().message);
    return *std::move(launched);
}

LauncherTest::TalkingBot LauncherTest::ready(const LaunchSpec& spec) {
    auto bot = talk_with(spec);
    EXPECT_EQ(bot.line(), "ready");
    return bot;
}

bool LauncherTest::run_until(const std::function<bool()>& holds) {
    const auto deadline = Clock::now() + patience;
    while (!holds()) {
        if (Clock::now() > deadline) return false;
        context_.restart();
        context_.run_one_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string LauncherTest::read_line(int descriptor) {
    std::string line;
    const auto deadline = Clock::now() + patience;
    while (Clock::now() < deadline) {
        char letter = 0;
        const ssize_t got = ::read(descriptor, &letter, 1);
        if (got == 0) return line.empty() ? "(end)" : line;
        if (got == 1 && letter == '\n') return line;
        if (got == 1) {
            line += letter;
            continue;
        }
        pollfd watched = {descriptor, POLLIN, 0};
        ::poll(&watched, 1, 100);
    }
    return "(nothing came)";
}

std::vector<std::string> LauncherTest::read_lines(int descriptor) {
    std::vector<std::string> lines;
    for (;;) {
        std::string line = read_line(descriptor);
        if (line == "(end)") return lines;
        lines.push_back(line);
        if (line == "(nothing came)") return lines;
    }
}

std::vector<std::string> LauncherTest::lines_of(const LaunchSpec& spec) {
    const auto process = launch(spec);
    const Descriptor output = process->take_output();
    auto lines = read_lines(output.get());
    EXPECT_TRUE(run_until([&] { return process->gone(); }));
    return lines;
}

void LauncherTest::expect_nothing_left(
    int launches, const std::function<LaunchSpec(const std::string&)>& spec_of) {
    // What was launched to try a tier has ended.
    EXPECT_TRUE(launcher_->wait_until_released(std::chrono::seconds(60)));
    context_.poll();
    const std::size_t descriptors = open_descriptors();
    for (int i = 0; i < launches; ++i) {
        // time: processes that stay until they are ended
        launch(spec_of(i % 2 == 0 ? "exit 0" : "sleep 1000 & sleep 1000"));
    }
    EXPECT_TRUE(launcher_->wait_until_released(std::chrono::seconds(60)));
    EXPECT_EQ(launcher_->living(), 0U);
    EXPECT_TRUE(own_children().empty());
    context_.poll();
    EXPECT_EQ(open_descriptors(), descriptors);
}

}  // namespace referee::process
