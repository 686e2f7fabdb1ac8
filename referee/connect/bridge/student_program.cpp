#include "referee/connect/bridge/student_program.h"

#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace referee::bridge {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// A pipe holds as much, and it is some turns of any game.
constexpr std::size_t chunk_bytes = 64 * 1024;

// A connection, with TLS or without.
template <typename Stream>
class ConnectionEnds {
 public:
    explicit ConnectionEnds(Stream stream) : stream_(std::move(stream)) {}
    auto& source() { return stream_; }
    auto& sink() { return stream_; }
    // The end of TCP is enough: each line tells by itself whether it is whole.
    void end_output() {
        error_code ignored;
        stream_.lowest_layer().shutdown(asio::socket_base::shutdown_send, ignored);
    }
    void close() {
        error_code ignored;
        stream_.lowest_layer().close(ignored);
    }

 private:
    Stream stream_;
};

class PipeEnds {
 public:
    PipeEnds(const asio::any_io_executor& executor, files::Descriptor input,
             files::Descriptor output)
        : input_(executor, input.release()), output_(executor, output.release()) {}
    auto& source() { return output_; }
    auto& sink() { return input_; }
    void end_output() {
        error_code ignored;
        input_.close(ignored);
    }
    void close() {
        error_code ignored;
        input_.close(ignored);
        output_.close(ignored);
    }

 private:
    asio::posix::stream_descriptor input_;
    asio::posix::stream_descriptor output_;
};

// Shared, because operations of asio use its buffers: they keep it until they have ended.
template <typename Ends>
class ChannelOver final : public Channel, public std::enable_shared_from_this<ChannelOver<Ends>> {
 public:
    ChannelOver(Ends ends, std::size_t line_bytes_max)
        : ends_(std::move(ends)), cutter_(line_bytes_max) {}

    void start(ChannelNews news) override {
        news_ = std::make_shared<const ChannelNews>(std::move(news));
        read();
    }
    void set_reading(bool reading) override {
        reading_ = reading;
        if (reading && !read_is_under_way_) read();
    }
    void send(std::string_view text) override {
        if (closed_ || output_ended_) return;
        waiting_ += text;
        if (under_way_.empty()) write();
    }
    std::size_t unsent() const override { return waiting_.size() + under_way_.size(); }
    void end_output() override {
        if (closed_ || output_ended_) return;
        output_ended_ = true;
        if (unsent() == 0) ends_.end_output();
    }
    void close() override {
        if (std::exchange(closed_, true)) return;
        news_.reset();
        ends_.close();
    }

 private:
    void read() {
        if (closed_ || input_ended_) return;
        read_is_under_way_ = true;
        ends_.source().async_read_some(
            asio::buffer(chunk_), [self = this->shared_from_this()](error_code error, auto bytes) {
                if (self->closed_) return;
                if (error) return self->end_input(error);
                self->take({self->chunk_.data(), bytes});
                // Only now: a call may switch reading on, and the lines lay in the chunk.
                self->read_is_under_way_ = false;
                if (self->reading_) self->read();
            });
    }
    // A call may close the channel, and must not end with it.
    void take(std::string_view bytes) {
        const auto news = news_;
        const auto cut = cutter_.push(bytes);
        if (!cut.lines.empty()) news->on_lines(cut.lines);
        for (std::size_t i = 0; i < cut.too_long && !closed_; ++i) news->on_too_long();
    }
    void end_input(error_code error) {
        input_ended_ = true;
        const auto news = news_;
        news->on_end(error.message(), cutter_.rest());
    }
    void write() {
        under_way_.swap(waiting_);
        asio::async_write(
            ends_.sink(), asio::buffer(under_way_),
            [self = this->shared_from_this()](error_code error, std::size_t) {
                self->under_way_.clear();
                if (self->closed_) return;
                if (error) self->waiting_.clear();  // reading tells that the other side is gone
                if (!self->waiting_.empty()) return self->write();
                if (self->output_ended_) self->ends_.end_output();
                const auto news = self->news_;
                if (news) news->on_sent();
            });
    }

    Ends ends_;
    relay::LineCutter cutter_;
    std::shared_ptr<const ChannelNews> news_;  // none before start() and after close()
    std::array<char, chunk_bytes> chunk_{};
    std::string waiting_;
    std::string under_way_;
    bool reading_ = true;
    bool read_is_under_way_ = false;
    bool input_ended_ = false;
    bool output_ended_ = false;
    bool closed_ = false;
};

// Of a line that is read at all; what the referee takes is less.
constexpr std::size_t line_bytes_read_max = 1024 * 1024;
// A program that ends closes its output a moment before its exit status is known.
constexpr std::chrono::milliseconds exit_awaited{1000};
// So long may children of a program that has ended take to end with it.
constexpr std::chrono::milliseconds children_awaited{1000};

