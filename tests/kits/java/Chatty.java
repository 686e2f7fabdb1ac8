// Prints to standard output by habit, and reads.
public class Chatty {
    public static void main(String[] options) {
        RefereeBot bot = new RefereeBot("chatty");
        System.out.println("chatty begins");
        bot.plays("walls", game -> {
            System.in.read();
            System.out.println("thinking about turn " + game.turn);
            return "F";
        });
        bot.play(options);
    }
}
