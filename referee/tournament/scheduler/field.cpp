#include "referee/tournament/scheduler/field.h"

namespace referee::scheduler {

lobby::Bot& Field::bot(Entrant entrant) {
    while (bots_.size() <= entrant) bots_.push_back(&lobby_.bot(contest_.name(bots_.size())));
    return *bots_[entrant];
}

bool Field::is_here(Entrant entrant) {
    const auto& one = bot(entrant);
    return one.connected() && one.plays(contest_.config().game);
}

}  // namespace referee::scheduler
