function [direction] = e7planets_player(map)
direction = 'R' +* ;
