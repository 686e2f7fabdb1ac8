// What bots are called on the site, and for whom.

#include <utility>

#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/watch/web/site.h"

namespace referee::web {

pseudonyms::NameMask Site::name_mask_for(const std::string& tournament, const Visitor& visitor) {
    if (terms_.names_secret.empty() || visitor.instructor) return {};
    auto& aliases = aliases_[tournament];
    if (aliases == nullptr) {
        aliases = std::make_shared<const pseudonyms::Aliases>(
            terms_.names_secret, tournament,
            std::vector<std::string>(names_.begin(), names_.end()));
    }
    return {aliases, visitor.bot};
}

void Site::learn(const std::vector<std::string>& names) {
    bool is_new = false;
    for (const auto& name : names) is_new = names_.insert(name).second || is_new;
    if (is_new) aliases_.clear();
}

void Site::set_terms(SiteTerms terms) {
    const bool others = terms.names_secret != terms_.names_secret;
    terms_ = std::move(terms);
    if (!others) return;
    showings_.clear();
    showings_bytes_ = 0;
    aliases_.clear();
    wall_.begin_anew();
    // Who looks on loads the page again, with the names that are told now.
    while (!live_.empty()) {
        const auto id = live_.begin()->first;
        live_.begin()->second.fail();
        with_.loop.unwatch(id);
        give_up(id);
    }
}

// The bot's own games are of several tournaments, and others have a pseudonym in each.
std::string Site::masked_games(const std::string& list, const Visitor& visitor) {
    protocol::json::Document document;
    if (terms_.names_secret.empty() || !document.parse(list)) return list;
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object();
    for (const auto& [name, value] : document.root().members()) {
        writer.key(name);
        if (name != "games") {
            value.write(writer);
            continue;
        }
        writer.begin_array();
        for (const auto game : value.elements()) {
            std::string one;
            protocol::json::Writer one_writer(one);
            game.write(one_writer);
            std::vector<std::string> bots;
            for (const auto bot : game.find("names").elements())
                bots.emplace_back(bot.string().value_or(""));
            const std::string tournament(game.find("tournament").string().value_or(""));
            learn(bots);
            writer.raw(name_mask_for(tournament, visitor).json(one));
        }
        writer.end_array();
    }
    writer.end_object();
    return text;
}

}  // namespace referee::web
