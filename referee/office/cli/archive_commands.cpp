#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "referee/exit_code.h"
#include "referee/memory/store/archive.h"
#include "referee/office/cli/commands.h"

namespace referee::cli {
namespace {

struct ExportOptions {
    std::string store;
    std::string out;
};

struct ImportOptions {
    std::string archive;
    std::string store;
};

int refuse(const store::StoreError& error) {
    std::cerr << error.message << '\n';
    switch (error.trouble) {
        case store::StoreTrouble::missing:
        case store::StoreTrouble::exists:
        case store::StoreTrouble::foreign:
        case store::StoreTrouble::other_version:
        case store::StoreTrouble::bad_archive:
            return exit_bad_input;
        default:
            return exit_trouble;
    }
}

int export_to(std::ostream& out, const std::string& name, store::StoreReader& reader) {
    const auto archived = store::export_archive(reader, out);
    if (!archived) return refuse(archived.error());
    if (!out.flush()) {
        std::cerr << name << " can't be written; is the disk full?\n";
        return exit_trouble;
    }
    return exit_done;
}

int export_store(const ExportOptions& options) {
    auto opened = store::StoreReader::open(options.store);
    if (!opened) return refuse(opened.error());
    auto& reader = *opened;
    if (options.out.empty()) return export_to(std::cout, "the standard output", reader);
    // An older archive of that name stays until the new one is whole.
    const auto part = options.out + ".part";
    std::ofstream file(part, std::ios::binary);
    // Hashes of tokens stand in it: as with the store, nobody reads it but its owner and group.
    namespace fs = std::filesystem;
    std::error_code
        ignored;  // a file system without modes, or one that can't be written: told below
    fs::permissions(part, fs::perms::others_all | fs::perms::group_write, fs::perm_options::remove,
                    ignored);
    const int status = export_to(file, part, reader);
    file.close();
    if (status == exit_done && std::rename(part.c_str(), options.out.c_str()) == 0)
        return exit_done;
    std::remove(part.c_str());
    if (status == exit_done) std::cerr << options.out << " can't be written\n";
    return status == exit_done ? exit_trouble : status;
}

int import_store(const ImportOptions& options) {
    std::ifstream file;
    if (options.archive != "-") {
        file.open(options.archive, std::ios::binary);
        if (!file) {
            std::cerr << options.archive
                      << ": can't be read; expected an archive, or - for the standard input\n";
            return exit_bad_input;
        }
    }
    auto& in = options.archive == "-" ? std::cin : static_cast<std::istream&>(file);
    const auto imported = store::import_archive(in, options.archive, options.store);
    if (!imported) return refuse(imported.error());
    std::cout << options.store << ": " << *imported << " records\n";
    return exit_done;
}

}  // namespace

void add_export_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<ExportOptions>();
    auto* command = app.add_subcommand("export", "A store as one portable text, for backups");
    command->footer(R"(  $ referee export out/referee.db --out friday.ndjson
  $ referee export out/referee.db | gzip > friday.ndjson.gz

One JSON object a line: a header, every record in its order with its time, an end.
The store may be in use; the archive holds what stood there at one moment. Exporting
twice gives the same bytes. What a record holds is told in referee/memory/store/README.md.)");
    command->add_option("STORE", options->store, "The store's file")->required();
    command->add_option("--out", options->out, "The archive; left out: the standard output");
    command->callback([options, &status] { status = export_store(*options); });
}

void add_import_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<ImportOptions>();
    auto* command = app.add_subcommand("import", "A store out of an archive that export wrote");
    command->footer(R"(  $ referee import friday.ndjson out/referee.db
  $ gunzip -c friday.ndjson.gz | referee import - out/referee.db

The store must not exist yet, and no file of an earlier one may lie beside its name (-wal, -shm,
-journal, .head): it would be taken for its own. `referee run --out out` then goes on with the
store. It is made whole or not at all: an archive that is cut short, or has a line that is not as
it should be, is told with the line, and the exit status is 2.)");
    command->add_option("ARCHIVE", options->archive, "The archive; - for the standard input")
        ->required();
    command->add_option("STORE", options->store, "The store to make")->required();
    command->callback([options, &status] { status = import_store(*options); });
}

}  // namespace referee::cli
