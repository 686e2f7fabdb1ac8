#include "tests/referee/submit/archives/made_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

namespace tests {
namespace {

void choose_format(archive* writer, const std::string& file) {
    if (file.ends_with(".zip")) archive_write_set_format_zip(writer);
    if (file.ends_with(".7z")) archive_write_set_format_7zip(writer);
    if (file.ends_with(".tar") || file.ends_with(".tar.gz"))
        archive_write_set_format_gnutar(writer);
    if (file.ends_with(".gz")) archive_write_add_filter_gzip(writer);
}

void describe(archive_entry* entry, const MadeEntry& made) {
    archive_entry_set_pathname(entry, made.name.c_str());
    archive_entry_set_perm(entry, static_cast<mode_t>(made.mode));
    if (made.changed_s != 0) archive_entry_set_mtime(entry, made.changed_s, 0);
    switch (made.kind) {
        case 'd':
            archive_entry_set_filetype(entry, AE_IFDIR);
            break;
        case 'l':
            archive_entry_set_filetype(entry, AE_IFLNK);
            archive_entry_set_symlink(entry, made.content.c_str());
            break;
        case 'h':
            archive_entry_set_filetype(entry, AE_IFREG);
            archive_entry_set_hardlink(entry, made.content.c_str());
            break;
        case 'p':
            archive_entry_set_filetype(entry, AE_IFIFO);
            break;
        default:
            archive_entry_set_filetype(entry, AE_IFREG);
            archive_entry_set_size(entry, static_cast<la_int64_t>(made.content.size()));
    }
}

}  // namespace

void make_archive(const std::string& file, const std::vector<MadeEntry>& entries) {
    archive* writer = archive_write_new();
    choose_format(writer, file);
    ASSERT_EQ(archive_write_open_filename(writer, file.c_str()), ARCHIVE_OK);
    for (const auto& made : entries) {
        archive_entry* entry = archive_entry_new();
        describe(entry, made);
        ASSERT_GE(archive_write_header(writer, entry), ARCHIVE_WARN)
            << archive_error_string(writer);
        if (made.kind == 'f') archive_write_data(writer, made.content.data(), made.content.size());
        archive_entry_free(entry);
    }
    ASSERT_EQ(archive_write_close(writer), ARCHIVE_OK);
    archive_write_free(writer);
}

}  // namespace tests
