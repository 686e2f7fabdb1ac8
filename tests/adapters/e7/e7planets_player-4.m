function [direction] = e7planets_player(map)
% Checks each shape that the handout promises, and errs where one is another. Remembers its games.
persistent turns
if isempty(turns)
    turns = 0;
end
turns = turns + 1;
played = size(map.player.location, 1) - 2;
assert(turns == played + 1, 'persistent variables come from an earlier game');
assert(isequal(fieldnames(map), {'grid'; 'player'; 'scraps'; 'ghosts'; 'remaining_turns'}), 'fields of map');
assert(isequal(size(map), [1 1]) && isequal(size(map.player), [1 1]), 'one struct');
assert(isa(map.grid, 'double') && any(isinf(map.grid(:))) && ~any(map.grid(:) < 0), 'grid');
assert(isequal(fieldnames(map.player), {'location'; 'score'}), 'fields of player');
assert(isequal(size(map.player.location), [played + 2, 2]) && all(isnan(map.player.location(1, :))), 'player.location');
assert(isa(map.player.score, 'double') && isscalar(map.player.score), 'score');
assert(size(map.scraps, 2) == 1 && isequal(fieldnames(map.scraps), {'location'; 'value'}), 'scraps');
assert(isequal(size(map.scraps(1).location), [1 2]) && isa(map.scraps(1).value, 'double'), 'a scrap');
assert(isstruct(map.ghosts) && size(map.ghosts, 2) == 1, 'ghosts');
assert(isequal(fieldnames(map.ghosts), {'location'; 'type'; 'transparency'}), 'fields of ghosts');
for ghost = map.ghosts'
    assert(isequal(size(ghost.location), [played + 2, 2]), 'ghost.location');
    assert(strcmp(ghost.type, 'backandforth') == ~any(isnan(ghost.location(1, :))), 'first row of a ghost');
    assert(ischar(ghost.type) && size(ghost.type, 1) == 1 && any(ghost.transparency == [0 1 2]), 'a ghost');
end
assert(isa(map.remaining_turns, 'double') && isscalar(map.remaining_turns), 'remaining_turns');
fprintf('turn %d\n', turns); turns
direction = step_to(map.player.location(end, :), map.scraps(1).location);
end

function letter = step_to(from, to)
if from(1) < to(1), letter = 'D';
elseif from(1) > to(1), letter = 'U';
elseif from(2) < to(2), letter = 'R';
else, letter = 'L';
end
end
