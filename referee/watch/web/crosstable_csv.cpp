#include "referee/watch/web/crosstable_csv.h"

#include "protocol/json/document.h"
#include "protocol/json/text.h"
#include "referee/roster/csv.h"

namespace referee::web {

namespace json = protocol::json;

std::string crosstable_csv(std::string_view crosstable) {
    json::Document document;
    if (!document.parse(crosstable)) return {};
    roster::CsvTable table;
    table.header.cells = {"no", "name"};
    for (const auto column : document.root().find("columns").elements())
        table.header.cells.emplace_back(column.string().value_or(""));
    table.header.cells.insert(table.header.cells.end(), {"points", "rank"});
    for (const auto bot : document.root().find("bots").elements()) {
        auto& cells = table.rows.emplace_back().cells;
        const auto add = [&cells](json::View value) {
            auto& cell = cells.emplace_back(value.string().value_or(""));
            if (value.number()) cell = value.json_text();
            // Spreadsheets would run it.
            if (json::is_formula(cell)) cell.insert(cell.begin(), json::text_mark);
        };
        add(bot.find("number"));
        add(bot.find("name"));
        for (const auto cell : bot.find("cells").elements()) add(cell);
        add(bot.find("points"));
        add(bot.find("rank"));
    }
    return roster::write_csv(table);
}

}  // namespace referee::web
