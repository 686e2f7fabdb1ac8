#include "referee/watch/web/crosstable_csv.h"

#include <vector>

#include "protocol/json/document.h"
#include "protocol/json/text.h"

namespace referee::web {

namespace json = protocol::json;

std::string crosstable_csv(std::string_view crosstable) {
    json::Document document;
    if (!document.parse(crosstable)) return {};
    const auto text_of = [](json::View cell) {
        return cell.is_null() ? "" : std::string(cell.string().value_or(cell.json_text()));
    };
    std::vector<std::string> cells{"no", "name"};
    for (const auto column : document.root().find("columns").elements())
        cells.push_back(text_of(column));
    cells.insert(cells.end(), {"points", "rank"});
    auto text = json::csv_line(cells);
    for (const auto bot : document.root().find("bots").elements()) {
        cells = {text_of(bot.find("number")), text_of(bot.find("name"))};
        for (const auto cell : bot.find("cells").elements()) cells.push_back(text_of(cell));
        cells.push_back(text_of(bot.find("points")));
        cells.push_back(text_of(bot.find("rank")));
        text += json::csv_line(cells);
    }
    return text;
}

}  // namespace referee::web
