#include "referee/submit/client/hand_in.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <thread>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/base/result.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/files/file.h"
#include "referee/net/control/daemon_connection.h"
#include "referee/submit/archives/archives.h"

namespace referee::client {
namespace {

// Why something was not done.
struct NotDone {
    bool refused = false;  // by the referee: else the way to it failed
    std::string code;      // of the referee's error
    std::string message;
};

template <typename Value>
using Answered = base::Result<Value, NotDone>;

NotDone lost(std::string why) {
    return {false, {}, std::move(why)};
}

namespace fs = std::filesystem;
using base::visible_line;
using protocol::SubmissionList;
using protocol::SubmissionStatus;

// Between two looks at a build: more often than a referee answers would be refused.
constexpr auto look_again = std::chrono::seconds(1);
static_assert(look_again > protocol::limits::submissions_asked_pause);

// A program that can't start has failed by then.
constexpr auto first_login_max = std::chrono::seconds(30);

constexpr std::int64_t s_ms = 1000;

struct HandedFile {
    std::string name;
    std::string bytes;
};

// Speaks to a referee message by message. All calls wait.
class SubmitCommand {
 public:
    SubmitCommand(const SubmitRequest& request, std::ostream& out, std::ostream& errors)
        : request_(request), out_(out), errors_(errors) {}

    ExitCode run() {
        std::optional<HandedFile> file;
        if (request_.what == SubmitRequest::What::hand_in) {
            auto read = read_source();
            if (!read) {
                errors_ << read.error() << '\n';
                return exit_bad_input;
            }
            file = *std::move(read);
        }
        if (const auto begun = log_in(); !begun) return tell(begun.error());
        if (file) return hand_in(*file);
        const auto done = request_.what == SubmitRequest::What::withdraw
                              ? ask_list(protocol::Withdraw{})
                              : ask_list(protocol::AskSubmissions{});
        if (!done) return tell(done.error());
        tell_all();
        return exit_done;
    }

 private:
    Answered<void> log_in() {
        auto dialled = control::DaemonConnection::dial(
            request_.address, control::DaemonConnection::PlainText::to_anybody);
        if (!dialled) return base::failure(lost(std::move(dialled.error())));
        dialled_ = *std::move(dialled);
        if (auto hello = hear<protocol::Hello>(); !hello)
            return base::failure(std::move(hello.error()));
        const engines::Registry games;
        protocol::Login login;
        login.name = request_.identity.name;
        login.token = request_.identity.token;
        login.password = request_.identity.password;
        login.client = "referee submit";
        for (const auto& game : games.games()) login.games.push_back(game->info().id);
        login.purpose = protocol::Purpose::submit;
        const auto welcome = ask<protocol::Welcome>(login);
        if (!welcome) return base::failure(welcome.error());
        if (std::get<protocol::Welcome>(*welcome).purpose == protocol::Purpose::submit) return {};
        static_cast<void>(say(protocol::Bye{}));
        return base::failure(NotDone{true, "no_submissions",
                                     "this referee is older, and takes no programs: connect your "
                                     "bot yourself, as `referee connect` does"});
    }

    // By one of the messages that the list answers.
    template <typename Message>
    Answered<void> ask_list(const Message& message) {
        return ask<SubmissionList>(message).map(
            [this](auto heard) { list_ = std::get<SubmissionList>(std::move(heard)); });
    }

    template <typename Message>
    Answered<void> say(const Message& message) {
        std::string line;
        protocol::encode(line, message);
        if (auto written = dialled_->write(line); !written)
            return base::failure(lost(std::move(written.error())));
        return {};
    }

    // The next message of one of these types.
    template <typename... Wanted>
    Answered<std::variant<Wanted...>> hear() {
        while (true) {
            auto line = dialled_->read_line(protocol::limits::referee_line_bytes_max);
            if (!line) return base::failure(lost(std::move(line.error())));
            line_ = *std::move(line);
            auto message = protocol::decode_from_referee(line_, document_);
            std::optional<std::variant<Wanted...>> found;
            const auto take = [&](auto* wanted) {
                if (wanted != nullptr) found = std::move(*wanted);
            };
            (take(std::get_if<Wanted>(&message)), ...);
            if (found) return *std::move(found);
            if (const auto* error = std::get_if<protocol::ErrorMessage>(&message))
                return base::failure(
                    NotDone{true, std::string(error->code), std::string(error->message)});
            if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
                if (auto said = say(protocol::Pong{ping->id}); !said)
                    return base::failure(std::move(said.error()));
            }
        }
    }

    template <typename... Wanted, typename Message>
    Answered<std::variant<Wanted...>> ask(const Message& message) {
        if (auto said = say(message); !said) return base::failure(std::move(said.error()));
        return hear<Wanted...>();
    }

