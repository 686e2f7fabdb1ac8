// Has no idea in its third answer of a game.
public class Thrower {
    public static void main(String[] options) {
        new RefereeBot("thrower").plays("walls", game -> {
            int answers = game.memory == null ? 1 : (Integer) game.memory + 1;
            game.memory = answers;
            if (answers == 3) throw new IllegalStateException("no idea");
            return "F";
        }).play(options);
    }
}
