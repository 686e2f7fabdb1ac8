#include "referee/watch/web/web_page.h"

#include "referee/watch/pages/pages.h"

namespace referee::web {
namespace {

constexpr std::string_view navigation =
    "<nav class=\"pages\" aria-label=\"Pages\"><a href=\"/\">Home</a> <a "
    "href=\"/wall\">Projector</a> <a href=\"/me\">My bot</a></nav>\n";

Answer linked(std::string_view title, std::string_view script, pages::Links links) {
    const auto path = "/page/" + std::string(script);
    if (!script.empty()) links.scripts = {path};
    links.style = "/page/style.css";
    links.source = "api";
    links.icon = icon_path;
    links.navigation.insert(0, navigation);
    return text_answer("text/html; charset=utf-8", pages::linked_html(title, links));
}

}  // namespace

Answer page_answer(std::string_view title, std::string_view script, const std::string& html) {
    return linked(title, script,
                  {.body = "<main><h1>" + pages::escaped(title) + "</h1>\n" + html + "</main>\n"});
}

Answer drawn_page(std::string_view title, std::string_view script, const std::string& links) {
    return linked(title, script, {.navigation = links});
}

std::string tournament_link(const std::string& id) {
    return pages::link("/t/" + in_url(id), id);
}

std::string game_link(const std::string& id) {
    return pages::link("/g/" + in_url(id), id);
}

std::string bot_path(std::string_view tournament, std::string_view bot) {
    return "/t/" + in_url(tournament) + "/bots/" + in_url(bot);
}

}  // namespace referee::web
