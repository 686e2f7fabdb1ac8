#pragma once

#include <string>

#include "protocol/base/result.h"
#include "protocol/codec.h"
#include "sample_bots/cpp/kit/bot.h"
#include "sample_bots/cpp/kit/connection.h"
#include "sample_bots/cpp/kit/options.h"

namespace kit {

struct NotAnswered {
    std::string message;
};

// Asks the referee about games of a bot that are over, on a connection of its own: it plays
// nothing, and doesn't disturb the bot that does.
class Enquiry {
 public:
    // Both must outlive it.
    Enquiry(Connection& connection, const Options& options)
        : connection_(connection), options_(options) {}

    // Once, before the questions.
    base::Result<void, NotAnswered> log_in(const BotInfo& info);
    // The answers are valid until the next question.
    base::Result<protocol::GameList, NotAnswered> games(const protocol::AskGames& question);
    base::Result<protocol::GameStory, NotAnswered> game(std::string_view id);

 private:
    template <typename Wanted>
    base::Result<Wanted, NotAnswered> next();

    Connection& connection_;
    const Options& options_;
    protocol::json::Document document_;
    std::string out_;
};

// The same for people, as text: what `options.question` asks for.
base::Result<std::string, NotAnswered> answer_for_people(Connection& connection,
                                                         const Options& options,
                                                         const BotInfo& info);

}  // namespace kit
