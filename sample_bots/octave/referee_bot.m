% The smallest way to a bot in GNU Octave: write a function, call referee_bot().
%
%     function move = choose (game)
%       move = "F";
%     end
%
%     referee_bot (struct ("walls", @choose), "my-bot")
%
% Nothing but Octave 7 is needed (and bash, to dial by TCP). The environment says where the referee is, as the referee
% sets it for the bots that it launches:
%
%     REFEREE_ADDRESS   host:port; without it the bot talks over standard input and output
%     REFEREE_NAME      the name to log in with; without it the one given to referee_bot()
%     REFEREE_TOKEN     what proves the name; may be missing where the referee asks for none
%     REFEREE_PASSWORD  the class password, which registers a new name with your token: only the first login needs it
%     REFEREE_VERSION   which version of the bot this is, such as 2.1; may be missing
%
% `choosers` has a function for each kind of game that the bot plays. It is called as
%
%     [move, debug, memory] = choose (game)
%
% and returns the move (of an anonymous function nothing else is asked); a text for yourself and what the next turn finds in game.memory may be left out. Where it fails, the
% turn is given away, and standard error says why. `prepare` may be left out: a function that is called with the game before it
% begins, when time is still free. Ends Octave with status 0 when the referee said goodbye; 2 where the login
% was refused or the address is none; 3 where there is no connection.
%
% With the option --self-play the bot plays against itself, by the program `referee` in PATH:
% octave-cli my_bot.m --self-play walls

function referee_bot (choosers, name, prepare = @(game) [])
  history_save (false);  % else Octave warns at its end
  options = argv ();
  at = find (strcmp (options, "--self-play"), 1);
  if (! isempty (at))
    exit (self_play (choosers, options(at + 1:end)));
  end
  address = getenv ("REFEREE_ADDRESS");
  if (! isempty (options) && strncmp (options{1}, "-", 1) && isempty ([address, getenv("REFEREE_NAME")]))
    say ("no such option: %s; expected --self-play [GAME], or nothing and a referee in REFEREE_ADDRESS", options{1});
    exit (2);
  end
  dialled = ! isempty (getenv ("REFEREE_KIT_DIALLED"));
  if (! isempty (address) && ! dialled)
    dial (address, 10);
  end
  crash_dumps_octave_core (false);
  folder = pwd ();
  output = protocol_output ();
  [status, welcomed] = listen (choosers, name, prepare, output);
  pclose (output);
  if (status == 3 && dialled && welcomed)
    say ("the connection was lost, trying again");
    cd (folder);
    dial (address, 60);
  elseif (status == 3)
    say ("the connection broke: the referee is gone");
  end
  exit (status);
end

% A line for people: standard output may belong to the referee.
function say (varargin)
  fprintf (stderr, "%s\n", sprintf (varargin{:}));
end

% The place of the protocol's lines, which is standard output. From here on all that is printed goes to standard error.
function output = protocol_output ()
  fflush (stdout);
  output = popen ("exec cat", "w");
  dup2 (stderr, stdout);
end

