#include "referee/bots/launcher/process.h"

#include "referee/bots/launcher/bot_process.h"

namespace referee::launcher {

namespace {

std::string drained_text(OutputTail* tail) {
    if (tail == nullptr) return {};
    tail->drain();
    return tail->text();
}

}  // namespace

Process::Process(std::shared_ptr<BotProcess> bot) : bot_(std::move(bot)) {}

Process::~Process() {
    bot_->release();
}

pid_t Process::pid() const {
    return bot_->pid();
}

Descriptor Process::take_input() {
    return std::move(bot_->pipes().input);
}

Descriptor Process::take_output() {
    return std::move(bot_->pipes().output);
}

std::uint64_t Process::cpu_time_us() {
    return bot_->cpu_time_us();
}

Accounting Process::accounting() const {
    return bot_->accounting();
}

bool Process::background_granted() const {
    return bot_->background_granted();
}

int Process::freeze() {
    return bot_->set_frozen(true);
}

int Process::thaw() {
    return bot_->set_frozen(false);
}

void Process::kill() {
    bot_->kill();
}

void Process::on_exit(std::function<void(const ExitStatus&)> call) {
    bot_->on_exit(std::move(call));
}

void Process::on_gone(std::function<void()> call) {
    bot_->on_gone(std::move(call));
}

std::optional<ExitStatus> Process::exit_status() const {
    return bot_->exit_status();
}

bool Process::gone() const {
    return bot_->phase() == BotProcess::Phase::gone;
}

std::string Process::error_tail() {
    return drained_text(bot_->error_tail());
}

std::uint64_t Process::error_bytes() const {
    return bot_->error_tail()->bytes_total();
}

std::string Process::output_tail() {
    return drained_text(bot_->output_tail());
}

}  // namespace referee::launcher
