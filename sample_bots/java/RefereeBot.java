// The smallest way to a bot in Java: write a method, call play().
//
//     public static void main(String[] options) {
//         new RefereeBot("my-bot").plays("walls", game -> "F").play(options);
//     }
// Nothing but Java 11 is needed. The environment says where the referee is and who plays: REFEREE_ADDRESS (host:port, or
// tls://host:port#sha256=...; without it the bot talks over standard input and output), REFEREE_NAME, REFEREE_TOKEN,
// REFEREE_PASSWORD with the first login of a new name, and REFEREE_VERSION, which version of the bot this is. README.md says more. With the option --self-play the bot plays against itself.

import java.io.*;
import java.math.BigInteger;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.security.cert.X509Certificate;
import java.util.*;
import java.util.regex.*;
import javax.net.ssl.*;

public class RefereeBot {
    static final int FINISHED = 0, BOT_FAILED = 1, REFUSED = 2, LOST = 3; // exit statuses
    private static final long PAUSE_FIRST_MS = 50, PAUSE_MAX_MS = 2000;
    private static final long FIRST_PATIENCE_MS = 10_000; // for a referee that isn't there yet
    private static final long PATIENCE_MS = 60_000; // a referee that stays away longer has given the game up
    private static final int DIAL_MS = 10_000, PORT_MAX = 65535, DEBUG_MAX = 1024;
    private static final Map<String, Integer> SEATS = Map.of("walls", 2, "light_cycles", 4); // of self-play; all other games have one
    private static final Pattern ADDRESS = Pattern.compile("(tls://)?(\\[[^\\]]+\\]|[^\\s#:]+):(\\d{1,5})(?:#sha256=([0-9A-Fa-f:]+))?");

    /** Gives a game's move: a String, a number, a List, a Map, an array; null gives the turn away. */
    public interface Chooser { Object move(Game game) throws Exception; }

    /** A game that is on, as a bot sees it. */
    public static class Game {
        public String id, kind; // kind: "walls"
        public int seat; // your own, counted from 0
        public List<String> names;
        public Map<String, Object> params; // the setup, with all defaults filled in
        public Object state; // as the game's page describes it: Map, List, String, Long, Double, Boolean, null
        public long turn, budgetUs; // its number, and what it may take
        public Map<String, Object> last; // how your last turn went: charged_us, late, notes; null in the first
        public boolean resumed; // the connection was lost, and the game goes on
        public List<Map<String, Object>> history = new ArrayList<>(); // after that: moves and used_us of each turn so far
        public Object memory; // yours, for the length of the game; a lost connection doesn't clear it
        private long readAt;
        private String debug;

        private Game begin(Map<String, Object> start) {
            id = at(start, "game_id");
            kind = at(start, "game");
            seat = RefereeBot.number(start, "seat");
            names = at(start, "names");
            params = at(start, "params");
            state = start.get("state");
            turn = RefereeBot.number(start, "turn");
            resumed = start.get("resumed") == Boolean.TRUE;
            history = new ArrayList<>();
            return this;
        }

        private void take(Map<String, Object> message, long at) {
            turn = RefereeBot.number(message, "turn");
            budgetUs = ((Number) message.getOrDefault("budget_us", 0L)).longValue();
            last = RefereeBot.at(message, "last");
            state = message.get("state") != null ? message.get("state") : patched(state, RefereeBot.<List<Object>>at(message, "delta"));
            readAt = at;
            debug = null;
        }

        /** A part of the state: game.get("players", 0, "facing"). Integers are Long. */
        public <T> T get(Object... path) { return at(state, path); }
        /** A whole number in the state: game.number("players", 0, "at", 1). */
        public int number(Object... path) { return RefereeBot.number(state, path); }
        /** Milliseconds of this turn that are left, seen from here; the way to the referee isn't in it. */
        public long leftMs() { return (budgetUs - (System.nanoTime() - readAt) / 1000) / 1000; }
        /** Text for you alone, kept beside this turn's move. */
        public void debug(String text) { debug = text.substring(0, Math.min(text.length(), DEBUG_MAX)); }
    }

    /** What is at a path of names and places in Maps and Lists. */
    @SuppressWarnings("unchecked")
    public static <T> T at(Object value, Object... path) {
        for (Object name : path)
            value = value instanceof List ? ((List<?>) value).get(((Number) name).intValue()) : ((Map<?, ?>) value).get(name);
        return (T) value;
    }
    public static int number(Object value, Object... path) { return RefereeBot.<Number>at(value, path).intValue(); }

