#include "referee/office/cli/sample_folder.h"

namespace referee::cli {

base::Result<std::filesystem::path, std::string> sample_folder() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (auto folder = program.parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
        for (const char* const place : {"sample_bots", "share/referee/sample_bots"}) {
            if (std::filesystem::exists(folder / place / "templates", error)) return folder / place;
        }
    }
    return base::failure("expected sample_bots/templates in a folder above " + program.string() +
                         ", or share/referee/sample_bots beside its bin, found neither: install "
                         "the package, or run the program where it was built");
}

}  // namespace referee::cli
