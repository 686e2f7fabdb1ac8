% The work of octave_e7.m: plays E7 Planets with the player function of the file that the command line names.
%
% The function gets exactly the map that the handout describes. The file may have any name, such as one that a learning platform
% gave it. Each game begins with persistent and global variables empty. An error, and a direction of a wrong class or size, is
% an invalid move; its words are the move's `debug`, and stand on standard error. With a header other than the handout's the ship
% never moves, and so scores zero on every map. What the function prints goes to standard error. Octave's own start, and the reading
% of the file, come before `ready` and are not charged.
function e7_adapter ()
  words = argv ();
  if (numel (words) != 1 || ! exist (words{1}, "file"))
    fprintf (stderr, "expected the file with the player function, such as: octave-cli octave_e7.m e7planets_player.m\n");
    exit (2);
  end
  file = make_absolute_filename (words{1});
  [folder, name, ending] = fileparts (file);
  addpath (folder);  % functions in files beside it
  home = folder;
  if (! strcmp ([name, ending], "e7planets_player.m"))
    home = tempname ();  % Octave finds a function by the name of its file
    mkdir (home);
    copy_bytes (file, fullfile (home, "e7planets_player.m"));
    addpath (home);
    confirm_recursive_rmdir (false);
    tidy = onCleanup (@() rmdir (home, "s"));
  end
  header_trouble (fullfile (home, "e7planets_player.m"));
  beside = regexprep ({dir(fullfile (folder, "*.m")).name}, '\.m$', "");
  own = [{"e7planets_player"}, beside(cellfun (@isvarname, beside))];
  referee_bot (struct ("e7_planets", @chosen_direction), "e7planets_player", @(game) made_fresh (own, home));
end

% Octave's own copyfile gives the names to a shell.
function copy_bytes (from, to)
  source = fopen (from, "rb");
  copy = fopen (to, "wb");
  fwrite (copy, fread (source, Inf, "*uint8"));
  fclose (source);
  fclose (copy);
end

% "" where the first function's header is the handout's: blanks, the brackets and what stands behind it are free.
function words = header_trouble (file = "e7planets_player.m")
  persistent known
  if (! isempty (known))  % a player that says `clear all` clears this too
    words = known{1};
    return;
  end
  text = fileread (file_in_loadpath (file));
  text = regexprep (text, '\.\.\.[^\n]*\n', " ");
  text = regexprep (text, '^[ \t]*[%#]\{[ \t\r]*$.*?^[ \t]*[%#]\}[ \t\r]*$', "", "lineanchors");
  found = regexp (text, '^[ \t]*function\>[^\n%#;]*', "match", "once", "lineanchors");
  words = "";
  if (! any (strcmp (regexprep (found, '\s', ""), {"function[direction]=e7planets_player(map)", "functiondirection=e7planets_player(map)"})))
    words = sprintf (["the header is not the handout's, so the ship never moves: expected 'function [direction] = e7planets_player(map)', " ...
                      "found '%s'"], strtrim (found));
    fprintf (stderr, "%s\n", words);
  end
  known = {words};
end

% A game begins: nothing is left of the one before. Reads the player's file already, which takes its time.
function made_fresh (own, home)
  cd (home);  % what lies in the current folder comes before the path
  clear -global
  for name = own
    clear ("-f", name{1});
  end
  try
    nargin ("e7planets_player");
  catch wrong
    fprintf (stderr, "%s\n", wrong.message);  % it is told again in each turn
  end
end

function [direction, debug] = chosen_direction (game)
  direction = [];
  debug = header_trouble ();
  if (isempty (debug))
    try
      direction = e7planets_player (handouts_map (game.state));
      debug = direction_trouble (direction);
    catch wrong
      debug = ["error: ", own_words(wrong.message)];
      for place = wrong.stack(1:min (1, end))'
        if (! strncmp (place.name, "e7_adapter", 10))  % it is the student's
          debug = sprintf ("%s (%s, line %d)", debug, place.name, place.line);
        end
      end
    end
    if (! isempty (debug))
      fprintf (stderr, "turn %d: %s\n", game.turn, debug);
    end
  end
  told = (ischar (direction) && rows (direction) == 1 && numel (direction) <= 20) || (isnumeric (direction) && isscalar (direction));
  if (! told)
    direction = NaN;  % null: what it is doesn't go over the wire
  end
end

% In one line, and with the file as the student knows it: Octave reads a copy, in another folder for each process.
function words = own_words (words)
  words = strtrim (regexprep (words, {'\S*/(?=e7planets_player\.m)', '\s+'}, {"", " "}));
end

function words = direction_trouble (direction)
  words = "";
  if (! ischar (direction) || ! isequal (size (direction), [1 1]))
    if (ischar (direction) && rows (direction) == 1 && numel (direction) <= 20)
      found = ["'" direction "'"];
    elseif (isnumeric (direction) && isscalar (direction))
      found = ["the number " num2str(direction)];
    else
      found = sprintf ("a %s array of class %s", ...
                       strjoin (cellfun (@num2str, num2cell (size (direction)), "UniformOutput", false), "x"), class (direction));
    end
    words = sprintf ("the direction is %s; expected one character, such as \"U\" (U, D, L, R or .)", found);
  elseif (! any (direction == "UDLR."))
    words = sprintf ("the direction is '%s'; expected one of U, D, L, R and . (case matters)", direction);
  end
end

% The map as the handout has it: five fields and no other, Inf and NaN, columns of structs, all numbers doubles.
function map = handouts_map (state)
  map.grid = double (state.grid);
  map.grid(map.grid == -1) = Inf;
  map.player = struct ("location", state.player.location, "score", state.player.score);
  map.scraps = columned (state.scraps, {"location", "value"});
  map.ghosts = columned (state.ghosts, {"location", "type", "transparency"});
  map.remaining_turns = state.remaining_turns;
end

% An n x 1 struct array with these fields in this order; 0 x 1 where there is none.
function array = columned (array, fields)
  if (isempty (array))
    array = repmat (cell2struct (cell (numel (fields), 1), fields(:)), 0, 1);
  else
    array = orderfields (array(:), fields);
  end
end
