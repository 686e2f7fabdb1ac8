% A file whose header is another one.
function dir = e7planets_player(my_map)
dir = 'R';
end
