#include "referee/tournament/config_roster.h"

#include <algorithm>
#include <chrono>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/limits.h"
#include "referee/net/lobby/guesses.h"
#include "referee/store/records/forget_in_record.h"

namespace referee::tournament {
namespace {

using protocol::ErrorCode;

// An instructor reads them.
constexpr std::size_t turned_away_max = 10;

constexpr Duration window = std::chrono::hours(1);

lobby::LoginRoster::Answer welcome_unless(std::optional<lobby::LoginRoster::Refusal> objection) {
    using Verdict = lobby::LoginRoster::Verdict;
    if (!objection) return {Verdict::welcome};
    return {Verdict::refused, *std::move(objection)};
}

}  // namespace

ConfigRoster::ConfigRoster(const config::Config& config, Tokens& tokens, const loop::Timers& timers,
                           OnRegister on_register)
    : token_methods_(tokens), timers_(timers), on_register_(std::move(on_register)) {
    set_config(config);
}

void ConfigRoster::set_config(const config::Config& config) {
    tokens_.clear();
    terms_ = config.registration;
    for (const auto& bot : config.bots) {
        auto token = bot.token;
        if (bot.launched())
            token = launch_tokens_.try_emplace(bot.name, token_methods_.fresh()).first->second;
        tokens_.emplace(bot.name, std::move(token));
    }
    look_again();
}

void ConfigRoster::look_again() {
    looks_.clear();
    for (const auto& name : known_names()) looks_.add(name);
    for (const auto& name : pending_) looks_.add(name);
}

std::vector<std::string> ConfigRoster::known_names() const {
    std::vector<std::string> known;
    for (const auto& [name, token] : tokens_) known.push_back(name);
    for (const auto& [name, standing] : registered_.all()) known.push_back(name);
    if (!terms_.class_roster) return known;
    for (const auto& student : terms_.class_roster->students()) known.push_back(student.name);
    return known;
}

void ConfigRoster::know(const records::TokenRecord& record) {
    pending_.erase(record.bot);
    registered_.know(record);
    record.hash.empty() ? look_again() : looks_.add(record.bot);
}

bool ConfigRoster::knows(std::string_view name) const {
    return tokens_.contains(name) || registered_.find(name) != nullptr ||
           (terms_.class_roster && terms_.class_roster->named(name) != nullptr);
}

std::string ConfigRoster::near(std::string_view name) const {
    if (auto like = looks_.like(name); !like.empty()) return like;
    return base::nearest(name, known_names());
}

bool ConfigRoster::is_kept_out(std::string_view name) const {
    const auto* known = registered_.find(name);
    return known != nullptr && objection_to_standing(*known).has_value();
}

void ConfigRoster::launch_for(const std::string& bot) {
    handed_in_[bot] = true;
    launch_tokens_.try_emplace(bot, token_methods_.fresh());
}

// Its token stays: a process of it may still be in a match.
void ConfigRoster::launch_no_more(const std::string& bot) {
    if (const auto found = handed_in_.find(bot); found != handed_in_.end()) found->second = false;
}

bool ConfigRoster::is_handed_in(const protocol::Login& login) const {
    return handed_in_.contains(login.name) &&
           base::same_secret(launch_tokens_.at(std::string(login.name)), login.token);
}

bool ConfigRoster::is_open(std::string_view name) const {
    const auto found = tokens_.find(name);
    return registered_.find(name) == nullptr && found != tokens_.end() && found->second.empty();
}

const roster::Student* ConfigRoster::student_with_token(std::string_view name) const {
    const auto* student = terms_.class_roster ? terms_.class_roster->named(name) : nullptr;
    return student != nullptr && !student->token.empty() ? student : nullptr;
}

lobby::LoginRoster::Answer ConfigRoster::check(const protocol::Login& login,
                                               const std::string& address) {
    if (is_handed_in(login)) return {Verdict::welcome};
    auto answer = judge(login, address);
    auto why = why_turned_away(answer, login);
    const auto verdict = answer.verdict;
    if (verdict == Verdict::welcome || verdict == Verdict::refused || !why.empty())
        std::erase_if(turned_away_, [&](const auto& each) { return each.name == login.name; });
    if (!why.empty()) turned_away_.push_front({std::string(login.name), std::move(why)});
    if (turned_away_.size() > turned_away_max) turned_away_.pop_back();
    if (verdict != Verdict::welcome) return answer;
    return welcome_unless(objection_to_purpose(login));
}

std::string ConfigRoster::why_turned_away(const Answer& answer,
                                          const protocol::Login& login) const {
    const auto& [verdict, refusal] = answer;
    if (verdict == Verdict::welcome) return {};
    const std::string name(login.name);
    if (verdict == Verdict::wrong_token)
        return std::string(login.token.empty() ? "it came without its token"
                                               : "its token is wrong") +
               // A launched bot's is the referee's own.
               (launch_tokens_.contains(name)
                    ? ""
                    : "; `referee ctl token new " + base::shell_word(name) + "` makes a new one");
    const auto meant = base::did_you_mean(near(name));
    if (verdict == Verdict::unknown_name || verdict == Verdict::wrong_password)
        return meant.empty() ? "" : "no bot of this name is registered here" + meant;
    if (verdict != Verdict::refused) return {};
    if (refusal.code == ErrorCode::approval_needed) return {};  // who waits for it is told as that
    const bool is_unknown =
        refusal.code == ErrorCode::unknown_name || refusal.code == ErrorCode::not_on_roster;
    return refusal.message.substr(0, refusal.message.find(';')) + (is_unknown ? meant : "");
}

// A launched bot comes with the config's token, whoever had its name before.
const RegisteredNames::Name* ConfigRoster::registered_as(std::string_view name) const {
    const bool launched = launch_tokens_.contains(std::string(name)) && !handed_in_.contains(name);
    return launched ? nullptr : registered_.find(name);
}

std::optional<bool> ConfigRoster::lets_in(std::string_view name, std::string_view token) const {
    if (const auto* known = registered_as(name)) return token_methods_.matches(token, known->hash);
    if (const auto* own = base::find_in(tokens_, name))
        return own->empty() || base::same_secret(*own, token);
    const auto* student = student_with_token(name);
    if (student == nullptr) return std::nullopt;
    return student->has_hashed_token() ? token_methods_.matches(token, student->token)
                                       : base::same_secret(student->token, token);
}

lobby::LoginRoster::Answer ConfigRoster::judge(const protocol::Login& login,
                                               const std::string& address) {
    const auto welcome = lets_in(login.name, login.token);
    if (!welcome) return newcomer(login, address);
    if (!*welcome) return {Verdict::wrong_token};
    const auto* known = registered_as(login.name);
    return welcome_unless(known == nullptr ? std::nullopt : objection_to_standing(*known));
}

std::optional<bool> ConfigRoster::is_token_of(std::string_view name, std::string_view token) const {
    if (launch_tokens_.contains(std::string(name)) || is_open(name)) return std::nullopt;
    return lets_in(name, token);
}

lobby::LoginRoster::Answer ConfigRoster::newcomer(const protocol::Login& login,
                                                  const std::string& address) {
    // Who only asks has games already, so it has a name.
    if (terms_.password.empty() || login.purpose == protocol::Purpose::ask)
        return {Verdict::unknown_name};
    if (!base::same_secret(terms_.password, login.password)) return {Verdict::wrong_password};
    if (login.token.size() < protocol::limits::registered_token_bytes_min)
        return {Verdict::token_needed};
    // On a second login of the name, the lobby answers that the name is being registered.
    if (pending_.contains(login.name)) return {Verdict::pending};
    if (auto objection = objection_to_newcomer(login, address))
        return {Verdict::refused, *std::move(objection)};
    rate_.note(address, timers_.now());
    pending_.emplace(login.name);
    looks_.add(std::string(login.name));
    const auto standing = terms_.approval ? Standing::waiting : Standing::registered;
    on_register_({std::string(login.name), token_methods_.hash_of(login.token),
                  origin_of(standing, address)});
    return {Verdict::pending};
}

std::optional<lobby::LoginRoster::Refusal> ConfigRoster::objection_to_purpose(
    const protocol::Login& login) const {
    using protocol::Purpose;
    const auto handed_in = handed_in_.find(login.name);
    if (login.purpose == Purpose::play && handed_in != handed_in_.end() && handed_in->second)
        return Refusal{ErrorCode::program_plays,
                       "a program that was handed in plays in this name, and is launched by the "
                       "referee; to play yourself, withdraw it first, as `referee submit "
                       "--withdraw` does"};
    if (login.purpose == Purpose::submit && is_open(login.name))
        return Refusal{ErrorCode::token_needed,
                       "this name has no token, so anybody could hand in a program for it; "
                       "expected a name with a token, ask the instructor"};
    return std::nullopt;
}

// Where the config asks for no approval any more, nobody waits for one.
std::optional<lobby::LoginRoster::Refusal> ConfigRoster::objection_to_standing(
    const RegisteredNames::Name& name) const {
    if (name.standing == Standing::refused)
        return Refusal{ErrorCode::name_refused, told_of_refusal(name.reason)};
    if (name.standing == Standing::waiting && terms_.approval)
        return Refusal{ErrorCode::approval_needed,
                       "this name is registered with your token, and waits until the instructor "
                       "approves it; log in again later, with the same token"};
    return std::nullopt;
}

std::optional<lobby::LoginRoster::Refusal> ConfigRoster::objection_to_newcomer(
    const protocol::Login& login, const std::string& address) const {
    if (base::same_secret(terms_.password, login.token))
        return Refusal{ErrorCode::token_needed,
                       "the token is the class password, which the whole class knows; expected a "
                       "\"token\" of your own, which the name will belong to"};
    if (auto look = objection_to_look(login.name)) return look;
    const auto total = registered_.counted() + pending_.size();
    if (total >= terms_.total ||
        registered_.all().size() + pending_.size() >= config::registered_names_max)
        return Refusal{ErrorCode::registrations_full,
                       fmt::format("{} names are registered here, and {} are the most: no new one "
                                   "is taken; ask the instructor",
                                   total, terms_.total)};
    const auto wait = rate_.wait(address, timers_.now(), terms_.per_address_per_hour);
    if (wait > Duration::zero())
        return Refusal{
            ErrorCode::too_many_registrations,
            fmt::format("{} names were registered from {} within the last hour, which is the most; "
                        "log in again in {} min, or ask the instructor",
                        terms_.per_address_per_hour, lobby::network_of(address),
                        std::chrono::ceil<std::chrono::minutes>(wait).count())};
    return std::nullopt;
}

// A name that the roster has is the instructor's word, whatever others look like it.
std::optional<lobby::LoginRoster::Refusal> ConfigRoster::objection_to_look(
    std::string_view name) const {
    const auto& students = terms_.class_roster;
    if (students && students->named(name) != nullptr) return std::nullopt;
    const auto other = looks_.like(name);
    const auto looks_like = other.empty()
                                ? std::string()
                                : base::quoted(name) + " looks like " + base::quoted(other) +
                                      ", which is known here: " + names::difference(name, other);
    if (students)
        return Refusal{ErrorCode::not_on_roster,
                       "the class has a roster, and this name is not on it; expected a name as it "
                       "stands there, letter for letter; ask the instructor" +
                           (other.empty() ? "" : " (" + looks_like + ")")};
    if (records::is_placeholder(name))
        return Refusal{
            ErrorCode::name_too_similar,
            base::quoted(name) + " is how bots are called that were forgotten; take another name"};
    if (other.empty()) return std::nullopt;
    return Refusal{ErrorCode::name_too_similar,
                   looks_like + "; if " + base::quoted(other) +
                       " is yours, write it so; else take another name"};
}

void RegistrationRate::note(const std::string& address, Instant now) {
    times_[lobby::network_of(address)].push_back(now);
    // Whoever has come lately stays; so the map is never longer than the names of an hour.
    for (auto it = times_.begin(); it != times_.end();) {
        auto& times = it->second;
        while (!times.empty() && times.front() + window <= now) times.pop_front();
        it = times.empty() ? times_.erase(it) : std::next(it);
    }
}

Duration RegistrationRate::wait(const std::string& address, Instant now,
                                std::uint32_t per_hour) const {
    const auto found = times_.find(lobby::network_of(address));
    if (found == times_.end() || found->second.size() < per_hour) return Duration::zero();
    // The first of the last `per_hour` must be an hour back.
    const auto& times = found->second;
    const auto free_at = times[times.size() - per_hour] + window;
    return std::max(Duration::zero(), free_at - now);
}

}  // namespace referee::tournament
