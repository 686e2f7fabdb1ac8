// A round robin of as many bots as are wanted, in the form of standings.json, with the `rounds` of pairings.json
// and as `crosstable` what crosstable.json has.
"use strict";

const rounds_most = 11;  // some more than a Swiss system of a thousand would have: over 10,000 games of two a match

function tournament(count, name_of = (index) => "bot-" + (index + 1)) {
    const bots = Array.from({length: count}, (_, index) => ({
        rank: index + 1, name: name_of(index), played: 0, won: 0, drawn: 0, lost: 0, clock: "turn", measure: "wall", points: count - index, scores: 2 * (count - index),
        rating: {elo: 400 - 800 * index / count, elo_error95: 60 + index % 7, superiority: 0.6, matches: 9, group: 0}, rank_interval: [Math.max(1, index - 2), Math.min(count, index + 4)],
        first_share: 0.1, matches: [], byes: []
    }));
    const rounds = [];
    let match = 0;
    for (let round = 1; round <= Math.min(rounds_most, count - 1); ++round) {
        const matches = [];
        for (let i = 0; i < count; ++i) {
            // Pairs by a table: each plays one other in a round.
            const j = i ^ round;
            if (j <= i || j >= count) { continue; }
            ++match;
            const key = "big/" + match;
            const games = (score) => [{game: key + ".1", score: score}, {game: key + ".2", score: score}];
            bots[i].matches.push({match: key, round: round, opponents: [bots[j].name], seat: 0, place: 1, points: 1, score: 4, games: games(2)});
            bots[j].matches.push({match: key, round: round, opponents: [bots[i].name], seat: 1, place: 2, points: 0, score: 0, games: games(0)});
            matches.push({match: key, over: true, games: games(0).map(({game}) => game), seats: [{name: bots[i].name, points: 1}, {name: bots[j].name, points: 0}]});
        }
        rounds.push({round, matches, byes: []});
    }
    const crosstable = {columns: rounds.map(({round}) => "round " + round), bots: bots.map((bot) =>
        ({number: bot.rank, name: bot.name, cells: bot.matches.map((each) => (each.points ? "W" : "L")), points: bot.points, rank: bot.rank}))};
    return {tournament: "big", game: "walls", format: "swiss", seed: 1, finished: true, tie_breaks: ["points", "scores"], matches_played: match, groups: 1,
            certainty: "The order is fairly sure.", samples: 1000, bots: bots, rounds, crosstable};
}

module.exports = {tournament};
