"""Whether each library of the project links all libraries whose functions it calls: links_test.py BUILD_FOLDER

A program is linked all the same where another library happens to bring what one forgot, and fails on the day when none does, such as in
a build with other settings. So each archive's missing symbols are looked for in what its library says that it links.
"""
import collections
import os
import subprocess
import sys


def declared(build):
    """{library: (its archive or "", what it links)}, as the build wrote them."""
    libraries = {}
    folder = os.path.join(build, "links")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            archive, *links = file.read().splitlines()
        libraries[name] = archive, [link for link in links if link]
    return libraries


def reached(libraries, name):
    seen, waiting = set(), [name]
    while waiting:
        for link in libraries.get(waiting.pop(), ("", []))[1]:
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    return seen


def symbols(archive):
    """What it defines, and what it wants from others."""
    listed = subprocess.run(["nm", "--demangle", archive], capture_output=True, text=True, check=True).stdout
    given, wanted = set(), set()
    for line in listed.splitlines():
        if len(line) > 19 and line[:16].strip(" 0123456789abcdef") == "":
            (wanted if line[17] in "Uw" else given).add(line[19:])
    return given, wanted - given


def main(build):
    libraries = declared(build)
    built = {name: symbols(archive) for name, (archive, _) in libraries.items() if archive and os.path.exists(archive)}
    homes = collections.defaultdict(set)
    for name, (given, _) in built.items():
        for symbol in given:
            homes[symbol].add(name)
    missing = 0
    for name, (_, wanted) in built.items():
        links = reached(libraries, name)
        for symbol in sorted(wanted):
            if homes[symbol] and not homes[symbol] & links:
                missing += 1
                print(f"{name} calls {symbol} of {' or '.join(sorted(homes[symbol]))}: expected that library behind LINK in its CMakeLists.txt")
    print(f"{len(built)} libraries, {missing} missing links")
    if not built:
        print("expected at least one built library")
    sys.exit(1 if missing or not built else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
