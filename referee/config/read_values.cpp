#include "referee/config/read_values.h"

#include <boost/asio/ip/address.hpp>
#include <cmath>
#include <filesystem>

namespace referee::config {

void read_secret(json::Reader& reader, std::string_view name, std::string& value) {
    const auto given = reader.optional(name);
    if (!given) return;
    if (const auto text = given.view().string()) {
        value = *text;
    } else {
        given.wrong(
            "expected a text in quotes, such as \"plum-4242\"; what stands there is not "
            "shown, because it may be a secret");
    }
}

bool is_object_of_secrets(const json::Placed& given, std::string_view like) {
    if (given.view().is_object()) return true;
    given.wrong("expected an object such as " + std::string(like) +
                "; what stands there is not shown, because it may be a secret");
    return false;
}

json::Placed read_object_of_secrets(json::Reader& reader, std::string_view name) {
    const auto given = reader.optional(name);
    if (!given || is_object_of_secrets(given, "{...}")) return given;
    return {json::View(), given.mistakes()};
}

void read_score(json::Reader& reader, std::string_view name, engines::Score& value,
                const ScoreRange& range) {
    const auto given = reader.optional(name);
    if (!given) return;
    const double halves = given.view().number().value_or(-1) * 2;
    if (halves >= static_cast<double>(range.least.in_halves()) &&
        halves <= static_cast<double>(range.most.in_halves()) && halves == std::floor(halves)) {
        value = engines::Score::halves(static_cast<std::int64_t>(halves));
        return;
    }
    given.expected("points from " + range.least.text() + " to " + range.most.text() +
                   " in whole or half points, such as 1 or 0.5");
}

std::string absolute_path(const std::string& folder, const std::string& path) {
    auto text = (std::filesystem::path(folder) / path).lexically_normal().string();
    while (text.size() > 1 && text.back() == '/') text.pop_back();
    return text;
}

bool lies_in(const std::string& path, const std::string& folder) {
    auto with_slash = absolute_path(folder, {});
    if (with_slash != "/") with_slash += '/';
    return (absolute_path(path, {}) + '/').starts_with(with_slash);
}

bool is_loopback(const std::string& address) {
    boost::system::error_code error;
    const auto parsed = boost::asio::ip::make_address(address, error);
    return !error && parsed.is_loopback();
}

bool may_listen_on(const std::string& address) {
    boost::system::error_code error;
    boost::asio::ip::make_address(address, error);
    return !error;
}

}  // namespace referee::config
