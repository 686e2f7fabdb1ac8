#include "referee/bots/launcher/launched_bot.h"

#include "referee/bots/launcher/bot_process.h"

namespace referee::launcher {

namespace {

std::string drained_text(OutputTail* tail) {
    if (tail == nullptr) return {};
    tail->drain();
    return tail->text();
}

}  // namespace

LaunchedBot::LaunchedBot(std::shared_ptr<BotProcess> bot) : bot_(std::move(bot)) {}

LaunchedBot::~LaunchedBot() {
    bot_->release();
}

Descriptor LaunchedBot::take_door() {
    return std::move(bot_->door());
}

sandbox::Tier LaunchedBot::tier() const {
    return bot_->tier();
}

pid_t LaunchedBot::pid() const {
    return bot_->pid();
}

Descriptor LaunchedBot::take_input() {
    return std::move(bot_->pipes().input);
}

Descriptor LaunchedBot::take_output() {
    return std::move(bot_->pipes().output);
}

const std::string& LaunchedBot::no_socket() const {
    return bot_->no_socket();
}

std::uint64_t LaunchedBot::cpu_time_us() {
    return bot_->cpu_time_us();
}

void LaunchedBot::begin_turn() {
    bot_->begin_turn();
}

std::chrono::nanoseconds LaunchedBot::waited_certainly(std::chrono::nanoseconds wall) {
    return bot_->waited_certainly(wall);
}

std::optional<std::chrono::nanoseconds> LaunchedBot::worked_in_turn() {
    return bot_->worked_in_turn();
}

std::chrono::nanoseconds LaunchedBot::waited_possibly(std::chrono::nanoseconds wall) {
    return bot_->waited_possibly(wall);
}

Accounting LaunchedBot::accounting() const {
    return bot_->accounting();
}

bool LaunchedBot::background_granted() const {
    return bot_->background_granted();
}

int LaunchedBot::freeze() {
    return bot_->set_frozen(true);
}

int LaunchedBot::thaw() {
    return bot_->set_frozen(false);
}

void LaunchedBot::kill() {
    bot_->kill();
}

void LaunchedBot::on_exit(std::function<void(const ExitStatus&)> call) {
    bot_->on_exit(std::move(call));
}

void LaunchedBot::on_gone(std::function<void()> call) {
    bot_->on_gone(std::move(call));
}

LimitsMet LaunchedBot::limits_met() const {
    return bot_->limits_met();
}

std::optional<ExitStatus> LaunchedBot::exit_status() const {
    return bot_->exit_status();
}

bool LaunchedBot::gone() const {
    return bot_->phase() == BotProcess::Phase::gone;
}

std::string LaunchedBot::error_tail() {
    return drained_text(bot_->error_tail());
}

std::uint64_t LaunchedBot::error_bytes() const {
    return bot_->error_tail()->bytes_total();
}

void LaunchedBot::on_error_text(std::function<void(std::string_view)> call) {
    bot_->error_tail()->on_bytes(std::move(call));
}

std::string LaunchedBot::output_tail() {
    return drained_text(bot_->output_tail());
}

}  // namespace referee::launcher
