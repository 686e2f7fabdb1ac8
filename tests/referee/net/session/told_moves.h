#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "referee/net/session/session.h"

namespace referee::session {

// Keeps what a session tells of its bot: when each move came, and how it ended.
class ToldMoves : public SessionEvents {
 protected:
    void on_login(Session& /*session*/, const protocol::Login& /*login*/) override {}
    bool on_ready(Session& /*session*/, const protocol::Ready& /*ready*/) override { return true; }
    bool on_move(Session& /*session*/, const protocol::Move& /*move*/, std::string_view /*line*/,
                 Stamp arrived) override {
        stamps_.push_back(arrived);
        return true;
    }
    void on_pong(Session& /*session*/, const protocol::Pong& /*pong*/) override {}
    void on_question(Session& /*session*/, const protocol::Question& /*question*/) override {}
    bool on_handing_in(Session& /*session*/, const protocol::HandingIn& /*message*/) override {
        return false;
    }
    void on_error(Session& /*session*/, const protocol::ProtocolError& /*error*/) override {
        ++errors_;
    }
    void on_closed(Session& /*session*/, CloseCause cause) override { cause_ = cause; }

    std::vector<Stamp> stamps_;
    int errors_ = 0;
    std::optional<CloseCause> cause_;
};

}  // namespace referee::session
