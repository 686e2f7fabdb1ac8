#include <fstream>
#include <iostream>
#include <sstream>
#include "referee/pairing/dutch.h"
#include "referee/trf/trf.h"
using namespace referee;
int main(int, char** argv) {
    std::ifstream in(argv[1]); std::stringstream s; s << in.rdbuf();
    auto parsed = trf::parse(s.str());
    if (auto* p = std::get_if<trf::Problem>(&parsed)) { std::cerr << argv[1] << ":" << p->line << ":" << p->column << ": expected " << p->expected << "\n"; return 2; }
    auto field = trf::field_of(std::get<trf::Document>(parsed));
    auto r = pairing::pair_round(field, argv[2] ? pairing::Effort::thorough : pairing::Effort::sparing);
    if (auto* n = std::get_if<pairing::NoLegalPairing>(&r)) { std::cerr << n->reason << "\n"; return 1; }
    auto& p = std::get<pairing::RoundPairing>(r);
    std::cout << p.boards.size() + (p.bye ? 1 : 0) << "\n";
    for (auto& b : p.boards) std::cout << b.white << " " << b.black << "\n";
    if (p.bye) std::cout << p.bye << " 0\n";
}
