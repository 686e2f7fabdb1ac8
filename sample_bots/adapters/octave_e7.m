% Runs a file with `function [direction] = e7planets_player(map)`, unchanged, as a bot of E7 Planets:
%
%     octave-cli --no-gui sample_bots/adapters/octave_e7.m FILE.m
%
% What it does is told in e7_adapter.m. That is a file of its own because a player that says `clear all` takes the functions of a
% script away, but those of a file are found again.
addpath (fileparts (mfilename ("fullpath")));
addpath (fullfile (fileparts (mfilename ("fullpath")), "..", "octave"));
e7_adapter ();