    /** The state after a list of changes: add, replace and remove of RFC 6902. */
    private static Object patched(Object state, List<Object> delta) {
        Map<String, Object> whole = new HashMap<>(Collections.singletonMap("", state));
        for (Object change : delta) {
            String op = at(change, "op"), path = at(change, "path");
            Object value = at(change, "value"), place = whole;
            List<String> names = new ArrayList<>();
            for (String name : path.split("/", -1)) names.add(name.replace("~1", "/").replace("~0", "~"));
            String last = names.remove(names.size() - 1);
            for (String name : names) place = at(place, place instanceof List ? (Object) Integer.valueOf(name) : name);
            if (place instanceof List) {
                List<Object> list = at(place);
                int index = last.equals("-") ? list.size() : Integer.parseInt(last);
                if (!op.equals("add")) list.remove(index);
                if (!op.equals("remove")) list.add(index, value);
            } else {
                Map<String, Object> map = at(place);
                map.put(last, value);
                if (op.equals("remove")) map.remove(last);
            }
        }
        return whole.get("");
    }

    private final String name;
    private final Map<String, Chooser> choosers = new LinkedHashMap<>();
    // By game_id. Those of the connection that was lost are over, if they are not resumed.
    private Map<String, Game> games = new HashMap<>(), before = new HashMap<>();
    private boolean welcomed; // on this connection
    private int status = LOST; // how it ends
    private final InputStream in = System.in;
    private OutputStream out;

    /** Make it before anything is printed: it moves what the program prints to standard error, and lets it read nothing, where messages pass. */
    public RefereeBot(String name) {
        this.name = known("REFEREE_NAME") != null ? known("REFEREE_NAME") : name;
        if (known("REFEREE_ADDRESS") != null) return;
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
    }

    /** Names the method that gives the moves of a game. */
    public RefereeBot plays(String game, Chooser chooser) {
        choosers.put(game, chooser);
        return this;
    }

    /**
     * Plays until the referee says goodbye, and ends the program: with status 0; 1 where the bot failed; 2 where the login was refused or
     * an option is wrong; 3 where there is no connection. Where a chooser throws, the turn is given away, and standard error says why.
     */
    public void play(String... options) {
        try {
            if (options.length > 0 && options[0].equals("--self-play")) status = selfPlay(options);
            else if (options.length > 0 && options[0].startsWith("-") && known("REFEREE_ADDRESS") == null && known("REFEREE_NAME") == null)
                status = refused("no such option: " + options[0] + "; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS");
            else if (known("REFEREE_ADDRESS") != null) playDialled(known("REFEREE_ADDRESS"));
            else if (!listen(in, new FileOutputStream(FileDescriptor.out))) say("the connection broke: the referee is gone");
        } catch (IllegalArgumentException | IOException | InterruptedException | GeneralSecurityException trouble) {
            say("cannot reach the referee: " + trouble.getMessage());
            if (trouble instanceof IllegalArgumentException) status = REFUSED;
        } catch (RuntimeException trouble) {
            trouble.printStackTrace();
            status = BOT_FAILED;
        }
        System.exit(status);
    }

    private static String known(String variable) {
        String value = System.getenv(variable);
        return value == null || value.isEmpty() ? null : value;
    }
    private static void say(String text) { System.err.println(text); } // for people: standard output may belong to the referee
    private static int refused(String why) { say(why); return REFUSED; }

    /** Dials again, with growing pauses, where the connection is lost. */
    private void playDialled(String address) throws IOException, InterruptedException, GeneralSecurityException {
        long patience = FIRST_PATIENCE_MS, pause = PAUSE_FIRST_MS;
        for (;; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
            String trouble = "the connection was lost";
            welcomed = false;
            try (Socket link = dial(address)) {
                if (listen(link.getInputStream(), link.getOutputStream())) return;
            } catch (ProtocolException | SSLPeerUnverifiedException hopeless) {
                throw hopeless;
            } catch (IOException failure) {
                if (!welcomed) trouble = failure.toString();
            }
            pause = welcomed ? PAUSE_FIRST_MS : pause;
            patience = welcomed ? PATIENCE_MS : patience;
            if (patience <= 0) throw new ProtocolException(trouble);
            say(trouble + ", trying again");
            Thread.sleep(pause);
            patience -= pause;
        }
    }

    private static Socket dial(String address) throws IOException, GeneralSecurityException {
        Matcher parts = ADDRESS.matcher(address);
        String digits = parts.matches() && parts.group(4) != null ? parts.group(4).replace(":", "").toLowerCase() : "";
        int port = parts.matches() ? Integer.parseInt(parts.group(3)) : 0;
        if (port < 1 || port > PORT_MAX || (parts.group(4) != null && (parts.group(1) == null || digits.length() != 64)))
            throw new IllegalArgumentException("REFEREE_ADDRESS must be host:port, such as localhost:7777, or tls://host:port#sha256= "
                + "with 64 hexadecimal digits, not '" + address + "'");
        String host = parts.group(2).replaceAll("[\\[\\]]", "");
        Socket link = new Socket();
        link.connect(new InetSocketAddress(host, port), DIAL_MS);
        link.setTcpNoDelay(true);
        link.setKeepAlive(true);
        return parts.group(1) == null ? link : encrypted(link, host, port, digits);
    }

