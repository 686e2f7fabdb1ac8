#!/usr/bin/env python3
"""Keeps the rules of the tree: who may include whom, what the pure rooms may not touch, sizes and names.

    house_rules_test.py ROOT

Prints one line for each broken rule, and ends with 1 if there is any. Standard library only.
"""

import graphlib
import pathlib
import re
import sys

CODE = {".h", ".hpp", ".cpp", ".cc", ".c", ".py", ".cmake", ".sh", ".js", ".java", ".rkt", ".m"}
CPP = {".h", ".hpp", ".cpp"}
LINES_MAX = 400
# The library of C and of C++ is one file, which students copy.
KIT = re.compile(r"sample_bots/c/referee_bot\.c|sample_bots/cpp/referee_bot\.hpp")
KIT_LINES_MAX = 450
TOPS = ("engines", "protocol", "referee", "sample_bots", "tests")
FORBIDDEN_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# Reads a clock; draws a random number; opens a file or a socket.
IMPURE = re.compile(r"\bnow\s*\(\s*\)|\bsrand\s*\(|\brand\s*\(\s*\)|\bgetrandom\s*\(")
IMPURE_HEADERS = ("boost/", "random", "fstream", "filesystem", "thread", "mutex", "sys/", "unistd.h", "fcntl.h", "netinet/")
PURE_OF_BOOST = "boost/math/"

# Folders of referee/ that know no network, no clock and no file.
PURE_ROOMS = """
    game/clock game/fields game/result game/play game/trace
    contest/pairing contest/trf contest/standings contest/rating contest/certainty contest/formats
    grading/rubric grading/verdict grading/feedback
    connect/relay
    watch/showing watch/pages watch/review
    roster/names roster/pseudonyms
    submit/exports
""".split()

# The language's own locks: nobody can tell what they guard.
BARE_LOCK = re.compile(r"\bstd::(?:(?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex|lock_guard|"
                       r"(?:unique|scoped|shared)_lock)\b|\bpthread_mutex_t\b")
LOCKS = "referee/net/loop/mutex.h"

ASSERTION = re.compile(r"\bREFEREE_ASSERT\s*\((?!promise\))")
# Changes something: an assignment, a step, a call by a name that says so.
EFFECT = re.compile(
    r"\+\+|--|(?<![=!<>])=(?!=)|"
    r"\b(?:parse|erase|insert|insert_or_assign|emplace|try_emplace|emplace_\w+|push_\w+|pop_\w+|extract|merge|clear|"
    r"reset|release|exchange|swap|assign|resize|append|amend|record|take|next|read|write|getrandom|move)\s*\(")

TYPE = re.compile(r"^(?:class|struct|enum class) (\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace referee::(\w+)", re.MULTILINE)

# Own headers that a folder may include, by their beginning.
MAY_INCLUDE = {
    "engines": ("engines/", "protocol/base/", "protocol/json/"),
    "protocol": ("protocol/",),
    "sample_bots": ("sample_bots/", "engines/", "protocol/"),
    "referee": ("referee/", "engines/", "protocol/"),
}
# The reference bots are programs to everybody else; here they are players within ours.
PLAYS_REFERENCE_BOTS = "referee/playouts"
REFERENCE_BOTS = ("sample_bots/cpp/bot/bot.h", "sample_bots/cpp/reference/")

# What makes a test depend on how busy the machine is: it sleeps, reads the real clock, asks for a core or a class of its own, or
# guesses a port. Only calm tests may, each with its reason; elsewhere a comment `time: reason` beside it or above says why.
REAL_TIME = re.compile(r"\bsleep_for\b|\busleep\b|\bnanosleep\b|\b(?:time\.|::|std::)sleep\(|\bsteady_clock\b|\bmonotonic(?:_ns)?\(|\bCLOCK_MONOTONIC\b|\bSCHED_FIFO\b|"
                       r"\bsched_setaffinity\b|\bsetTimeout\(|\bfree_port\b")
TIME_REASON = re.compile(r"(?://|#|/\*)\s*time: \S")
CALM_REASON = re.compile(r"(?://|#|/\*)\s*calm: \S", re.MULTILINE)
SUITE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+)", re.MULTILINE)
# A script's registration in a CMakeLists: its file, and whether it is calm.
SCRIPT = re.compile(r"^\s*(?:script_test|add_program_test|add_crash_test)\(([^)]*)\)", re.MULTILINE)
# Programs that measure, and the one that keeps this rule, are no tests.
UNTIMED = ("tests/bench/", "tests/house_rules_test.py")


def code_files(root):
    for top in TOPS + ("scripts",):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and "golden" not in path.parts and (path.suffix in CODE or path.name == "CMakeLists.txt"):
                yield path.relative_to(root)


