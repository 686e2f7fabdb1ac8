#include "referee/watch/web/web_sessions.h"

#include <utility>

#include "protocol/base/bytes.h"

namespace referee::web {
namespace {

std::string digest_of(std::string_view secret) {
    return std::string(base::bytes_of(base::digest_of(secret)));
}

}  // namespace

void WebSessions::Passes::add(Pass pass, std::size_t most) {
    if (order_.size() >= most) remove(std::string(order_.front().digest));
    order_.push_back(std::move(pass));
    places_[order_.back().digest] = std::prev(order_.end());
}

const WebSessions::Pass* WebSessions::Passes::find(const std::string& digest) const {
    const auto found = places_.find(digest);
    return found == places_.end() ? nullptr : &*found->second;
}

void WebSessions::Passes::remove(const std::string& digest) {
    const auto found = places_.find(digest);
    if (found == places_.end()) return;
    order_.erase(found->second);
    places_.erase(found);
}

void WebSessions::Passes::remove_of(std::string_view bot) {
    for (auto pass = order_.begin(); pass != order_.end();) {
        if (pass->visitor.bot != bot) {
            ++pass;
            continue;
        }
        places_.erase(pass->digest);
        pass = order_.erase(pass);
    }
}

void WebSessions::expect(std::string_view ticket, std::string bot, Instant now) {
    tickets_.add({digest_of(ticket), {std::move(bot), false}, now + terms_.ticket_lasts},
                 terms_.tickets_max);
}

std::optional<Visitor> WebSessions::take(std::string_view ticket, Instant now) {
    const auto digest = digest_of(ticket);
    const auto* pass = tickets_.find(digest);
    if (pass == nullptr) return std::nullopt;
    const bool good = now < pass->until;
    auto visitor = pass->visitor;
    tickets_.remove(digest);
    if (!good) return std::nullopt;
    return visitor;
}

std::string WebSessions::begin(Visitor visitor, Instant now) {
    auto secret = fresh_();
    sessions_.add({digest_of(secret), std::move(visitor), now + terms_.session_lasts},
                  terms_.sessions_max);
    return secret;
}

Visitor WebSessions::visitor(std::string_view session, Instant now) const {
    if (session.empty()) return {};
    const auto* pass = sessions_.find(digest_of(session));
    return pass == nullptr || now >= pass->until ? Visitor{} : pass->visitor;
}

void WebSessions::end(std::string_view session) {
    sessions_.remove(digest_of(session));
}

void WebSessions::forget(std::string_view bot) {
    tickets_.remove_of(bot);
    sessions_.remove_of(bot);
}

}  // namespace referee::web
