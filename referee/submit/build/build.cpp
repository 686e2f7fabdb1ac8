#include "referee/submit/build/build.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/files/file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/sandbox_terms.h"
#include "referee/submit/archives/archives.h"

namespace referee::build {
namespace {

// What a program and its build folder come to; and a disk that one build can't fill.
constexpr std::size_t built_files_max = 20'000;
constexpr std::uint64_t built_bytes_max = std::uint64_t{512} << 20;
// The archive that it leaves the sandbox in, which has headers beside the files.
constexpr std::uint64_t built_archive_bytes_max = built_bytes_max + (built_bytes_max >> 3U);
// Of a build: a Makefile with -j, and a virtual machine's threads.
constexpr std::uint64_t build_processes_max = 256;
// Of what it prints: its first mistakes, and some more.
constexpr std::size_t build_output_bytes_kept = 32 * 1024;

using How = BuildOutcome::How;

constexpr std::string_view place_inside = "/tmp/build";

// What the shell says on its standard output, which the command doesn't have, before the archive.
constexpr std::string_view word_copied = "copied\n";
constexpr std::string_view word_built = "built\n";
constexpr std::string_view script =
    "mkdir -p \"$2\" && cp -R \"$1/.\" \"$2\" || exit 1\n"
    "echo copied\n"
    "cd \"$2/$3\" || exit 1\n"
    "sh -c \"$4\" >&2 </dev/null\n"
    "status=$?\n"
    "[ $status = 0 ] || exit $status\n"
    "echo built\n"
    "cd \"$2\" || exit 1\n"
    "chmod -R u+rwX . 2>/dev/null\n"
    "exec tar --format=gnu -cf - .\n";

std::string whole_lines(std::string text, bool cut) {
    if (!cut) return text;
    text.resize(text.rfind('\n') + 1);  // npos + 1 is 0
    return text + "... and more\n";
}

// Below it a program in the sandbox writes nowhere.
constexpr auto tier_that_writes = sandbox::Tier::b;

constexpr std::string_view elf_begins =
    "\x7F"
    "ELF";
constexpr std::string_view script_begins = "#!";

constexpr std::size_t class_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t classes_told_max = 5;

bool is_program(const std::string& folder, const SourceFile& file, std::string_view begins) {
    if (!file.executable || file.path.find("CMakeFiles/") != std::string::npos) return false;
    if (file.path.ends_with(".so") || file.path.ends_with(".o")) return false;
    return files::first_bytes(folder + "/" + file.path, begins.size()) == begins;
}

// The programs of the kind that the build made, as paths in the folder where it worked.
std::vector<std::string> made(const std::string& folder, const std::vector<SourceFile>& built,
                              const std::set<std::string>& known, const std::string& within,
                              std::string_view begins) {
    std::vector<std::string> programs;
    for (const auto& file : built) {
        if (!file.path.starts_with(within) || !is_program(folder, file, begins)) continue;
        if (!known.contains(file.path)) programs.push_back(file.path.substr(within.size()));
    }
    return programs;
}

// By its kind, how many bytes a constant of a class file has; 0: there is no such kind.
constexpr std::array<std::uint8_t, 21> constant_bytes = {0, 2, 0, 4, 4, 8, 8, 2, 2, 4, 4,
                                                         4, 4, 0, 0, 3, 2, 4, 4, 2, 2};
constexpr std::size_t text_kind = 1;  // its bytes are the length of a text behind them
constexpr std::size_t long_kind = 5;  // these two take two places
constexpr std::size_t double_kind = 6;
constexpr std::size_t is_static = 8;

std::size_t big_endian(std::string_view bytes) {
    std::size_t number = 0;
    for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

// The Java Virtual Machine Specification, chapter 4. What is beyond the end reads as nothing.
class ClassFile {
 public:
    explicit ClassFile(std::string_view bytes) : rest_(bytes) {}

    std::string_view take(std::size_t bytes) {
        const auto taken = rest_.substr(0, bytes);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    std::size_t number(std::size_t bytes) { return big_endian(take(bytes)); }

    // False: there is one of a kind that nobody knows.
    bool read_constants() {
        constants_.resize(number(2));
        for (std::size_t i = 1; i < constants_.size(); ++i) {
            const auto kind = number(1);
            if (kind >= constant_bytes.size() || constant_bytes[kind] == 0) return false;
            constants_[i] = take(constant_bytes[kind]);
            if (kind == text_kind) constants_[i] = take(big_endian(constants_[i]));
            if (kind == long_kind || kind == double_kind) ++i;
        }
        return true;
    }

    // The constant at the place that stands here.
    std::string_view constant() { return constant_at(number(2)); }
    std::string_view name_of_class() { return constant_at(big_endian(constant())); }

    // Fields, or methods: whether java would start one of these.
    bool has_main() {
        bool found = false;
        for (auto left = number(2); left > 0 && !rest_.empty(); --left) {
            const auto access = number(2);
            const bool is_main = constant() == "main";
            const bool takes_words = constant() == "([Ljava/lang/String;)V";
            found = found || ((access & is_static) != 0 && is_main && takes_words);
            for (auto attributes = number(2); attributes > 0 && !rest_.empty(); --attributes) {
                take(2);
                take(number(4));
            }
        }
        return found;
    }

 private:
    std::string_view constant_at(std::size_t place) const {
        return place < constants_.size() ? constants_[place] : std::string_view();
    }

    std::string_view rest_;
    std::vector<std::string_view> constants_;
};

// The class that java starts, among those below `within` the folder.
base::Result<std::string, std::string> main_class_in(const std::string& folder,
                                                     const std::vector<SourceFile>& built,
                                                     const std::string& within) {
    std::vector<std::string> classes;
    for (const auto& file : built) {
        if (!file.path.starts_with(within) || !file.path.ends_with(".class")) continue;
        const auto bytes = files::read_named_file(folder + "/" + file.path, class_bytes_max);
        if (auto found = class_with_main(bytes.value_or(""))) classes.push_back(*std::move(found));
    }
    const auto is_inner = [](const auto& name) { return name.find('$') != std::string::npos; };
    if (!std::ranges::all_of(classes, is_inner)) std::erase_if(classes, is_inner);
    if (classes.size() == 1) return classes.front();
    if (base::contains(classes, "Main")) return std::string("Main");
    return base::failure(
        "expected one class with a main method, found " +
        (classes.empty() ? std::string("none") : base::first_of(classes, classes_told_max)));
}

}  // namespace

Build::Build(boost::asio::any_io_executor executor, process::Launcher& launcher,
             const BuildLimits& limits, bool sandboxed)
    : limits_(limits), sandboxed_(sandboxed), command_(std::move(executor), launcher) {}

process::LaunchSpec Build::spec_of(const BuildOrder& order) const {
    process::LaunchSpec spec;
    const auto place = sandboxed_ ? std::string(place_inside) : order.scratch + "/copy";
    spec.command = {"/bin/sh",    "-c",  std::string(script), "sh",
                    order.source, place, order.within,        order.command};
    spec.output = process::StandardOutput::pipe;
    spec.limits.file_size_bytes = built_bytes_max;
    spec.limits.processes = build_processes_max;
    if (!sandboxed_) return spec;
    spec.path = std::string(process::plain_search_path);
    process::SandboxAllowance allowance;
    allowance.memory_bytes = limits_.memory_mb * supply::bytes_a_mb;
    allowance.disk_bytes = built_bytes_max;
    allowance.reads = {order.source};
    spec.sandbox = std::move(allowance);
    return spec;
}

void Build::begin(const BuildOrder& order, std::function<void(BuildOutcome)> call) {
    order_ = order;
    call_ = std::move(call);
    const auto file = order_.scratch + "/result.tar";
    spool_.reset(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!spool_) trouble_ = file + " can't be written: " + std::strerror(errno);
    command::CommandOrder command{spec_of(order_), {}, limits_.time, {}, {}, {}};
    command.on_output = [this](std::string_view bytes) { take(bytes); };
    command.on_error_text = [this](std::string_view text) { take_output(text); };
    command_.begin(std::move(command), [this](const command::CommandEnd& end) {
        std::exchange(call_, nullptr)(judge(end));
    });
}

void Build::take(std::string_view bytes) {
    const auto all_words = word_copied.size() + word_built.size();
    const auto count = std::min(all_words - words_.size(), bytes.size());
    words_.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (!bytes.empty() && !spool(bytes)) command_.kill();
}

bool Build::spool(std::string_view bytes) {
    if (!killed_because_.empty() || !trouble_.empty()) return false;
    spooled_bytes_ += bytes.size();
    if (spooled_bytes_ > built_archive_bytes_max) {
        killed_because_ =
            fmt::format("made more than {} MB of files", built_bytes_max / supply::bytes_a_mb);
        return false;
    }
    if (files::write_all(spool_.get(), bytes)) return true;
    trouble_ = "what was built can't be written: " + std::string(std::strerror(errno));
    return false;
}

void Build::take_output(std::string_view text) {
    const auto count = std::min(build_output_bytes_kept - output_.size(), text.size());
    output_.append(text.substr(0, count));
    output_cut_ = output_cut_ || count < text.size();
}

BuildOutcome Build::outcome(BuildOutcome::How how, std::string reason) const {
    return {how, std::move(reason), base::visible_lines(whole_lines(output_, output_cut_), ""), {}};
}

BuildOutcome Build::judge(const command::CommandEnd& end) {
    if (end.not_launched) return outcome(How::trouble, end.not_launched->message);
    const auto& met = end.met;
    if (!trouble_.empty()) return outcome(How::trouble, trouble_);
    if (!end.trouble.empty()) return outcome(How::trouble, end.trouble);
    if (met.machine_memory) return outcome(How::trouble, "the machine had no memory left");
    if (!words_.starts_with(word_copied))
        return outcome(How::trouble,
                       "the submission's files could not be copied to where it is built");
    if (!killed_because_.empty()) return outcome(How::failed, killed_because_);
    if (end.took_too_long)
        return outcome(How::failed, fmt::format("took longer than {} s", limits_.time.count()));
    if (met.memory)
        return outcome(How::failed,
                       fmt::format("needed more memory than {} MB", limits_.memory_mb));
    const auto& status = end.status;
    const auto status_text = status ? status->text() : std::string("no exit status");
    if (status && status->how == process::ExitStatus::How::lost)
        return outcome(How::trouble, "the build's supervisor was killed");
    if (!words_.ends_with(word_built)) return outcome(How::failed, status_text);
    if (!status || status->how != process::ExitStatus::How::exited || status->code != 0)
        return outcome(How::failed, "what it left can't be packed (tar: " + status_text +
                                        "): expected files that nobody changes any more");
    return unpack_result();
}

BuildOutcome Build::unpack_result() {
    spool_.reset();
    const auto file = order_.scratch + "/result.tar";
    const auto unpacked = archives::unpack(file, order_.result, {built_files_max, built_bytes_max});
    ::unlink(file.c_str());
    if (!unpacked) {
        const bool is_ours = unpacked.error().kind == archives::UnpackError::Kind::trouble;
        return outcome(is_ours ? How::trouble : How::failed,
                       "what was built " + unpacked.error().message);
    }
    auto built = outcome(How::built, {});
    for (const auto& refused : unpacked->refused)
        built.remarks.push_back("not kept of what was built: " + archives::describe(refused));
    return built;
}

base::Result<std::unique_ptr<Builder>, std::string> Builder::open(boost::asio::io_context& loop,
                                                                  const BuildLimits& limits,
                                                                  bool unsandboxed) {
    const supply::SandboxTerms terms{.unsandboxed = unsandboxed};
    auto opened = supply::open_launcher(loop.get_executor(), terms);
    if (!opened) return base::failure(opened.error());
    std::unique_ptr<Builder> builder(new Builder(loop, limits));
    builder->launcher_ = *std::move(opened);
    const auto& offer = builder->launcher_->sandbox();
    builder->sandboxed_ = !unsandboxed;
    builder->sandbox_ = supply::describe(terms, offer);
    if (builder->sandboxed_ && offer.tier < tier_that_writes)
        return base::failure(
            "expected a sandbox of tier A or B to build in, found this: " + builder->sandbox_ +
            ". Where you trust every submission as yourself, --unsandboxed builds without one");
    return builder;
}

std::string Builder::program_file(const std::string& program) const {
    return process::program_file(
        program, {},
        sandboxed_ ? std::string(process::plain_search_path) : process::program_search_path());
}

void Builder::run(const std::vector<BuildOrder>& orders, std::size_t at_once,
                  const std::function<bool(std::size_t, const BuildOutcome&)>& call) {
    std::vector<std::unique_ptr<Build>> builds(orders.size());
    std::size_t next = 0;
    std::size_t running = 0;
    bool goes_on = true;
    std::function<void()> begin_one = [&] {
        if (!goes_on || next == orders.size()) return;
        const auto place = next++;
        ++running;
        auto& build = builds[place];
        build = std::make_unique<Build>(loop_.get_executor(), *launcher_, limits_, sandboxed_);
        build->begin(orders[place], [&, place](const BuildOutcome& outcome) {
            goes_on = call(place, outcome) && goes_on;
            builds[place].reset();
            --running;
            begin_one();
        });
    };
    loop_.restart();  // an earlier run left it stopped
    for (std::size_t i = 0; i < at_once; ++i) begin_one();
    const auto work = boost::asio::make_work_guard(loop_);
    while (running > 0) loop_.run_one();
}

std::optional<std::string> class_with_main(std::string_view class_file) {
    constexpr std::string_view begins = "\xCA\xFE\xBA\xBE";
    ClassFile file(class_file);
    if (file.take(begins.size()) != begins) return std::nullopt;
    file.take(4);  // its version
    if (!file.read_constants()) return std::nullopt;
    file.take(2);  // who may use it
    std::string name(file.name_of_class());
    file.take(2);                   // the class above it
    file.take(2 * file.number(2));  // interfaces
    file.has_main();                // of fields
    if (!file.has_main() || name.empty()) return std::nullopt;
    std::ranges::replace(name, '/', '.');
    return name;
}

base::Result<std::vector<std::string>, std::string> built_program(
    const std::string& folder, const std::vector<SourceFile>& built,
    const std::vector<SourceFile>& before, const Recipe& recipe) {
    if (!recipe.classes.empty())
        return main_class_in(folder, built, recipe.within + recipe.classes + "/")
            .map([&recipe](const std::string& name) {
                auto words = recipe.run;
                words.push_back(name);
                return words;
            });
    if (!recipe.run.empty()) {
        const auto& first = recipe.run.front();
        const bool is_here = first.starts_with("./");
        if (is_here && files::first_bytes(folder + "/" + recipe.within + first, 1).empty())
            return base::failure("the build made no program " + first);
        return recipe.run;
    }
    std::set<std::string> known;
    for (const auto& file : before) known.insert(file.path);
    auto programs = made(folder, built, known, recipe.within, elf_begins);
    // A build may leave scripts beside the program that it makes; without one, a script is it.
    if (programs.empty()) programs = made(folder, built, known, recipe.within, script_begins);
    if (programs.size() == 1) return std::vector<std::string>{"./" + programs.front()};
    if (programs.empty()) return base::failure(std::string("the build made no program"));
    return base::failure("expected one program, the build made " + base::joined(programs) +
                         "; --run says which one plays");
}

}  // namespace referee::build