def includes(text):
    """(is_system, name) of each include."""
    return [(bracket == "<", name) for bracket, name in INCLUDE.findall(text)]


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def room_of(path):
    """A folder is a room; what stands right in referee/, and the registry of all engines, is one of its own. The
    bots of a game are one room, the folders of the strongest among them included."""
    if path.parent.as_posix() == "referee" or path.with_suffix("").as_posix() == "engines/registry":
        return path.with_suffix("").as_posix()
    if path.parts[0] == "sample_bots":
        return "/".join(path.parent.parts[:3])
    return path.parent.as_posix()


# Files right in referee/, which stand in no room.
OPEN_TO_ALL = ("referee/exit_code", "referee/limits", "referee/main", "referee/version")

STUDENTS_KIT = "sample_bots/cpp"  # stands alone: its files are copied, and include their neighbours


def check_includes(path, text, broken):
    top = path.parts[0]
    for is_system, name in includes(text):
        beside = path.parent.as_posix() == STUDENTS_KIT and "/" not in name
        if is_system or beside or top not in MAY_INCLUDE:
            continue
        if path.parent.as_posix() == PLAYS_REFERENCE_BOTS and name.startswith(REFERENCE_BOTS):
            continue
        if not name.startswith(MAY_INCLUDE[top]):
            broken.append(f"{path}: includes \"{name}\"; {top}/ includes only {', '.join(MAY_INCLUDE[top])}")


def assertions(text):
    """What stands in the brackets of each REFEREE_ASSERT."""
    for found in ASSERTION.finditer(text):
        depth, end = 1, found.end()
        while depth > 0 and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[found.end():end - 1]


def check_assertions(path, text, broken):
    for promise in assertions(without_comments(text)):
        if EFFECT.search(promise):
            shown = " ".join(promise.split())
            broken.append(f"{path}: REFEREE_ASSERT({shown}) does something; do it before, and assert what came of it")


def check_locks(path, text, broken):
    for found in BARE_LOCK.findall(without_comments(text)):
        if path.as_posix() != LOCKS:
            broken.append(f"{path}: uses {found}; expected loop::Mutex and loop::Lock of {LOCKS}, which say what they guard")


def check_namespaces(path, text, folders, broken):
    """Whoever reads a name's namespace knows in which folder to look: one that the file is in. What all rooms speak of is in `referee` itself;
    a description of fields is in `fields`, wherever it stands."""
    above = path.parts[1:-1]
    names = NAMESPACE.findall(text) if path.parts[0] == "referee" else ()
    if names and above and not {*above, "fields"}.intersection(names):
        broken.append(f"{path}: namespace referee::{names[0]}; expected referee::{above[-1]}, after its folder")
    for name in names:
        if name not in folders and name != "limits":
            broken.append(f"{path}: namespace referee::{name}; expected the name of a folder")


def check_types(path, text, known, broken):
    """One word for one thing: a type of a header of referee/ has its name alone."""
    for name in TYPE.findall(text) if path.parts[0] == "referee" and path.suffix == ".h" else ():
        first = known.setdefault(name, path)
        if first != path:
            broken.append(f"{path}: type {name} stands in {first} too; name one of them after what it is")


def large_room_of(room):
    """The group of rooms right below referee/ that a room stands in."""
    parts = room.split("/")
    return parts[1] if parts[0] == "referee" and len(parts) > 1 and room not in OPEN_TO_ALL else None


def check_purity(path, text, shell_rooms, broken):
    for is_system, name in includes(text):
        if is_system and name.startswith(IMPURE_HEADERS) and not name.startswith(PURE_OF_BOOST):
            broken.append(f"{path}: includes <{name}>, but is pure")
        if not is_system and name.startswith("referee/") and name.removeprefix("referee/").rpartition("/")[0] in shell_rooms:
            broken.append(f"{path}: includes \"{name}\" of the shell, but is pure")
    for found in IMPURE.findall(without_comments(text)):
        broken.append(f"{path}: calls {found}, but is pure")


def check_shape(path, text, broken):
    lines = text.count("\n")
    most = KIT_LINES_MAX if KIT.fullmatch(path.as_posix()) else LINES_MAX
    if lines > most:
        broken.append(f"{path}: {lines} lines; expected at most {most}")
    words = re.split(r"[_\-./]", path.as_posix())
    for word in FORBIDDEN_NAMES.intersection(words):
        broken.append(f"{path}: \"{word}\" says nothing; name it after what it is")


