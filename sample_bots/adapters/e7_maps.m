% Reads a .mat file of the E7 course and prints each map in it as a line of JSON, for `referee maps e7_planets --import FILE.mat`:
%
%     octave-cli e7_maps.m FILE.mat
%
% A line is {"name": NAME, "map": {...}} as the rules have it (-1 for Inf, null for NaN), or {"name": NAME, "wrong": WORDS} for a
% struct that lacks something, or {"version": WORDS} for the text maps_version. Other variables that are no structs are passed over.
1;

function text = matrix_text (matrix)
  matrix(isinf (matrix)) = -1;
  lines = cell (1, rows (matrix));
  for r = 1:rows (matrix)
    lines{r} = ["[", strjoin(arrayfun (@number_text, matrix(r, :), "UniformOutput", false), ","), "]"];
  end
  text = ["[", strjoin(lines, ","), "]"];
end

function text = number_text (number)
  text = sprintf ("%.17g", number);
  if (isnan (number))
    text = "null";
  end
end

function text = list_text (array, one)
  text = ["[", strjoin(arrayfun (one, array(:)', "UniformOutput", false), ","), "]"];
end

function text = scrap_text (scrap)
  row = matrix_text (scrap.location(:)');
  text = sprintf ("{\"location\":%s,\"value\":%s}", row(2:end-1), number_text (scrap.value));
end

function text = ghost_text (ghost)
  text = sprintf ("{\"location\":%s,\"type\":%s,\"transparency\":%s}", matrix_text (ghost.location), jsonencode (ghost.type), ...
                  number_text (ghost.transparency));
end

function text = map_text (map)
  text = sprintf ("{\"grid\":%s,\n \"player\":{\"location\":%s,\"score\":%s},\n \"scraps\":%s,\n \"ghosts\":%s,\n \"remaining_turns\":%s}", ...
                  matrix_text (map.grid), matrix_text (map.player.location), number_text (map.player.score), ...
                  list_text (map.scraps, @scrap_text), list_text (map.ghosts, @ghost_text), number_text (map.remaining_turns));
end

words = argv ();
try
  found = load (words{1});
catch wrong
  fprintf (stderr, "%s\n", wrong.message);
  exit (1);
end
for name = fieldnames (found)'
  map = found.(name{1});
  if (strcmp (name{1}, "maps_version") && ischar (map))
    printf ("{\"version\":%s}\n", jsonencode (map));
  end
  if (! isstruct (map))
    continue;
  end
  try
    printf ("{\"name\":%s,\"map\":%s}\n", jsonencode (name{1}), strrep (map_text (map), "\n", ""));
  catch wrong
    printf ("{\"name\":%s,\"wrong\":%s}\n", jsonencode (name{1}), jsonencode (wrong.message));
  end
end
