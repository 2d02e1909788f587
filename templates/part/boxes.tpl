% -- What a launch is about: the points that it updates, and its arrays in a table.
% include "part/domain"
% include "part/region"