def check_is_named(path, text, headers, broken):
    """Who finds a source finds what declares it: a header of its name, or one beside it that names it, or a function of its name."""
    if path.suffix != ".cpp" or path.parts[0] == "tests" or re.search(r"^int main\(", text, re.MULTILINE):
        return
    named = re.compile(rf"(?<![\w/]){re.escape(path.name)}\b|\b(?:add_)?{path.stem}\(")
    if path.stem not in headers and not any(named.search(each) for each in headers.values()):
        broken.append(f"{path}: no header beside it names it; expected a line such as // ---- {path.name} ---- above what it has")


def calm_scripts(root):
    """The scripts of tests that are registered only as calm ones, and those that no test runs and that say why they are calm."""
    calm = {path.relative_to(root).as_posix(): True for path in (root / "tests").rglob("*.py") if CALM_REASON.search(path.read_text())}
    for path in (root / "tests").rglob("CMakeLists.txt"):
        for words in SCRIPT.findall(path.read_text()):
            found = re.search(r"([\w/]+)\.py\b", words)
            if found:
                name = (path.parent.relative_to(root) / (found[1].rpartition("/")[2] + ".py")).as_posix()
                calm[name] = calm.get(name, True) and "CALM" in words.split()
    return {name for name, is_calm in calm.items() if is_calm}


def check_calm(path, text, calm, broken):
    """A calm file says why it is one, and its suites are named so that they run in the calm lane; other files use no real time."""
    name = path.as_posix()
    if not name.startswith("tests/") or name.startswith(UNTIMED) or path.suffix not in CPP | {".py", ".js"}:
        return
    is_calm = name in calm or (path.suffix in CPP and "calm" in path.stem.split("_"))
    if is_calm and not CALM_REASON.search(text):
        broken.append(f"{name}: is calm and doesn't say why; expected a comment like: calm: it counts what a core does in a second")
    for suite in SUITE.findall(text) if path.suffix in CPP else ():
        if suite.startswith("Calm") != is_calm:
            broken.append(f"{name}: suite {suite}; suites that begin with Calm stand in files named *_calm_test.cpp, and no others do")
    if is_calm:
        return
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = REAL_TIME.search(line)
        if found and not line.lstrip().startswith(("//", "#include")) and not TIME_REASON.search(line) and not TIME_REASON.search(before):
            broken.append(f"{name}:{number}: {found[0].rstrip('(')} outside a calm test; wait for a state, compare with the same run, or say "
                          "why in a comment like: time: a bot that is slow by design")
        before = line


