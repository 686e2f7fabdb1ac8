#include "referee/connect/bridge/channel.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "referee/connect/relay/lines.h"

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

}  // namespace referee::bridge
