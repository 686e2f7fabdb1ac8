#include "referee/submit/archives/archives.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "tests/folder_of_test.h"
#include "tests/no_descriptors_left.h"

namespace referee::archives {
namespace {

namespace fs = std::filesystem;

// Archives as tests want them, also such as no honest program makes.
struct MadeEntry {
    std::string name;
    std::string content;
    char kind = 'f';  // f file, d folder, l symbolic link, h hard link (to `content`), p named pipe
    unsigned mode = 0644;
    std::int64_t changed_s = 0;  // 0: none is told
};

void describe(archive_entry* entry, const MadeEntry& made) {
    archive_entry_set_pathname(entry, made.name.c_str());
    archive_entry_set_perm(entry, static_cast<mode_t>(made.mode));
    if (made.changed_s != 0) archive_entry_set_mtime(entry, made.changed_s, 0);
    const std::map<char, unsigned> types{{'d', AE_IFDIR}, {'l', AE_IFLNK}, {'p', AE_IFIFO}};
    const auto type = types.find(made.kind);
    archive_entry_set_filetype(entry, type == types.end() ? AE_IFREG : type->second);
    if (made.kind == 'l') archive_entry_set_symlink(entry, made.content.c_str());
    if (made.kind == 'h') archive_entry_set_hardlink(entry, made.content.c_str());
    if (made.kind == 'f')
        archive_entry_set_size(entry, static_cast<la_int64_t>(made.content.size()));
}

// Of a format by the file's ending: .zip, .tar, .tar.gz, .7z.
void make_archive(const std::string& file, const std::vector<MadeEntry>& entries) {
    archive* writer = archive_write_new();
    ASSERT_EQ(archive_write_set_format_filter_by_ext(writer, file.c_str()), ARCHIVE_OK);
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

constexpr UnpackLimits small_limits{20, 1000};

void expect_refused(const base::Result<Unpacked, UnpackError>& unpacked, UnpackError::Kind kind,
                    const std::string& says) {
    ASSERT_FALSE(unpacked) << says;
    EXPECT_EQ(unpacked.error().kind, kind) << says;
    EXPECT_NE(unpacked.error().message.find(says), std::string::npos) << unpacked.error().message;
}

class UnpackTest : public testing::Test {
 protected:
    base::Result<Unpacked, UnpackError> unpack_made(const std::string& name,
                                                    const std::vector<MadeEntry>& entries,
                                                    const UnpackLimits& limits = small_limits) {
        make_archive((root_ / name).string(), entries);
        return unpack_file(name, limits);
    }
    base::Result<Unpacked, UnpackError> unpack_file(const std::string& name,
                                                    const UnpackLimits& limits = small_limits) {
        fs::remove_all(root_ / "out");
        fs::create_directory(root_ / "out");
        return unpack((root_ / name).string(), (root_ / "out").string(), limits);
    }
    std::string text_of(const std::string& path) const { return folder_.read("out/" + path); }
    // All that was written below the folder, and beside it.
    std::size_t files_in(const fs::path& folder) const {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            count += entry.is_directory() ? 0 : 1;
        return count;
    }

    const tests::FolderOfTest folder_;
    const fs::path root_{folder_.path};
};

TEST_F(UnpackTest, ReadsEachFormatWithNamesTimesAndTheRightToRun) {
    for (const std::string format : {"a.zip", "a.tar", "a.tar.gz", "a.7z"}) {
        // The library writes no such name into a 7z in the locale of tests.
        const std::string name =
            format == "a.7z" ? "src/resume.txt" : "src/r\xC3\xA9sum\xC3\xA9.txt";
        const auto unpacked =
            unpack_made(format, {{"src", "", 'd', 0755, 0},
                                 {"src/main.c", "int x;\n", 'f', 0644, 1'700'000'000},
                                 {name, "yes", 'f', 0644, 0},
                                 {"run.sh", "#!/bin/sh\n", 'f', 04755, 0}});
        ASSERT_TRUE(unpacked) << format << ": " << unpacked.error().message;
        ASSERT_EQ(unpacked->files.size(), 3U) << format;
        EXPECT_EQ(unpacked->files[0].path, "run.sh");
        EXPECT_EQ(unpacked->files[1].path, "src/main.c");
        EXPECT_EQ(unpacked->files[1].changed_s, 1'700'000'000) << format;
        EXPECT_EQ(text_of("src/main.c"), "int x;\n");
        EXPECT_EQ(text_of(name), "yes") << format;
        struct stat status {};
        ASSERT_EQ(::stat((root_ / "out/run.sh").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07100, 0100U)
            << format << ": it runs, and has no owner's rights";
        EXPECT_TRUE(unpacked->refused.empty()) << describe(unpacked->refused.front());
    }
}

// With a file a.py as it is. No tool of Debian's makes one.
TEST_F(UnpackTest, ReadsARarAndRefusesACutOne) {
    const std::string hex =
        "526172211a0700cf907300000d00000000000000b8067400802400080000000800000003234eeccd0060a15c14"
        "300400a4810000612e70797072696e7428290ac43d7b00400700";
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    folder_.write("a.rar", bytes);
    ASSERT_TRUE(unpack_file("a.rar"));
    EXPECT_EQ(text_of("a.py"), "print()\n");
    folder_.write("cut.rar", bytes.substr(0, bytes.size() - 10));
    EXPECT_FALSE(unpack_file("cut.rar"));
}

TEST_F(UnpackTest, AttacksAreLeftOutAndTold) {
    struct Case {
        MadeEntry entry;
        std::string told;
    };
    std::string deep;
    for (int i = 0; i < 40; ++i) deep += "d/";
    const std::vector<Case> cases = {
        {{"../evil.c", "x"}, "../evil.c leads out of its folder"},
        {{"a/../../evil.c", "x"}, "leads out of its folder"},
        {{"/etc/evil", "x"}, "/etc/evil has an absolute path"},
        {{"C:/evil", "x"}, "C:/evil names a drive"},
        {{"a\\..\\evil", "x"}, "has a backslash in its name"},
        {{"link", "/etc/passwd", 'l'}, "link is a symbolic link"},
        {{"hard", "good.c", 'h'}, "hard is a hard link"},
        {{"pipe", "", 'p'}, "pipe is neither a file nor a folder"},
        {{"good.c", "again"}, "good.c is in the archive twice"},
        {{"Good.C", "again"}, "Good.C differs from good.c only in capitals"},
        {{"good.c/below", "x"}, "has a file where its folder good.c should be"},
        {{"folder", "x"}, "folder is a folder and a file at once"},
        {{std::string(300, 'n'), "x"}, "has a name of more than 255 bytes"},
        {{deep + "x", "x"}, "lies in more than 40 folders"},
    };
    for (const auto& [entry, told] : cases) {
        const auto unpacked = unpack_made(
            "attack.tar", {{"good.c", "good"}, {"folder/x.c", "x"}, entry, {"last.c", "last"}});
        ASSERT_TRUE(unpacked) << entry.name << unpacked.error().message;
        ASSERT_EQ(unpacked->refused.size(), 1U) << entry.name;
        EXPECT_NE(describe(unpacked->refused[0]).find(told), std::string::npos)
            << describe(unpacked->refused[0]);
        EXPECT_EQ(unpacked->files.size(), 3U) << entry.name;
        EXPECT_EQ(text_of("good.c"), "good");
        EXPECT_EQ(text_of("last.c"), "last");
        EXPECT_EQ(files_in(root_), 4U) << "three below the folder, and the archive";
    }
}

TEST_F(UnpackTest, NamesThatAreNoTextAreReplacedAndTold) {
    const auto unpacked = unpack_made("odd.tar", {{"a\xFFz.c", "x"},
                                                  {"b\x1B[2J.c", "y"},
                                                  {"c\nd\x7F.c", "z"},
                                                  {"d\u202Ec.\u009B\u00E9", "turned"}});
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(text_of("a_z.c"), "x");
    EXPECT_EQ(text_of("b_[2J.c"), "y");
    EXPECT_EQ(text_of("c_d_.c"), "z");
    EXPECT_EQ(text_of("d_c._\u00E9"), "turned");
    EXPECT_EQ(unpacked->remarks.size(), 4U);
}

TEST_F(UnpackTest, WhatSystemsAddIsNotThere) {
    const auto unpacked = unpack_made(
        "mac.zip", {{"a.c", "x"}, {"__MACOSX/._a.c", "junk"}, {"sub/.DS_Store", "junk"}});
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(unpacked->files.size(), 1U);
}

TEST_F(UnpackTest, LimitsAreCountedWhileBytesAreUnpacked) {
    const auto full = unpack_made("full.tar.gz", {{"a", std::string(1000, 'a')}});
    EXPECT_TRUE(full) << "the limit itself is allowed";
    expect_refused(unpack_made("bomb.zip", {{"a", std::string(5'000'000, 'a')}}),
                   UnpackError::Kind::too_much, "more than 1000 bytes");
    std::vector<MadeEntry> many;
    for (int i = 0; i < 21; ++i) many.push_back({"f" + std::to_string(i), "x"});
    expect_refused(unpack_made("crowd.zip", many), UnpackError::Kind::too_much,
                   "more than 20 files");
}

TEST_F(UnpackTest, TenThousandFiles) {
    std::vector<MadeEntry> many;
    for (int i = 0; i < 10'000; ++i)
        many.push_back({"d" + std::to_string(i % 100) + "/f" + std::to_string(i), "x"});
    const UnpackLimits of_submission{submission_files_max, submission_bytes_max};
    expect_refused(unpack_made("many.tar", many, of_submission), UnpackError::Kind::too_much,
                   "more than " + std::to_string(submission_files_max) + " files");
    const auto unpacked = unpack_file("many.tar", {export_files_max, export_bytes_max});
    ASSERT_TRUE(unpacked) << "an export may";
    EXPECT_EQ(unpacked->files.size(), 10'000U);
}

// Nothing is known of the archive then.
TEST_F(UnpackTest, WhatTheMachineCantOpenIsNotTheArchivesFault) {
    make_archive(folder_.at("a.zip"), {{"bot.py", "print()"}});
    const tests::NoDescriptorsLeft none;
    expect_refused(unpack(folder_.at("a.zip"), folder_.path, small_limits),
                   UnpackError::Kind::trouble, "can't be read: Too many open files");
}

TEST_F(UnpackTest, WhatIsNoArchive) {
    folder_.write("text.zip", "this is no archive");
    folder_.write("empty.zip", "");
    make_archive((root_ / "whole.zip").string(), {{"a", std::string(900, 'a')}});
    const auto bytes = folder_.read("whole.zip");
    folder_.write("cut.zip", bytes.substr(0, bytes.size() / 4));
    for (const std::string name : {"text.zip", "empty.zip", "cut.zip", "missing.zip"})
        expect_refused(unpack_file(name), UnpackError::Kind::unreadable, "");
}

class PackTest : public testing::Test {
 protected:
    void SetUp() override { fs::create_directories(root_ / "bot"); }

    void write(const std::string& path, const std::string& text) const {
        folder_.write("bot/" + path, text);
    }
    base::Result<PackedArchive, std::string> packed(std::size_t files_max = 10,
                                                    std::uint64_t bytes_max = 1000) const {
        return pack((root_ / "bot").string(), files_max, bytes_max);
    }

    const tests::FolderOfTest folder_;
    const fs::path root_{folder_.path};
};

TEST_F(PackTest, WhatWasPackedIsUnpackedAgain) {
    write("main.c", "int main(void) { return 0; }\n");
    write("tables/größe.txt", "");
    write("run.sh", "#!/bin/sh\n");
    ::chmod((root_ / "bot/run.sh").c_str(), 0755);
    const auto made = packed();
    ASSERT_TRUE(made) << made.error();
    EXPECT_EQ(made->files, 3U);
    EXPECT_EQ(packed()->bytes, made->bytes) << "the same files, the same bytes";
    folder_.write("bot.zip", made->bytes);
    fs::create_directory(root_ / "out");
    const auto unpacked =
        unpack((root_ / "bot.zip").string(), (root_ / "out").string(), {10, 1000});
    ASSERT_TRUE(unpacked) << unpacked.error().message;
    EXPECT_TRUE(unpacked->refused.empty());
    EXPECT_EQ(unpacked->files.size(), 3U);
    EXPECT_EQ(fs::file_size(root_ / "out/main.c"), 29U);
    EXPECT_TRUE(fs::exists(root_ / "out/tables/größe.txt"));
    EXPECT_NE(fs::status(root_ / "out/run.sh").permissions() & fs::perms::owner_exec,
              fs::perms::none);
}

TEST_F(PackTest, LeavesOutWhatNobodyMeans) {
    write("bot.py", "pass\n");
    write(".git/config", "secret");
    write("lib/__pycache__/a.pyc", "x");
    fs::create_symlink("/etc/passwd", root_ / "bot/passwd");
    fs::create_directory_symlink("/etc", root_ / "bot/etc");
    const auto made = packed();
    ASSERT_TRUE(made) << made.error();
    EXPECT_EQ(made->files, 1U);
    EXPECT_EQ(made->left_out,
              (std::vector<std::string>{".git", "etc", "lib/__pycache__", "passwd"}));
    EXPECT_EQ(made->bytes.find("secret"), std::string::npos);
}

TEST_F(PackTest, TellsWhatIsTooMuch) {
    EXPECT_FALSE(packed()) << "nothing is in it";
    for (const auto* name : {"a", "b", "c"}) write(name, "12345");
    EXPECT_TRUE(packed(3, 15));
    const auto files = packed(2, 15);
    ASSERT_FALSE(files);
    EXPECT_NE(files.error().find("holds 3 files; expected at most 2"), std::string::npos);
    const auto bytes = packed(3, 14);
    ASSERT_FALSE(bytes);
    EXPECT_NE(bytes.error().find("/c has more than 4 bytes"), std::string::npos) << bytes.error();
    EXPECT_FALSE(pack((root_ / "none").string(), 10, 1000));
}

}  // namespace
}  // namespace referee::archives
