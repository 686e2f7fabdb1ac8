#include "referee/submit/versions/hosted_program.h"

#include "protocol/json/reader.h"
#include "referee/config/fields.h"
#include "referee/config/program.h"
#include "referee/files/named_file.h"
#include "referee/submit/collect/submission_file.h"

namespace referee::versions {
namespace {

namespace json = protocol::json;

constexpr std::size_t file_bytes_max = 1024 * 1024;

}  // namespace

base::Result<config::BotConfig, std::string> program_built_in(const std::string& folder,
                                                              const std::string& bot,
                                                              const config::BotConfig& terms) {
    const auto file = folder + "/" + collect::submission_file_name;
    const auto text = files::read_named_file(file, file_bytes_max);
    if (!text) return base::failure(file + " " + text.error());
    json::Document document;
    if (!document.parse(*text)) return base::failure(file + " is no JSON");
    json::Mistakes mistakes(config::config_rules);
    json::Reader reader(document.root(), mistakes);
    auto built = terms;
    built.name = bot;
    built.launch = {};
    std::string directory;
    reader.text("directory", directory);
    built.directory = folder + "/" + directory;
    built.has_own_directory = true;
    reader.texts("command", built.launch);
    if (const auto program = config::read_program(reader)) config::set_program(built, *program);
    if (mistakes) return base::failure(file + " is not as `referee build` writes it");
    if (!built.launched()) return base::failure(file + " names no command");
    return built;
}

}  // namespace referee::versions
