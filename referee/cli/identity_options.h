#pragma once

#include <CLI/App.hpp>
#include <string>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "referee/connect/relay/identity.h"

namespace referee::cli {

// As whom a person comes to a referee on another machine: what the command line says, and where it
// says nothing the environment.
struct IdentityOptions {
    std::string name;
    std::string token;
    std::string token_file;
    std::string password;
    std::string version;
};

void add_identity_options(CLI::App& command, IdentityOptions& options);

base::Result<relay::Identity, std::string> identity_of(const IdentityOptions& options);

// HOST, HOST:PORT or tls://HOST:PORT#sha256=...; a host alone has the usual port. An error begins
// with `what`, the option's name.
base::Result<protocol::ServerAddress, std::string> server_address_of(const std::string& what,
                                                                     const std::string& text);

}  // namespace referee::cli