// Whose value the bridge says itself, or that would send the program elsewhere.
bool is_own(std::string_view name) {
    return name == "REFEREE_NAME" || name == "REFEREE_TOKEN" || name == "REFEREE_PASSWORD" ||
           name == "REFEREE_ADDRESS" || name == "REFEREE_VERSION";
}

}  // namespace

template <typename Stream>
std::shared_ptr<Channel> channel_of(Stream connection, std::size_t line_bytes_max) {
    return std::make_shared<ChannelOver<ConnectionEnds<Stream>>>(
        ConnectionEnds<Stream>(std::move(connection)), line_bytes_max);
}

template std::shared_ptr<Channel> channel_of(asio::ip::tcp::socket, std::size_t);
template std::shared_ptr<Channel> channel_of(TlsStream, std::size_t);

std::shared_ptr<Channel> channel_of(const asio::any_io_executor& executor, files::Descriptor input,
                                    files::Descriptor output, std::size_t line_bytes_max) {
    return std::make_shared<ChannelOver<PipeEnds>>(
        PipeEnds(executor, std::move(input), std::move(output)), line_bytes_max);
}

process::LaunchSpec launch_spec_of(const std::vector<std::string>& command,
                                   const relay::BotIdentity& identity) {
    process::LaunchSpec spec;
    spec.command = command;
    for (char** at = environ; *at != nullptr; ++at) {
        const std::string_view entry = *at;
        const auto name = entry.substr(0, entry.find('='));
        if (name.empty() || name.size() == entry.size() || is_own(name)) continue;
        if (name == "PATH") {
            spec.path = entry.substr(name.size() + 1);  // it is looked for beside the referee, too
            continue;
        }
        spec.environment.emplace_back(name, entry.substr(name.size() + 1));
    }
    spec.environment.emplace_back("REFEREE_NAME", identity.name);
    spec.environment.emplace_back("REFEREE_TOKEN", identity.token);
    // It is the student's own program on the student's own machine.
    spec.limits.open_files.reset();
    spec.limits.file_size_bytes.reset();
    spec.limits.processes.reset();
    spec.output = process::Output::pipe;
    return spec;
}

base::Result<std::unique_ptr<StudentProcess>, process::LaunchError> StudentProcess::begin(
    const boost::asio::any_io_executor& executor, process::Launcher& launcher,
    const process::LaunchSpec& spec, ProgramNews news) {
    auto launched = launcher.launch(spec);
    if (!launched) return base::failure(std::move(launched.error()));
    std::unique_ptr<StudentProcess> program(
        new StudentProcess(executor, *std::move(launched), std::move(news)));
    program->watch();
    return program;
}

StudentProcess::StudentProcess(const boost::asio::any_io_executor& executor, process::OwnedBot bot,
                               ProgramNews news)
    : timer_(executor),
      bot_(std::move(bot)),
      channel_(channel_of(executor, bot_->take_input(), bot_->take_output(), line_bytes_read_max)),
      news_(std::move(news)) {}

StudentProcess::~StudentProcess() {
    channel_->close();
}

void StudentProcess::watch() {
    channel_->start({[this](auto lines) { news_.on_lines(lines); }, [this] { news_.on_too_long(); },
                     [this] { news_.on_sent(); },
                     [this](const std::string&, std::string_view half) { output_ended(half); }});
    bot_->on_error_text([this](std::string_view text) { news_.on_error_text(text); });
    bot_->on_exit([this](const process::ExitStatus& status) { exited(status); });
}

void StudentProcess::output_ended(std::string_view half_line) {
    output_is_over_ = true;
    if (!half_line.empty()) news_.on_half_line(half_line);
    if (phase_ == Phase::exited) return finish();
    timer_.expires_after(exit_awaited);
    timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || phase_ != Phase::runs) return;
        phase_ = Phase::closed_output;
        end_.closed_output = true;
        bot_->kill();
    }));
}

void StudentProcess::exited(const process::ExitStatus& status) {
    phase_ = Phase::exited;
    end_.status = status;
    channel_->set_reading(true);  // to its end
    bot_->on_gone([this] {
        timer_.cancel();
        if (output_is_over_) finish();
    });
    timer_.expires_after(children_awaited);
    timer_.async_wait(life_.while_it_lasts([this](error_code error) {
        if (error || phase_ != Phase::exited) return;
        end_.left_processes = !bot_->gone();
        bot_->kill();
    }));
}

void StudentProcess::finish() {
    if (phase_ != Phase::exited || !bot_->gone()) return;
    phase_ = Phase::ended;
    end_.error_tail = bot_->error_tail();
    const auto end = end_;  // the call may destroy this object
    if (const auto call = std::exchange(news_.on_ended, nullptr)) call(end);
}

}  // namespace referee::bridge
