#include "referee/launch/process/shim_spec.h"

#include <sys/socket.h>

#include <array>
#include <cstring>

namespace referee::process {
namespace {

class Encoder {
 public:
    void number(std::uint64_t value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void word(const std::string& value) {
        number(value.size());
        text_.append(value);
    }
    void sandbox(const ShimSandbox& value) {
        word(value.filter);
        words(value.bubblewrap);
        words(value.rules.reads);
        words(value.rules.writes);
        number(value.rules.connects_to.value_or(0));
        words(value.staged);
        words(value.places);
        number(value.disk_bytes);
        number(value.door_port);
        number(value.output_socket ? 1 : 0);
    }
    void words(const std::vector<std::string>& values) {
        number(values.size());
        for (const std::string& value : values) word(value);
    }
    void place(const GroupPlace& value) {
        number(value.unified ? 1 : 0);
        word(value.usage);
        word(value.freezer);
        word(value.pids);
        word(value.memory);
    }
    std::string take() { return std::move(text_); }

 private:
    std::string text_;
};

// Reads what Encoder wrote. After the first mistake every read gives an empty value.
class Decoder {
 public:
    explicit Decoder(std::string_view text) : rest_(text) {}

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
    bool flag() { return number() != 0; }
    std::string word() {
        const std::uint64_t length = number();
        if (length > rest_.size()) {
            good_ = false;
            return {};
        }
        std::string value(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return value;
    }
    std::vector<std::string> words() {
        std::vector<std::string> values;
        for (std::uint64_t count = number(); count > 0 && good_; --count) values.push_back(word());
        return values;
    }
    ShimSandbox sandbox() {
        ShimSandbox value;
        value.filter = word();
        value.bubblewrap = words();
        value.rules.reads = words();
        value.rules.writes = words();
        const auto port = static_cast<std::uint16_t>(number());
        if (port != 0) value.rules.connects_to = port;
        value.staged = words();
        value.places = words();
        value.disk_bytes = number();
        value.door_port = static_cast<std::uint16_t>(number());
        value.output_socket = flag();
        return value;
    }
    GroupPlace place() {
        GroupPlace value;
        value.unified = flag();
        value.usage = word();
        value.freezer = word();
        value.pids = word();
        value.memory = word();
        return value;
    }
    bool all_read() const { return good_ && rest_.empty(); }
    bool good() const { return good_; }

 private:
    std::string_view rest_;
    bool good_ = true;
};

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
    out.number(static_cast<std::uint64_t>(spec.referee));
    out.words(spec.command);
    out.words(spec.environment);
    out.word(spec.search_path);
    out.word(spec.working_directory);
    out.number(spec.limits.size());
    for (const ResourceLimit& limit : spec.limits) {
        out.number(static_cast<std::uint64_t>(limit.resource));
        out.number(limit.value);
    }
    out.number(spec.background ? 1 : 0);
    out.number(spec.keeps_rights ? 1 : 0);
    out.number(spec.has_identity ? 1 : 0);
    out.number(spec.uid);
    out.number(spec.gid);
    out.number(spec.has_group ? 1 : 0);
    out.place(spec.group);
    out.place(spec.run_group);
    out.sandbox(spec.sandbox);
    out.number(spec.walk == Walk::stat_scan ? 1 : 0);
    return out.take();
}

std::optional<ShimSpec> decode(std::string_view text) {
    Decoder in(text);
    ShimSpec spec;
    spec.referee = static_cast<pid_t>(in.number());
    spec.command = in.words();
    spec.environment = in.words();
    spec.search_path = in.word();
    spec.working_directory = in.word();
    for (std::uint64_t count = in.number(); count > 0 && in.good(); --count) {
        const int resource = static_cast<int>(in.number());
        spec.limits.push_back({resource, in.number()});
    }
    spec.background = in.flag();
    spec.keeps_rights = in.flag();
    spec.has_identity = in.flag();
    spec.uid = static_cast<uid_t>(in.number());
    spec.gid = static_cast<gid_t>(in.number());
    spec.has_group = in.flag();
    spec.group = in.place();
    spec.run_group = in.place();
    spec.sandbox = in.sandbox();
    spec.walk = in.flag() ? Walk::stat_scan : Walk::children_files;
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
