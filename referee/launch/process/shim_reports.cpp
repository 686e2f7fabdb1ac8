#include "referee/launch/process/shim_reports.h"

#include <sys/socket.h>

#include <array>
#include <cstring>

namespace referee::process {

namespace {

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