def cycle_in(graph):
    """A cycle as a list of rooms, or None."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as found:
        return found.args[1][::-1]  # it has who is included before who includes
    return None


def between_large_rooms(graph):
    """The same arrows, from large room to large room."""
    large = {}
    for room, others in graph.items():
        for other in others:
            if large_room_of(room) and large_room_of(other) and large_room_of(room) != large_room_of(other):
                large.setdefault(large_room_of(room), set()).add(large_room_of(other))
    return large


def check(root):
    broken, graph, types = [], {}, {}
    calm = calm_scripts(root)
    shell = {path.parent.relative_to(root / "referee").as_posix() for path in (root / "referee").rglob("*.cpp")} - set(PURE_ROOMS)
    folders = {each.name for each in (root / "referee").rglob("*") if each.is_dir()}
    for path in code_files(root):
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        check_shape(path, text, broken)
        check_calm(path, text, calm, broken)
        check_is_named(path, text, {each.stem: each.read_text() for each in (root / path).parent.glob("*.h")}, broken)
        if path.suffix not in CPP:
            continue
        check_includes(path, text, broken)
        check_assertions(path, text, broken)
        check_locks(path, text, broken)
        check_namespaces(path, text, folders, broken)
        check_types(path, text, types, broken)
        in_pure_room = path.parts[0] == "referee" and path.parent.as_posix().removeprefix("referee/") in PURE_ROOMS
        if in_pure_room or path.parts[0] == "engines":
            check_purity(path, text, shell, broken)
        if path.parts[0] in MAY_INCLUDE:
            for is_system, name in includes(text):
                other = room_of(pathlib.PurePosixPath(name))
                if not is_system and other != room_of(path):
                    graph.setdefault(room_of(path), set()).add(other)
    for kind, arrows in (("rooms", graph), ("large rooms", between_large_rooms(graph))):
        cycle = cycle_in(arrows)
        if cycle:
            broken.append(f"{kind} include each other in a circle: " + " -> ".join(cycle))
    return broken


def self_test():
    """A test that can't fail is none: each rule is broken once."""
    broken = []
    path = pathlib.PurePosixPath("engines/walls/common_helper.cpp")
    check_shape(path, "\n" * (LINES_MAX + 1), broken)
    check_includes(path, '#include "referee/game/play/play.h"\n#include "protocol/codec.h"\n#include "protocol/json/writer.h"\n', broken)
    for lines in (KIT_LINES_MAX, KIT_LINES_MAX + 1):
        check_shape(pathlib.PurePosixPath("sample_bots/cpp/referee_bot.hpp"), "\n" * lines, broken)
    assert broken.pop().endswith(f"expected at most {KIT_LINES_MAX}") and len(broken) == 5, broken
    check_purity(path, '#include <random>\n#include "referee/net/transport/path.h"\n// now()\nauto t = steady_clock::now();\n', {"net/transport"}, broken)
    assert len(broken) == 8, broken
    bots = '#include "sample_bots/cpp/reference/reference_players.h"\n#include "sample_bots/cpp/walls/players.h"\n'
    found = []
    for room in (PLAYS_REFERENCE_BOTS, "referee/daemon"):
        check_includes(pathlib.PurePosixPath(room, "a.cpp"), bots, found)
    assert len(found) == 3, found
    check_assertions(path, "REFEREE_ASSERT(a.find(b) == c && d <= e && (f[0] != g));", broken)
    assert len(broken) == 8, broken
    effects = ("set.erase(a) == 1", "!document.parse(text)", "++count < 2", "(a = b)", "f(\n  x) && list.emplace(y).second")
    for effect in effects:
        check_assertions(path, f"if (a) REFEREE_ASSERT({effect});", broken)
    assert len(broken) == 8 + len(effects), broken
    locks = ("std::mutex m;", "const std::lock_guard guard(m);", "std::unique_lock<std::shared_mutex> lock(m);")
    broken = []
    for lock in locks:
        check_locks(path, lock, broken)
    assert len(broken) == len(locks) + 1, broken
    check_locks(path, "// std::mutex\nconst loop::Lock guard(mutex_); std::condition_variable changed;", broken)
    check_locks(pathlib.PurePosixPath(LOCKS), locks[0], broken)
    assert len(broken) == len(locks) + 1, broken
    check_namespaces(pathlib.PurePosixPath("referee/game/play/play.h"), "namespace referee {\nnamespace referee::play {\nnamespace referee::sport {", {"play"}, broken)
    assert len(broken) == len(locks) + 2 and "referee::sport" in broken[-1], broken
    check_namespaces(pathlib.PurePosixPath("referee/game/play/plain/play.h"), "namespace referee::clock {", {"play", "clock"}, broken)
    assert "expected referee::plain" in broken.pop(), broken
    for headers, count in (({"play": ""}, 0), ({"a": "// ---- play.cpp --"}, 0), ({"a": "void add_play(int);"}, 0), ({"a": "the_play.cpp"}, 1)):
        found = []
        check_is_named(pathlib.PurePosixPath("referee/game/play.cpp"), "", headers, found)
        assert len(found) == count, (headers, found)
    types = {}
    for name in ("a", "b"):
        check_types(pathlib.PurePosixPath(f"referee/{name}.h"), "class Row;\nstruct Row {\n    struct Cell {};\n};\n", types, broken)
    assert len(broken) == len(locks) + 3 and "referee/b.h: type Row stands in referee/a.h" in broken[-1], broken
    check_calm_rules()
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert cycle_in({"a": {"b", "c"}, "b": {"c"}}) is None
    arrows = {"referee/game/play": {"referee/game/clock", "referee/config"}, "referee/config": {"referee/game/clock"},
              "referee/limits": {"referee/game/clock"}}
    assert between_large_rooms(arrows) == {"game": {"config"}, "config": {"game"}}


def check_calm_rules():
    sleeps, quiet, loud = "time.sleep(1)\n", "time.sleep(1)  # time: it is slow by design\n", "# calm: it spins\n" + "time.sleep(1)\n"
    cases = (("tests/a_test.py", sleeps, 1), ("tests/a_test.py", quiet, 0), ("tests/a_test.py", "# time: slow by design\n" + sleeps, 0),
             ("tests/b_test.py", sleeps, 1), ("tests/b_test.py", loud, 0), ("tests/bench/a.py", sleeps, 0), ("referee/a.cpp", "usleep(1);", 0),
             ("tests/a_test.cpp", "::usleep(1);", 1), ("tests/a_test.cpp", "TEST(CalmA, b) {}", 1),
             ("tests/a_calm_test.cpp", "// calm: it spins\nTEST(A, b) {}", 1), ("tests/a_calm_test.cpp", "// calm: it spins\nTEST(CalmA, b) { ::usleep(1); }", 0))
    for name, text, expected in cases:
        broken = []
        check_calm(pathlib.PurePosixPath(name), text, {"tests/b_test.py"}, broken)
        assert len(broken) == expected, (name, text, broken)


def main():
    self_test()
    broken = check(pathlib.Path(sys.argv[1]))
    for line in broken:
        print(line)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
