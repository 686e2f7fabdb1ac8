#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/forget_in_store.h"

namespace referee::forget {

// The files below the folder of a run, as they concern a bot that is forgotten. The store's own are
// no part of them.
struct FilesOfBot {
    std::vector<std::string> rewritten;  // replays and what pages read, with the placeholder
    std::vector<std::string> removed;    // what the bot sent for its own use; what is drawn up anew
    std::vector<std::string> left;       // that name it and are not the referee's to change
    std::vector<std::string> too_large;  // to be looked at; the referee writes none of that size
};

// A bot to be forgotten in the folder of a run: in its store and in its files.
struct ForgetTask {
    std::string out;     // the folder
    std::string name;    // of the bot
    std::string config;  // the file by which the folder is played; empty: it is not looked at
};

// Why a bot can't be forgotten.
enum class ForgetTrouble : std::uint8_t {
    unknown,      // the store has no such bot
    still_named,  // by the config or the roster
    unfit,        // the config does not fit what would be in the store
    plays,        // a game just now
    machine,      // a file can't be read or written, the store is in use, ...
};
std::string_view name_of(ForgetTrouble trouble);  // "still_named"

struct ForgetRefusal {
    ForgetTrouble trouble;
    std::string message;  // with what to do about it
};

// What is to be done, and what can't be.
struct ForgetPlan {
    ForgetTask task;
    std::string placeholder;
    store::Mentions mentions;
    FilesOfBot files;
    std::vector<std::string> left;  // what a person has to look after: a sentence each
};
// Reads all records and files, and writes nothing. Where the config is given, it must not name the
// bot any more, and the tournaments that are under way must come to the same by it with the
// placeholder.
base::Result<ForgetPlan, ForgetRefusal> plan_forgetting(const ForgetTask& task);

// Does it: the files first and the store last, so whoever is cut short can do it again. `secret`: a
// text that nobody can guess, drawn for this alone; it is kept nowhere. Requires: nobody plays.
base::Result<store::Rewritten, ForgetRefusal> forget_bot(const ForgetPlan& plan,
                                                         const std::string& secret,
                                                         const store::OnRewritten& on_rewritten);

// What is to be done: "16 records that name it, 4 games; 9 files to rewrite, ..."
std::string describe(const ForgetPlan& plan);
// What was done.
std::string told_of(const ForgetPlan& plan, const store::Rewritten& rewritten);

}  // namespace referee::forget
