#include "referee/watch/pages/pages.h"

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"

namespace referee::pages {

namespace {

// The files of this folder as they were when the program was built.
struct EmbeddedFile {
    std::string_view name;  // "viewer.js"
    std::string_view text;
};

// A part of a page's script, in the order of pages.txt: a module, or "boards".
struct ScriptPart {
    std::string_view page;
    std::string_view module;
};

#include "referee/watch/pages/embedded_pages.inc"

constexpr std::string_view export_mark = "export ";
constexpr std::string_view import_mark = "import ";

// The module without its import lines and the words `export`.
std::string without_marks(std::string_view module) {
    std::string text;
    while (!module.empty()) {
        auto line = base::next_line(module);
        if (line.starts_with(import_mark)) continue;
        if (line.starts_with(export_mark)) line.remove_prefix(export_mark.size());
        text.append(line).append("\n");
    }
    return text;
}

std::vector<std::string_view> exported_functions(std::string_view module) {
    constexpr std::string_view begin = "export function ";
    std::vector<std::string_view> names;
    while (!module.empty()) {
        const auto line = base::next_line(module);
        if (line.starts_with(begin))
            names.push_back(line.substr(begin.size(), line.find('(') - begin.size()));
    }
    return names;
}

std::string all_boards() {
    std::string text = "const boards = {";
    std::string_view comma = "\n";
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        const auto board = engines::board_of(game->info().id);
        if (!board) continue;
        text.append(comma).append(game->info().id).append(": ").append(module_as_object(*board));
        comma = ",\n";
    }
    return text + "\n};\n";
}

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
    std::string out;
    for (auto place = text.find(what); place != std::string_view::npos; place = text.find(what)) {
        out.append(text.substr(0, place)).append(by);
        text.remove_prefix(place + what.size());
    }
    return out.append(text);
}

// A page that is one file may load nothing at all, whatever stands in its data.
constexpr std::string_view nothing_but_inline =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">\n";

std::string head(std::string_view title) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           base::in_markup(title) + "</title>\n";
}

// Of a page that its script draws.
constexpr std::string_view drawn_body =
    "<main></main>\n<noscript><p>This page is drawn by a script. Please allow scripts for "
    "it.</p></noscript>\n";

// A file of this folder, as it was when the program was built: "pen.js". Empty where there is
// none.
std::string_view file_text(std::string_view name) {
    for (const auto& each : embedded_files) {
        if (each.name == name) return each.text;
    }
    return {};
}

}  // namespace

std::string_view style() {
    return file_text("style.css");
}

std::string_view icon() {
    return file_text("icon.svg");
}

std::string script(std::string_view page) {
    std::string text;
    for (const auto& part : script_parts) {
        if (part.page != page) continue;
        text += part.module == "boards" ? all_boards() : without_marks(file_text(part.module));
        text += '\n';
    }
    return text.empty() ? text : "(function () {\n\"use strict\";\n" + text + "})();\n";
}

std::string module_as_object(std::string_view module) {
    std::string text = "(function () {\n" + without_marks(module) + "return {";
    std::string_view comma;
    for (const auto name : exported_functions(module)) {
        text.append(comma).append(name).append(": ").append(name);
        comma = ", ";
    }
    return text + "};\n})()";
}

std::string viewer_html(std::string_view title, const std::vector<std::string_view>& showings) {
    auto text = head(title);
    text.append(nothing_but_inline).append("<style>\n");
    text.append(replaced(style(), "</", "<\\/")).append("</style>\n</head>\n");
    text.append("<body data-source=\"inline\">\n").append(drawn_body);
    for (const auto showing : showings) {
        text.append("<script type=\"application/json\" class=\"showing\">");
        text.append(replaced(showing, "<", "\\u003c")).append("</script>\n");
    }
    text.append("<script>\n").append(replaced(script("viewer"), "</script", "<\\/script"));
    return text.append("</script>\n</body>\n</html>\n");
}

std::string linked_html(std::string_view title, const Links& links) {
    auto text = head(title);
    if (!links.style.empty())
        text.append("<link rel=\"stylesheet\" href=\"").append(links.style).append("\">\n");
    if (!links.icon.empty())
        text.append("<link rel=\"icon\" href=\"").append(links.icon).append("\">\n");
    text.append("</head>\n<body data-source=\"").append(links.source).append("\">\n");
    text.append(links.navigation).append(links.body.empty() ? drawn_body : links.body);
    for (const auto script : links.scripts)
        text.append("<script src=\"").append(script).append("\"></script>\n");
    return text.append("</body>\n</html>\n");
}

std::string contents_html(std::string_view title, const std::vector<FolderLink>& folders) {
    auto body = "<main>\n<h1>" + base::in_markup(title) +
                "</h1>\n<p>Each has its standings, matches and games.</p>\n<ul class=\"plain\">\n";
    for (auto at = folders.rbegin(); at != folders.rend(); ++at)
        body += "<li>" + link(at->folder + "/index.html", at->folder) +
                (at->told.empty() ? "" : ": " + base::in_markup(at->told)) + "</li>\n";
    const auto style =
        folders.empty() ? "" : base::in_markup(folders.front().folder) + "/page/style.css";
    return linked_html(title, {.style = style, .body = body + "</ul>\n</main>\n"});
}

std::string call_with(std::string_view function, std::string json) {
    json.insert(0, std::string(function) + "(").append(");\n");
    return json;
}

std::string table_html(std::string_view label, const std::vector<std::string_view>& heads,
                       const std::string& rows) {
    std::string text = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                       base::in_markup(label) + "\"><table><thead><tr>";
    for (const auto head : heads)
        text.append("<th scope=\"col\">").append(base::in_markup(head)).append("</th>");
    return text + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string link(std::string_view to, std::string_view text) {
    return link_around(to, base::in_markup(text));
}

std::string link_around(std::string_view to, const std::string& html) {
    return "<a href=\"" + base::in_markup(to) + "\">" + html + "</a>";
}

}  // namespace referee::pages
