#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/writer.h"
#include "referee/cli/commands.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/game/trace/trace.h"
#include "referee/limits.h"
#include "referee/store/audit.h"
#include "referee/store/head_file.h"
#include "referee/store/records/record_line.h"
#include "referee/store/store.h"

// What `referee store verify` finds.

namespace referee::cli {

namespace {

struct StoreCheckTask {
    std::string store;
    std::string games;        // the folder of the files of games; empty: they are not looked at
    bool plays_again = true;  // each game, to see whether its result follows from its replay
};

struct StoreCheckReport {
    std::string origin;  // of the chain
    std::uint64_t records = 0;
    std::uint64_t replays = 0;
    std::uint64_t replays_dropped = 0;
    std::uint64_t played_again = 0;
    std::uint64_t files = 0;
    std::uint64_t files_missing = 0;
    std::vector<store::Damage> damages;  // as far as they are kept
    std::uint64_t damages_total = 0;
    std::vector<std::string> notes;  // what is no damage, and worth a line
    std::string remedy;

    bool whole() const { return damages_total == 0; }
};

class StoreCheckRun {
 public:
    StoreCheckRun(const StoreCheckTask& task, store::Database& database,
                  const std::function<void(const std::string&)>& on_progress)
        : task_(task), database_(database), on_progress_(on_progress) {}

    StoreCheckReport run() {
        check_head();
        audit();
        if (task_.plays_again || !task_.games.empty()) check_games();
        if (!report_.whole()) report_.remedy = remedy();
        return std::move(report_);
    }

 private:
    void find(store::Damage damage) {
        ++report_.damages_total;
        if (report_.damages.size() < limits::damages_kept_max)
            report_.damages.push_back(std::move(damage));
    }

    // Where the store must end at least.
    void check_head() {
        const auto head = store::HeadFile::read(task_.store);
        if (!head) {
            find({0, true, head.error().message});
            is_head_damaged_ = head.error().trouble == store::StoreTrouble::corrupt;
            return;
        }
        if (!*head) return;
        try {
            store::check_told(database_, **head);
            report_.notes.push_back("it reaches as far as " + task_.store +
                                    ".head says, to record " + std::to_string((*head)->seq) +
                                    " at least");
        } catch (const store::DatabaseError& error) {
            find({(*head)->seq, true, error.what()});
        }
    }

    std::string remedy() const {
        if (!is_head_damaged_ || report_.damages_total > 1)
            return store::remedy_of_damage(task_.store);
        return "the store is whole beside its .head, which alone knew whether records are missing "
               "behind the last one, record " +
               std::to_string(report_.records) +
               "; if that is the last one that you know of, remove " + task_.store +
               ".head and start again";
    }

    void audit() {
        store::Audit audit(database_, store::Audit::Depth::whole_file);
        std::uint64_t told = 0;
        while (!audit.is_over()) {
            audit.go_on(limits::records_checked_at_once);
            if (audit.records() >= told + limits::records_between_check_news) {
                told = audit.records();
                on_progress_(std::to_string(told) + " of " +
                             std::to_string(audit.records_in_all()) + " records");
            }
        }
        for (const auto& damage : audit.damages()) find(damage);
        report_.damages_total += audit.damages_total() - audit.damages().size();
        report_.records = audit.records();
        report_.replays = audit.replays();
        report_.replays_dropped = audit.replays_dropped();
        try {
            report_.origin = store::origin_of(database_);
        } catch (const store::DatabaseError& error) {
            report_.origin = error.what();
        }
    }

    // Those that are whole: the others are told already.
    void check_games() {
        std::uint64_t last = 0;
        while (true) {
            std::optional<store::StoredRecord> stored;
            try {
                store::LinkCursor links(database_, last);
                auto link = links.next();
                while (link && !link->digest.replay) link = links.next();
                if (!link) return;
                last = link->seq;
                stored = store::checked_record(database_, last);
            } catch (const store::DatabaseError& error) {
                if (!error.is_corrupt()) throw;
                if (!stored && !skip_damaged(last)) return;
                continue;
            }
            const auto* game = std::get_if<records::GameRecord>(&stored->record);
            if (game == nullptr || game->replay.empty()) continue;
            if (task_.plays_again) play_again(stored->seq, *game);
            if (!task_.games.empty()) compare_file(stored->seq, *game);
        }
    }

    // Whether there is a way on behind a record that can't be read.
    bool skip_damaged(std::uint64_t& last) {
        if (last == skipped_) return false;
        skipped_ = last;
        return true;
    }

    void play_again(std::uint64_t seq, const records::GameRecord& game) {
        const auto id = game_id(game.result.key);
        const auto what = "record " + std::to_string(seq) + ", game " + id + ": ";
        const auto told = records::game_of_replay(game.replay, game.result);
        if (!told) {
            find({seq, false, what + told.error().message});
            return;
        }
        if (digests_.digest(*told).record != digests_.digest(game).record)
            find({seq, true, what + "its replay tells another result"});
        std::istringstream replay(game.replay);
        const auto verdict = trace::check_replay(replay, id, registry_);
        if (!verdict) {
            find({seq, false, what + verdict.error().message});
            return;
        }
        for (const auto& difference : verdict->differences)
            find({seq, true, what + "played again it differs: " + difference});
        if (++report_.played_again % limits::records_between_check_news == 0)
            on_progress_(std::to_string(report_.played_again) + " games played again");
    }