% Octave has no sockets. So bash dials, with growing pauses, and starts this program again with the connection as its standard
% input and output. Comes back in no case.
function dial (address, patience_s)
  if (strncmp (address, "tls://", 6))
    say ("a TLS address needs `referee connect`, which encrypts for this bot: referee connect '%s' --name NAME -- octave-cli my_bot.m", address);
    exit (2);
  end
  found = regexp (address, '^(\[[^\]]+\]|[^\s#:/]+):(\d{1,5})$', "tokens", "once");
  if (isempty (found) || str2double (found{2}) < 1 || str2double (found{2}) > 65535)
    say ("cannot reach the referee: REFEREE_ADDRESS must be host:port, such as localhost:7777, not '%s'", address);
    exit (2);
  end
  script = ["host=$1 port=$2 left=$3 pause=50; shift 3\n" ...
            "until { exec 3<>\"/dev/tcp/$host/$port\"; } 2>/dev/null; do\n" ...
            "  if [ $left -le 0 ]; then echo \"cannot reach the referee: nobody answers at $host:$port\" >&2; exit 3; fi\n" ...
            "  sleep $((pause / 1000)).$(printf %03d $((pause % 1000))); left=$((left - pause))\n" ...
            "  pause=$((pause * 2)); [ $pause -gt 2000 ] && pause=2000\n" ...
            "done\n" ...
            "export REFEREE_KIT_DIALLED=1; exec \"$@\" <&3 >&3 3>&-"];
  again = [{"octave-cli", "--no-gui", "--no-history", "--quiet", own_program()}, argv()'];
  exec ("bash", [{"-c", script, "bash", strrep(strrep (found{1}, "[", ""), "]", ""), found{2}, num2str(patience_s * 1000)}, again]);
end

function path = own_program ()
  path = make_absolute_filename (program_invocation_name ());
  if (! exist (path, "file"))
    say ("start the bot as a program: octave-cli my_bot.m");
    exit (2);
  end
end

% Answers the referee's messages until it says goodbye (status 0 or 2) or the stream ends (3).
function [status, welcomed] = listen (choosers, name, prepare, output)
  games = {};
  welcomed = false;
  while (true)
    try
      line = input ("", "s");  % fgetl would wait for the byte behind the line feed
    catch
      status = 3;
      return;
    end
    if (isempty (strtrim (line)))
      continue;
    end
    began = tic ();
    try
      message = decoded (line);
    catch wrong
      say ("cannot reach the referee: what answers there is no referee: %s", wrong.message);
      status = 3;
      return;
    end
    answer = "";
    at = [];
    if (isfield (message, "game_id"))
      at = find (cellfun (@(game) strcmp (game.id, message.game_id), games), 1);
    end
    switch (message.type)
      case "hello"
        answer = login (fieldnames (choosers), name);
      case "welcome"
        welcomed = true;
      case "ping"  % an id may be larger than what a double holds: it goes back as it came
        answer = sprintf ('{"type":"pong","id":%s}', regexp (line, '"id"\s*:\s*(\d+)', "tokens", "once"){1});
      case "start"
        games(at) = [];
        games{end + 1} = begun (message);
        prepare (rmfield (games{end}, "exact"));
        answer = sprintf ('{"type":"ready","game_id":%s}', jsonencode (message.game_id));
      case "history"
        if (! isempty (at))
          games{at}.history = [games{at}.history, message.turns];
        end
      case "turn"
        if (! isempty (at))
          [games{at}, answer] = answered (games{at}, message, choosers, began);
        end
      case "end"
        if (! isempty (at))
          own = message.seats{games{at}.seat + 1};
          place = merge (isscalar (message.seats), "", sprintf ("place %d of %d, ", own.place, numel (message.seats)));
          say ("game %s is over: %sscore %g: %s", message.game_id, place, own.score, message.reason);
          games(at) = [];
        end
      case "fault"
        say ("fault in game %s, turn %d: %s: %s", message.game_id, message.turn, message.code, message.message);
      case {"error", "note"}
        say ("%s: %s: %s", message.type, message.code, message.message);
      case "bye"
        status = farewell (message, welcomed);
        return;
    end  % messages that a later protocol adds are passed over
    if (! isempty (answer))
      fputs (output, [answer, "\n"]);
      fflush (output);
    end
  end
end

function line = login (kinds, name)
  known = getenv ("REFEREE_NAME");
  if (! isempty (known))
    name = known;
  end
  proofs = "";
  for proof = {"token", "password", "version"}
    value = getenv (["REFEREE_", toupper(proof{1})]);
    if (! isempty (value))
      proofs = [proofs, sprintf(',"%s":%s', proof{1}, jsonencode (value))];
    end
  end
  line = sprintf ('{"type":"login","name":%s%s,"client":"Octave kit 1","games":[%s],"state":"delta"}', jsonencode (name), proofs,
                  strjoin (strcat ('"', kinds(:)', '"'), ","));
end

function status = farewell (message, welcomed)
  reason = "finished";
  if (isfield (message, "reason"))
    reason = message.reason;
  end
  words = reason;
  if (isfield (message, "message"))
    words = message.message;
  end
  status = 2 * any (strcmp (reason, {"refused", "replaced"}));
  if (status == 2 && ! welcomed)
    say ("login refused: %s", words);
  else
    say ("goodbye: %s", words);
  end
end

% A game that is on, as a bot sees it.
function game = begun (start)
  game.id = start.game_id;
  game.kind = start.game;            % "walls"
  game.seat = start.seat;            % your own, counted from 0
  game.names = natural (start.names);
  game.params = natural (start.params);  % the setup, with all defaults filled in
  game.turn = 0;
  game.state = [];                   % as the game's page describes it
  game.budget_us = 0;                % what this turn may take
  game.left_ms = [];                 % a function: milliseconds of this turn that are left
  game.last = [];                    % how your last turn went
  game.resumed = isfield (start, "resumed") && start.resumed;
  game.history = {};                 % after a reconnect: a struct (moves, used_us) for each turn so far
  game.memory = struct ();           % yours: the third output of your function
  game.exact = start.state;          % the state as JSON has it: changes are applied to this
  how = "begins";
  if (game.resumed)
    how = sprintf ("goes on from turn %d", start.turn);
  end
  say ("game %s %s: %s, %s", game.id, how, game.kind, strjoin (start.names, " against "));
end

function [game, answer] = answered (game, message, choosers, began)
  before = game.exact;
  if (isfield (message, "delta"))
    for change = message.delta
      game.exact = changed (game.exact, change{1});
    end
  else
    game.exact = message.state;
  end
  if (isstruct (game.state) && isequal (fieldnames (before), fieldnames (game.exact)))
    touched = {""};  % making types of Octave's own takes time: of members that changed only
    if (isfield (message, "delta"))
      touched = cellfun (@(change) [strsplit(change.path, "/"), {""}]{2}, message.delta, "UniformOutput", false);
    end
    if (any (strcmp (touched, "")))  % the whole state
      touched = fieldnames (game.exact);
    end
    for member = unique (touched)(:)'
      game.state.(member{1}) = natural (game.exact.(member{1}));
    end
  else
    game.state = natural (game.exact);
  end
  game.turn = message.turn;
  game.budget_us = message.budget_us;
  game.left_ms = @() message.budget_us / 1000 - toc (began) * 1000;
  if (isfield (message, "last"))
    game.last = natural (message.last);
  end
  [move, debug, game.memory] = chosen (choosers.(game.kind), game);
  answer = sprintf ('{"type":"move","game_id":%s,"turn":%d,"move":%s,"debug":%s}', jsonencode (game.id), game.turn, move, debug);
end

% The bot's own function at work: move and debug as JSON.
function [move, debug, memory] = chosen (chooser, game)
  move = debug = "null";
  memory = game.memory;
  given = cell (1, max (1, min (nargout (chooser), 3)));
  try
    [given{:}] = chooser (rmfield (game, "exact"));
    move = jsonencode (given{1});
    if (numel (given) > 1 && ! isempty (given{2}))
      debug = jsonencode (char (given{2}));
    end
    if (numel (given) > 2)
      memory = given{3};
    end
  catch wrong
    move = "null";
    words = regexprep (wrong.message, "^'move' undefined.*", "'move' was given no value");
    if (! isempty (wrong.stack))
      words = sprintf ("%s (%s, line %d)", words, wrong.stack(1).name, wrong.stack(1).line);
    end
    say ("no move in turn %d of game %s, the turn is given away: %s", game.turn, game.id, words);
    debug = jsonencode (["failed: ", words]);
  end
  fflush (stdout);
end

% JSON as it is: objects as structs, every array as a 1 x n cell. jsondecode alone turns lists of one into what they hold.
% So each array gets a text as its first element, which is taken out again.
function value = decoded (line)
  [texts, between] = regexp (line, '"(?:[^"\\]|\\.)*"', "match", "split");
  parts = [strrep(between, "[", '["",'); texts, {""}];
  value = unmarked (jsondecode (regexprep ([parts{:}], '\["",\s*\]', '[""]')));
end

function value = unmarked (value)
  if (iscell (value))
    value = cellfun (@unmarked, value(2:end)', "UniformOutput", false);
  elseif (isstruct (value))
    for name = fieldnames (value)'
      value.(name{1}) = unmarked (value.(name{1}));
    end
  end
end

% The state after one change: add, replace or remove of RFC 6902.
function state = changed (state, change)
  names = strsplit (change.path, "/")(2:end);
  names = strrep (strrep (names, "~1", "/"), "~0", "~");
  value = [];
  if (isfield (change, "value"))
    value = change.value;
  end
  state = put (state, names, change.op, value);
end

function place = put (place, names, op, value)
  if (isempty (names))
    place = value;
  elseif (isstruct (place))
    if (numel (names) > 1)
      place.(names{1}) = put (place.(names{1}), names(2:end), op, value);
    elseif (strcmp (op, "remove"))
      place = rmfield (place, names{1});
    else
      place.(names{1}) = value;
    end
  else
    at = numel (place) + 1;
    if (! strcmp (names{1}, "-"))
      at = str2double (names{1}) + 1;
    end
    if (numel (names) > 1)
      place{at} = put (place{at}, names(2:end), op, value);
    elseif (strcmp (op, "remove"))
      place(at) = [];
    elseif (strcmp (op, "add"))
      place = [place(1:at - 1), {value}, place(at:end)];
    else
      place{at} = value;
    end
  end
end

% As Octave's own types: numbers as a row, rows of the same length as a matrix, texts as an n x 1 cell, objects of the same
% members as an n x 1 struct array; null as NaN among numbers, else []. An empty list is [].
function value = natural (value)
  if (isstruct (value))
    for name = fieldnames (value)'
      value.(name{1}) = natural (value.(name{1}));
    end
  elseif (iscell (value))
    if (numbers_only (value))
      value(cellfun ("isempty", value)) = NaN;
      value = [value{:}];
      return;
    end
    columns = unique (cellfun ("length", value));
    if (isscalar (columns) && columns > 0 && all (cellfun ("isclass", value, "cell")))
      flat = [value{:}];
      if (numbers_only (flat))
        flat(cellfun ("isempty", flat)) = NaN;
        value = reshape ([flat{:}], columns, []).';
        return;
      end
    end
    value = cellfun (@natural, value(:), "UniformOutput", false);
    alike = all (cellfun ("isclass", value, "struct")) && all (cellfun (@(one) isequal (fieldnames (one), fieldnames (value{1})), value));
    if (alike || all (cellfun (@islogical, value)))
      value = vertcat (value{:});
    end
  end
end

% Whether all elements are numbers or null.
function yes = numbers_only (list)
  yes = all (cellfun ("isclass", list, "double")) && all (cellfun ("length", list) < 2);
end

% A game against itself, without a daemon. All that stands behind the game's name goes to `referee play`.
function status = self_play (choosers, more)
  if (system ("command -v referee >/dev/null") != 0)
    say (["self-play needs the program `referee` in PATH, and there is none: install the referee, or add the folder where it " ...
          "was built (build/release/bin) to PATH"]);
    status = 2;
    return;
  end
  quoted = @(text) ["'", strrep(text, "'", "'\\''"), "'"];
  game = fieldnames (choosers){1};
  if (! isempty (more))
    game = more{1};
  end
  seats = 1 + (strcmp (game, "walls")) + 3 * (strcmp (game, "light_cycles"));
  program = own_program ();
  bot = ["--bot ", quoted(["octave-cli --no-gui --no-history --quiet ", quoted(program)]), " "];
  rest = cellfun (quoted, more(2:end)(:)', "UniformOutput", false);
  unsetenv ("REFEREE_ADDRESS");
  status = system (["exec referee play ", quoted(game), " ", repmat(bot, 1, seats), "--reads ", quoted(fileparts (program)), " ", ...
                    strjoin(rest, " ")]);
end
