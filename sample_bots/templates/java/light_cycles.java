// Plays Light Cycles, and badly: it goes anywhere that nobody has been.
// Where to begin: count the free cells that each step leaves you, and take the step with the most.
// engines/light_cycles/RULES.md says what the state holds and what a move looks like.

import java.util.*;

public class MyBot {
    private static final int[] RIGHT = {0, 1, 0, -1}, DOWN = {-1, 0, 1, 0};

    static Object choose(RefereeBot.Game game) {
        if (game.memory == null) game.memory = new HashMap<List<Integer>, Integer>(); // cell: whose trail. The state doesn't show the trails
        @SuppressWarnings("unchecked") Map<List<Integer>, Integer> used = (Map<List<Integer>, Integer>) game.memory;
        List<?> cycles = game.get("cycles");
        for (int i = 0; i < cycles.size(); ++i) {
            final Integer cycle = i;
            List<Integer> at = List.of(game.number("cycles", i, 0), game.number("cycles", i, 1));
            if (at.get(0) >= 0) used.put(at, cycle);
            else used.values().removeIf(cycle::equals); // it is terminated, and its trail is free again
        }
        int count = RefereeBot.number(game.params, "cycles_per_team");
        List<Object> move = new ArrayList<>();
        for (int i = game.seat * count; i < (game.seat + 1) * count; ++i) move.add(step(game, used, i));
        return move;
    }

    private static List<Integer> step(RefereeBot.Game game, Map<List<Integer>, Integer> used, int cycle) {
        int x = game.number("cycles", cycle, 0), y = game.number("cycles", cycle, 1);
        for (int i = 0; i < RIGHT.length; ++i) {
            List<Integer> to = List.of(x + RIGHT[i], y + DOWN[i]);
            boolean inside = to.get(0) >= 0 && to.get(0) < RefereeBot.number(game.params, "width") &&
                to.get(1) >= 0 && to.get(1) < RefereeBot.number(game.params, "height");
            if (inside && used.putIfAbsent(to, cycle) == null) return to; // taken for the other cycles of the team, too
        }
        return List.of(x, y); // there is no way out
    }

    public static void main(String[] options) {
        new RefereeBot("my-bot").plays("light_cycles", MyBot::choose).play(options);
    }
}