    void compare_file(std::uint64_t seq, const records::GameRecord& game) {
        const auto path =
            std::filesystem::path(task_.games) / (file_name_of(game.result.key) + ".ndjson");
        if (std::error_code none; !std::filesystem::exists(path, none)) {
            ++report_.files_missing;
            return;
        }
        ++report_.files;
        if (files::read_named_file(path.string(), game.replay.size()).value_or("") != game.replay)
            find({seq, false,
                  path.string() + " is another replay than the store's; remove it, and the next "
                                  "start writes it again"});
    }

    const StoreCheckTask& task_;
    store::Database& database_;
    const std::function<void(const std::string&)>& on_progress_;
    StoreCheckReport report_;
    std::uint64_t skipped_ = 0;
    bool is_head_damaged_ = false;
    engines::Registry registry_;
    store::RecordHasher digests_;
};

// `on_progress` is told now and then how far it is. A failure where the store can't be looked at.
base::Result<StoreCheckReport, store::StoreError> check_store(
    const StoreCheckTask& task, const std::function<void(const std::string&)>& on_progress) {
    auto opened = store::StoreReader::open(task.store);
    if (!opened) return base::failure(std::move(opened.error()));
    try {
        auto report = StoreCheckRun(task, opened->database(), on_progress).run();
        if (auto rests = opened->check_rest(); !rests)
            return base::failure(std::move(rests.error()));
        return report;
    } catch (const store::DatabaseError& error) {
        return base::failure(store::told(error, task.store));
    }
}

struct VerifyOptions {
    std::string store;
    std::string games;
    bool quick = false;
    bool json = false;
};

void write_json(const VerifyOptions& options, const StoreCheckReport& report) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object()
        .member("store", options.store)
        .member("whole", report.whole())
        .member("origin", report.origin)
        .member("records", report.records)
        .member("replays", report.replays)
        .member("replays_dropped", report.replays_dropped)
        .member("played_again", report.played_again)
        .member("files", report.files)
        .member("files_missing", report.files_missing);
    writer.key("damages").begin_array();
    for (const auto& damage : report.damages) {
        writer.begin_object();
        if (damage.seq > 0) writer.member("seq", damage.seq);
        writer.member("counts", damage.counts).member("what", damage.what).end_object();
    }
    writer.end_array().member("damages_total", report.damages_total);
    writer.key("notes").texts(report.notes).end_object();
    std::cout << text << '\n';
}

void write_text(const VerifyOptions& options, const StoreCheckReport& report) {
    std::cout << options.store << ": the chain (" << report.origin << "): " << report.records
              << " records, " << report.replays << " replays"
              << (report.replays_dropped == 0 ? ""
                                              : " (" + std::to_string(report.replays_dropped) +
                                                    " of them dropped, within replays_mb)")
              << "\n"
              << options.store << ": " << report.played_again << " games played again\n";
    if (!options.games.empty()) {
        std::cout << options.games << ": " << report.files << " files of games compared, "
                  << report.files_missing << " not there\n";
    }
    for (const auto& note : report.notes) std::cout << options.store << ": " << note << '\n';
    for (const auto& damage : report.damages)
        std::cout << options.store << ": DAMAGED: " << damage.what << '\n';
    if (report.damages_total > report.damages.size())
        std::cout << options.store << ": and " << report.damages_total - report.damages.size()
                  << " more\n";
    if (report.whole()) {
        std::cout << options.store << ": whole\n";
    } else {
        std::cout << options.store << ": " << report.damages_total << " damaged; " << report.remedy
                  << '\n';
    }
}

int verify(const VerifyOptions& options) {
    const auto checked = check_store(
        {options.store, options.games, !options.quick}, [&options](const std::string& progress) {
            if (!options.json) std::cerr << options.store << ": " << progress << std::endl;
        });
    if (!checked) {
        std::cerr << checked.error().message << '\n';
        return checked.error().trouble == store::StoreTrouble::corrupt ? exit_no : exit_bad_input;
    }
    if (options.json) {
        write_json(options, *checked);
    } else {
        write_text(options, *checked);
    }
    return checked->whole() ? exit_done : exit_no;
}

}  // namespace

void add_verify_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<VerifyOptions>();
    auto* command =
        app.add_subcommand("verify", "Whether a store is as it was written, to the last bit");
    command->footer(R"(  $ referee store verify out/referee.db
  $ referee store verify out/referee.db --games out/games

Looks at the chain of all records, at each replay, at the tables and at every page, and plays each
game again to see whether its result follows from its replay. With --games it compares the files of
games, too; those that are not there are counted, and are no damage. The store may be in use.
Nothing is written.

The exit status is 0 where all is whole, 1 where something is damaged, 2 where it can't be looked
at. `referee store export --skip-damaged` saves what is proven of a damaged one.)");
    command->add_option("STORE", options->store, "The store's file")->required();
    command->add_option("--games", options->games, "The folder of the files of games");
    command->add_flag("--no-play", options->quick, "Don't play the games again");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &status] { status = verify(*options); });
}

}  // namespace referee::cli
