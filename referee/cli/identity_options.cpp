#include "referee/cli/identity_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "protocol/codec.h"
#include "protocol/json/printable.h"
#include "protocol/limits.h"
#include "referee/files/named_file.h"

namespace referee::cli {
namespace {

// Where a referee listens that says nothing else.
constexpr std::string_view port_default = ":7777";

std::string from_environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

base::Result<std::string, std::string> token_in(const std::string& file) {
    auto text = files::read_named_file(file, 2 * protocol::limits::token_bytes_max);
    if (!text) return base::failure("--token-file: " + file + " " + text.error());
    text->resize(std::min(text->find_first_of("\r\n"), text->size()));
    if (text->empty())
        return base::failure("--token-file: expected the token on the first line of " + file +
                             ", found an empty line");
    return *std::move(text);
}

base::Result<std::string, std::string> secret(std::string_view what, std::string value) {
    if (value.size() > protocol::limits::token_bytes_max ||
        !protocol::json::is_one_printable_line(value))
        return base::failure(std::string(what) +
                             ": expected one line of printable text of at most " +
                             std::to_string(protocol::limits::token_bytes_max) +
                             " bytes; what is there isn't shown");
    return value;
}

}  // namespace

base::Result<relay::Identity, std::string> identity_of(const IdentityOptions& options) {
    relay::Identity identity;
    identity.name = options.name.empty() ? from_environment("REFEREE_NAME") : options.name;
    if (!protocol::is_valid_name(identity.name))
        return base::failure(
            "expected --name with the bot's name, such as --name Ada (or REFEREE_NAME): 1 to 64 "
            "bytes of printable text, found \"" +
            protocol::json::visible_line(identity.name) + "\"");
    auto token = options.token;
    if (token.empty() && !options.token_file.empty()) {
        auto read = token_in(options.token_file);
        if (!read) return base::failure(std::move(read.error()));
        token = *std::move(read);
    }
    if (token.empty()) token = from_environment("REFEREE_TOKEN");
    auto good = secret("the token", std::move(token));
    if (!good) return base::failure(std::move(good.error()));
    identity.token = *std::move(good);
    auto password =
        secret("the password",
               options.password.empty() ? from_environment("REFEREE_PASSWORD") : options.password);
    if (!password) return base::failure(std::move(password.error()));
    identity.password = *std::move(password);
    identity.version =
        options.version.empty() ? from_environment("REFEREE_VERSION") : options.version;
    if (identity.version.size() > protocol::limits::version_bytes_max ||
        !protocol::json::is_one_printable_line(identity.version))
        return base::failure("--version: expected one line of printable text of at most " +
                             std::to_string(protocol::limits::version_bytes_max) +
                             " bytes, such as --version 2.1 (or REFEREE_VERSION), found \"" +
                             protocol::json::visible_line(identity.version) + "\"");
    return identity;
}

// A host alone has the usual port; TLS has none.
base::Result<protocol::ServerAddress, std::string> server_address_of(const std::string& what,
                                                                     const std::string& text) {
    const bool bare = text.find("://") == std::string::npos &&
                      (text.find(':') == std::string::npos || text.ends_with(']'));
    auto address = protocol::read_address(bare ? text + std::string(port_default) : text);
    if (!address) return base::failure(what + ": " + address.error());
    return *std::move(address);
}

void add_identity_options(CLI::App& command, IdentityOptions& options) {
    command.add_option("--name", options.name, "The bot's name (or REFEREE_NAME)");
    command.add_option("--token", options.token,
                       "What proves the name; better in REFEREE_TOKEN or a file");
    command.add_option("--token-file", options.token_file, "A file with the token in it");
    command.add_option("--password", options.password,
                       "The class password, for the first login of a name (or REFEREE_PASSWORD)");
}

}  // namespace referee::cli