    /** The socket with TLS. Refuses to talk to another certificate than the address names. */
    private static Socket encrypted(Socket plain, String host, int port, String fingerprint) throws IOException, GeneralSecurityException {
        X509TrustManager anybody = new X509TrustManager() { // the fingerprint is compared instead of names and authorities
            public void checkClientTrusted(X509Certificate[] chain, String type) {}
            public void checkServerTrusted(X509Certificate[] chain, String type) {}
            public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, fingerprint.isEmpty() ? null : new TrustManager[] {anybody}, null);
        SSLSocket link = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true);
        link.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        SSLParameters checks = link.getSSLParameters();
        checks.setEndpointIdentificationAlgorithm(fingerprint.isEmpty() ? "HTTPS" : null);
        link.setSSLParameters(checks);
        link.startHandshake();
        byte[] certificate = link.getSession().getPeerCertificates()[0].getEncoded();
        String found = String.format("%064x", new BigInteger(1, MessageDigest.getInstance("SHA-256").digest(certificate)));
        if (fingerprint.isEmpty() || found.equals(fingerprint)) return link;
        throw new SSLPeerUnverifiedException("another certificate than the address names answers there: expected sha256=" + fingerprint
            + ", found sha256=" + found + "; no token was sent. Ask the instructor whether the referee has a new one");
    }

    /** Until the referee says goodbye (true) or the stream ends. */
    private boolean listen(InputStream in, OutputStream to) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        out = to;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            long readAt = System.nanoTime();
            if (!line.isBlank() && !line.startsWith("{")) throw new ProtocolException("what answers there is no referee: " + line);
            if (!line.isBlank() && !take(RefereeBot.<Map<String, Object>>at(new Json(line).value()), readAt)) return true;
        }
        return false;
    }

    /** Answers a message; false when it was the last. Messages that a later protocol adds are passed over. */
    private boolean take(Map<String, Object> message, long readAt) throws IOException {
        Game game = message.get("game_id") == null ? null : games.get(message.get("game_id"));
        String type = String.valueOf(message.get("type"));
        if (type.equals("hello")) {
            send("type", "login", "name", name, "token", known("REFEREE_TOKEN"), "password", known("REFEREE_PASSWORD"),
                "version", known("REFEREE_VERSION"), "client", "Java kit 1", "games", choosers.keySet(), "state", "delta");
        } else if (type.equals("welcome")) {
            welcomed = true;
            before = games;
            games = new HashMap<>();
        } else if (type.equals("start")) {
            Game known = message.get("resumed") == Boolean.TRUE ? before.get(message.get("game_id")) : null;
            game = (known == null ? new Game() : known).begin(message);
            say("game " + game.id + (game.resumed ? " goes on from turn " + game.turn : " begins") + ": " + game.kind + ", "
                + String.join(" against ", game.names));
            games.put(game.id, game);
            send("type", "ready", "game_id", game.id);
        } else if (type.equals("history") && game != null) {
            game.history.addAll(RefereeBot.<List<Map<String, Object>>>at(message, "turns"));
        } else if (type.equals("turn") && game != null) {
            answer(game, message, readAt);
        } else if (type.equals("end") && game != null) {
            List<Object> seats = at(message, "seats");
            String place = seats.size() == 1 ? "" : "place " + at(seats, game.seat, "place") + " of " + seats.size() + ", ";
            say("game " + game.id + " is over: " + place + "score " + at(seats, game.seat, "score") + ": " + message.get("reason"));
            games.remove(game.id);
        } else if (type.equals("ping")) {
            send("type", "pong", "id", message.get("id"));
        } else if (Set.of("error", "fault", "note").contains(type)) {
            say(type + (type.equals("fault") ? " in game " + message.get("game_id") + ", turn " + message.get("turn") : "")
                + ": " + message.get("code") + ": " + message.get("message"));
        } else if (type.equals("bye")) {
            boolean unwanted = Set.of("refused", "replaced").contains(String.valueOf(message.get("reason")));
            status = unwanted ? REFUSED : FINISHED;
            if (unwanted && !welcomed) say("login refused: " + message.getOrDefault("message", message.get("reason")));
            else if (message.get("message") != null) say("goodbye: " + message.get("message"));
        }
        return !type.equals("bye");
    }

    private void answer(Game game, Map<String, Object> message, long readAt) throws IOException {
        game.take(message, readAt);
        Object move = null;
        try {
            move = choosers.get(game.kind).move(game);
        } catch (Exception | StackOverflowError | AssertionError trouble) {
            say("no move in turn " + game.turn + " of game " + game.id + ", the turn is given away:");
            trouble.printStackTrace();
            game.debug("threw: " + trouble + Arrays.stream(trouble.getStackTrace()).findFirst().map(place -> " (" + place + ")").orElse(""));
        }
        send("type", "move", "game_id", game.id, "turn", game.turn, "move", move, "debug", game.debug);
    }

    /** Names and values in turn, as one line, in one write. */
    private void send(Object... members) throws IOException {
        Map<String, Object> message = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) message.put((String) members[i], members[i + 1]);
        StringBuilder line = new StringBuilder();
        Json.write(line, message);
        out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`. */
    private int selfPlay(String[] options) throws IOException, InterruptedException {
        if (Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).noneMatch(folder -> new File(folder, "referee").canExecute()))
            return refused("self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder "
                + "where it was built (build/release/bin) to PATH");
        String game = options.length > 1 ? options[1] : choosers.keySet().iterator().next(), classes = "";
        List<String> command = new ArrayList<>(List.of("referee", "play", game));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classes += new File(entry).getCanonicalPath() + File.pathSeparator;
            command.addAll(List.of("--reads", new File(entry).getCanonicalPath()));
        }
        StackTraceElement[] calls = Thread.currentThread().getStackTrace();
        String main = calls[calls.length - 1].getClassName();
        String bot = System.getProperty("java.home") + "/bin/java -XX:+UseSerialGC -cp '" + classes + "' " + main;
        for (int seat = 0; seat < SEATS.getOrDefault(game, 1); ++seat) command.addAll(List.of("--bot", bot));
        command.addAll(Arrays.asList(options).subList(Math.min(2, options.length), options.length));
        ProcessBuilder play = new ProcessBuilder(command).inheritIO();
        play.environment().remove("REFEREE_ADDRESS");
        return play.start().waitFor();
    }

    /** JSON as Map, List, String, Long, Double, Boolean and null, and back. */
    static class Json {
        private final String text;
        private int at;

        Json(String text) { this.text = text; }

        Object value() {
            char first = next();
            if (first == '"') return string();
            if (first != '{' && first != '[') return word();
            Map<String, Object> map = new LinkedHashMap<>();
            List<Object> list = new ArrayList<>();
            for (++at; next() != '}' && next() != ']'; skip(',')) {
                String key = first == '{' ? string() : null;
                skip(':');
                if (first == '{') map.put(key, value());
                else list.add(value());
            }
            ++at;
            return first == '{' ? map : list;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) ++at;
            return text.charAt(at);
        }
        private void skip(char sign) { if (next() == sign) ++at; }

        private Object word() {
            int begin = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) ++at;
            String word = text.substring(begin, at);
            if (word.matches("null|true|false")) return word.equals("null") ? null : Boolean.valueOf(word);
            if (word.matches("-?\\d{1,18}")) return Long.valueOf(word);
            return word.matches("-?\\d+") ? (Object) new BigInteger(word) : Double.valueOf(word);
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            if (text.charAt(at++) != '"') throw new IllegalArgumentException("expected a text at " + at);
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                char code = c == '\\' ? text.charAt(at++) : 0;
                int known = "nrtbf".indexOf(code);
                if (code == 'u') found.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
                else found.append(code == 0 ? c : known < 0 ? code : "\n\r\t\b\f".charAt(known));
            }
            return found.toString();
        }

        static void write(StringBuilder to, Object value) {
            if (value == null || value instanceof Boolean || value instanceof Number) {
                to.append(value);
            } else if (value instanceof Map) {
                to.append('{');
                ((Map<?, ?>) value).forEach((key, member) -> {
                    write(separate(to), key);
                    write(to.append(':'), member);
                });
                to.append('}');
            } else if (value instanceof Iterable) {
                to.append('[');
                for (Object element : (Iterable<?>) value) write(separate(to), element);
                to.append(']');
            } else if (value.getClass().isArray()) {
                List<Object> elements = new ArrayList<>();
                for (int i = 0; i < java.lang.reflect.Array.getLength(value); ++i) elements.add(java.lang.reflect.Array.get(value, i));
                write(to, elements);
            } else {
                to.append('"');
                for (char c : value.toString().toCharArray()) {
                    if (c == '"' || c == '\\') to.append('\\').append(c);
                    else if (c < ' ' || Character.isSurrogate(c)) to.append(String.format("\\u%04x", (int) c));
                    else to.append(c);
                }
                to.append('"');
            }
        }

        private static StringBuilder separate(StringBuilder to) { return "{[".indexOf(to.charAt(to.length() - 1)) < 0 ? to.append(',') : to; }
    }
}
