% Comments before the header, a header over two lines, functions without an end.
function [ direction ] = ...
    e7planets_player( map )   % the player

direction = way(map);

function letter = way(map)
letter = 'R';
