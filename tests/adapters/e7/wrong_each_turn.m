function [direction] = e7planets_player(map)
% Another mistake in each turn, and at last a way.
global seen
seen(end + 1) = 1;
if numel(seen) ~= size(map.player.location, 1) - 1
    error('global variables come from an earlier game');
end
switch numel(seen)
    case 1, error('no way out of %d', 5);
    case 2, direction = 5;
    case 3, direction = 'UU';
    case 4, direction = {'U'};
    case 5, direction = no_such_function(map);
    case 6, direction = 'u';
    case 7, nothing = 1;
    case 8, direction = struct('a', @sin);
    case 9, tidy_up(); direction = '.';
    otherwise, direction = 'R';
end
end

function tidy_up()
clear functions
end
