// Where bots dial in, and where a daemon takes orders.

#include "referee/config/config_sections.h"
#include "referee/config/read_values.h"
#include "referee/limits.h"

namespace referee::config {
namespace {

// {"port": 7778, "address": "0.0.0.0", "certificate": "tls.crt", "key": "tls.key"}
void read_tls(json::Reader& listen, const std::string& directory, Config& config) {
    const auto object = listen.optional_object("tls");
    if (!object) return;
    json::Reader tls(object);
    TlsPort port;
    port.address = config.address;
    tls.text("address", port.address);
    if (tls.has("address") && !may_listen_on(port.address))
        tls.wrong("address", "expected an IP address such as \"0.0.0.0\"");
    tls.integer("port", port.port, 0, port_max);
    if (port.port != 0 && port.port == config.port)
        tls.wrong("port", "bots that speak plain text dial in at " + std::to_string(port.port) +
                              "; expected a port of its own, such as " +
                              std::to_string(TlsPort{}.port));
    tls.text("certificate", config.tls_certificate);
    tls.text("key", config.tls_key);
    if (config.tls_certificate.empty() != config.tls_key.empty())
        tls.wrong(config.tls_key.empty() ? "key" : "certificate",
                  "missing; expected both, such as \"certificate\": \"tls.crt\", \"key\": "
                  "\"tls.key\", or neither: then the referee makes its own");
    for (auto* const file : {&config.tls_certificate, &config.tls_key})
        if (!file->empty()) *file = absolute_path(directory, *file);
    config.tls = port;
    tls.no_others();
}

}  // namespace

void read_listen(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = root.optional_object("listen");
    if (!object) return;
    json::Reader listen(object);
    listen.text("address", config.address);
    listen.integer("port", config.port, 0, port_max);
    read_tls(listen, directory, config);
    read_web(listen, config);
    listen.no_others();
}

void read_control(json::Reader& root, const std::string& directory, Config& config) {
    const auto object = read_object_of_secrets(root, "control");
    if (!object) return;
    json::Reader control(object);
    auto& read = config.control;
    control.text("socket", read.socket);
    if (!read.socket.empty()) read.socket = absolute_path(directory, read.socket);
    control.text("address", read.address);
    control.integer("port", read.port, 0, port_max);
    read_secret(control, "token", read.token);
    control.boolean("tls", read.tls);
    const bool tcp = control.has("address") || control.has("port");
    if (tcp && read.address.empty()) read.address = "127.0.0.1";
    const bool is_text = !control.has("token") || control.given("token").string().has_value();
    const bool by_page = config.web && control.has("token");
    if ((tcp || by_page) && is_text && read.token.size() < limits::registered_token_bytes_min) {
        control.wrong("token",
                      "expected a token of at least " +
                          std::to_string(limits::registered_token_bytes_min) +
                          " bytes: whoever reaches the port and knows it may do everything");
    }
    if (tcp && !read.tls && !is_loopback(read.address)) {
        control.wrong("address",
                      "other machines may reach \"" + read.address +
                          "\", and the token would travel there as plain text; expected \"tls\": "
                          "true beside it, or the address \"127.0.0.1\"");
    }
    if (read.tls && !tcp)
        control.wrong("tls",
                      "only orders over TCP are encrypted; expected an \"address\" or a "
                      "\"port\" beside it, such as \"port\": 7780");
    control.no_others();
}

}  // namespace referee::config