    // A folder is packed; anything else is handed in as it is.
    base::Result<HandedFile, std::string> read_source() {
        std::error_code error;
        const auto path = fs::absolute(request_.source, error).lexically_normal();
        auto name = path.filename().string();
        if (name.empty()) name = path.parent_path().filename().string();
        if (!fs::is_directory(path, error)) {
            auto bytes = files::read_named_file(request_.source, archives::submission_bytes_max);
            if (!bytes)
                return base::failure(request_.source + " " + bytes.error() +
                                     "; expected an archive, a file or a folder with a program");
            if (bytes->empty()) return base::failure(request_.source + " is empty");
            return HandedFile{name, *std::move(bytes)};
        }
        auto packed = archives::pack(path.string(), archives::submission_files_max,
                                     archives::submission_bytes_max);
        if (!packed) return base::failure(packed.error());
        errors_ << "packed " << base::counted(packed->files, "file") << ", " << packed->bytes.size()
                << " bytes\n";
        for (const auto& path_left : packed->left_out)
            errors_ << "left out: " << visible_line(path_left) << '\n';
        return HandedFile{name + ".zip", std::move(packed->bytes)};
    }

    ExitCode hand_in(const HandedFile& file) {
        const auto digest = base::hex_of(base::digest_of(file.bytes));
        const auto announced = ask<protocol::Received>(
            protocol::Submit{file.name, static_cast<std::int64_t>(file.bytes.size()), digest});
        if (!announced) return tell(announced.error());
        for (std::size_t sent = 0; sent < file.bytes.size();) {
            const auto piece =
                std::string_view(file.bytes).substr(sent, protocol::limits::piece_bytes_max);
            const auto text = base::base64_of(piece);
            auto heard = ask<protocol::Received, SubmissionList>(protocol::Piece{text});
            if (!heard) return tell(heard.error());
            // Behind the last piece.
            if (auto* list = std::get_if<SubmissionList>(&*heard)) list_ = std::move(*list);
            sent += piece.size();
            show_progress(sent, file.bytes.size());
        }
        if (list_.versions.empty()) return tell({true, {}, "the referee kept nothing"});
        const auto number = list_.versions.front().version;
        errors_ << "handed in as version " << number << '\n';
        if (!request_.waits) {
            tell_all();
            return exit_done;
        }
        return wait_for(number);
    }

    ExitCode wait_for(std::int64_t number) {
        std::optional<SubmissionStatus> seen;
        std::optional<std::chrono::steady_clock::time_point> built;
        while (true) {
            const auto& versions = list_.versions;
            const auto found =
                std::ranges::find(versions, number, &SubmissionList::Version::version);
            if (found == versions.end()) {
                errors_ << "version " << number << " is not kept any more: newer ones came\n";
                return exit_no;
            }
            const auto status = found->status;
            const bool is_over =
                status != SubmissionStatus::waiting && status != SubmissionStatus::building;
            const bool starts = status == SubmissionStatus::built && !found->reason.empty();
            const auto now = std::chrono::steady_clock::now();
            if (starts && !built) built = now;
            const bool comes = starts && now - *built < first_login_max;
            if (!comes && (is_over || !found->reason.empty())) {
                tell_all();
                if (!is_over) return exit_trouble;  // of the referee's own: it still waits
                return status == SubmissionStatus::failed ? exit_no : exit_done;
            }
            if (seen != status) {
                errors_ << (starts                                 ? "it is being started"
                            : status == SubmissionStatus::building ? "it is being built"
                                                                   : "it waits for its build")
                        << '\n';
                seen = status;
            }
            std::this_thread::sleep_for(look_again);
            if (const auto asked = ask_list(protocol::AskSubmissions{}); !asked)
                return tell(asked.error());
        }
    }

    void show_progress(std::size_t sent, std::size_t of) {
        if (!request_.terminal) return;
        errors_ << "\rsent " << sent << " of " << of << " bytes" << (sent == of ? "\n" : "")
                << std::flush;
    }

    ExitCode tell(const NotDone& why) {
        errors_ << (why.code.empty() ? "" : visible_line(why.code) + ": ")
                << visible_line(why.message) << '\n';
        return why.refused ? exit_bad_input : exit_trouble;
    }

    void tell_all() {
        if (request_.as_json) {
            out_ << line_ << '\n';
            return;
        }
        for (const auto& version : list_.versions) {
            out_ << "version " << version.version << "  " << name_of(version.status) << "  "
                 << visible_line(version.file) << ", " << version.bytes << " bytes, "
                 << base::span_text(version.ago_ms / s_ms) << " ago\n";
            if (!version.reason.empty()) out_ << "  " << visible_line(version.reason) << '\n';
            for (auto output = version.output; !output.empty();)
                out_ << "  | " << visible_line(base::next_line(output)) << '\n';
        }
        out_ << visible_line(list_.plays) << '\n';
    }

    const SubmitRequest& request_;
    std::ostream& out_;
    std::ostream& errors_;
    std::optional<control::DaemonConnection> dialled_;
    protocol::json::Document document_;
    std::string line_;     // the last that was heard
    SubmissionList list_;  // of it, or of an earlier one: has views of its line
};

}  // namespace

ExitCode submit(const SubmitRequest& request, std::ostream& out, std::ostream& errors) {
    return SubmitCommand(request, out, errors).run();
}

}  // namespace referee::client
