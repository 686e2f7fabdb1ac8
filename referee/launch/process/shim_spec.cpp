#include "referee/launch/process/shim_spec.h"

#include <sys/socket.h>

#include <array>
#include <concepts>
#include <cstring>
#include <utility>

namespace referee::process {
namespace {

class Encoder {
 public:
    template <typename... Values>
    void all(const Values&... values) {
        (add(values), ...);
    }
    std::string take() { return std::move(text_); }

 private:
    void add(std::integral auto number) {
        const auto value = static_cast<std::uint64_t>(number);
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void add(const std::string& word) {
        add(word.size());
        text_.append(word);
    }
    void add(const ResourceLimit& limit) { all(limit.resource, limit.value); }
    void add(Walk walk) { add(walk == Walk::stat_scan); }
    template <typename Value>
    void add(const std::vector<Value>& values) {
        add(values.size());
        for (const auto& value : values) add(value);
    }

    std::string text_;
};

// Reads what Encoder wrote. After the first mistake every read gives an empty value.
class Decoder {
 public:
    explicit Decoder(std::string_view text) : rest_(text) {}

    template <typename... Values>
    void all(Values&... values) {
        (read(values), ...);
    }
    bool all_read() const { return good_ && rest_.empty(); }

 private:
    std::uint64_t number() {
        std::uint64_t value = 0;
        if (rest_.size() < sizeof value) {
            good_ = false;
            rest_ = {};
            return 0;
        }
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    template <std::integral Number>
    void read(Number& value) {
        value = static_cast<Number>(number());
    }
    void read(std::string& word) {
        const std::uint64_t length = number();
        if (length > rest_.size()) {
            good_ = false;
            return;
        }
        word = rest_.substr(0, length);
        rest_.remove_prefix(length);
    }
    void read(ResourceLimit& limit) { all(limit.resource, limit.value); }
    void read(Walk& walk) { walk = number() != 0 ? Walk::stat_scan : Walk::children_files; }
    template <typename Value>
    void read(std::vector<Value>& values) {
        for (std::uint64_t count = number(); count > 0 && good_; --count)
            read(values.emplace_back());
    }

    std::string_view rest_;
    bool good_ = true;
};

template <typename Coder, typename Place>
void code_place(Coder& coder, Place& place) {
    coder.all(place.unified, place.usage, place.freezer, place.pids, place.memory);
}

// What a spec is made of, in the order of its text.
template <typename Coder, typename Spec>
void code_spec(Coder& coder, Spec& spec) {
    coder.all(spec.referee, spec.command, spec.environment, spec.search_folders,
              spec.working_directory, spec.limits, spec.keeps_rights, spec.user, spec.has_group);
    code_place(coder, spec.group);
    code_place(coder, spec.run_group);
    auto& box = spec.sandbox;
    auto& rules = box.rules;
    coder.all(box.filter, box.bubblewrap, rules.reads, rules.writes, rules.connects_to, box.staged,
              box.places, box.disk_bytes, box.listens_at, box.output_socket, spec.walk);
}

// A message of one report, with room for one descriptor.
struct Message {
    explicit Message(ShimReport& report) : piece{&report, sizeof report} {
        header.msg_iov = &piece;
        header.msg_iovlen = 1;
        header.msg_control = room.data();
        header.msg_controllen = room.size();
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    iovec piece;
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room = {};
    msghdr header = {};
};

}  // namespace

std::string staged_path(std::size_t number) {
    return "/tmp/" + std::to_string(number);
}

std::string encode(const ShimSpec& spec) {
    Encoder out;
    code_spec(out, spec);
    return out.take();
}

std::optional<ShimSpec> decode(std::string_view text) {
    Decoder in(text);
    ShimSpec spec;
    code_spec(in, spec);
    if (!in.all_read() || spec.command.empty()) return std::nullopt;
    return spec;
}

void send_report(int control, const ShimReport& report, const Descriptor& given) {
    ShimReport content = report;
    Message message(content);
    cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int descriptor = given.get();
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    ::sendmsg(control, &message.header, MSG_NOSIGNAL);
}

ssize_t receive_report(int control, ShimReport& report, Descriptor& given) {
    Message message(report);
    const ssize_t got = ::recvmsg(control, &message.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const cmsghdr* rights = got > 0 ? CMSG_FIRSTHDR(&message.header) : nullptr;
    if (rights != nullptr && rights->cmsg_type == SCM_RIGHTS) {
        int descriptor = -1;
        std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
        given.reset(descriptor);
    }
    return got;
}

}  // namespace referee::process
