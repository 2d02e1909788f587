% -- A step starts to copy what a later one shares.
% if first then

/* Nobody reads the plane of the last step any more: a later step's is copied there. */
% end
if ($walk + $stages < last) {
    const int $next = $now == 0 ? $spare : $now - 1;
    $copies
}
quern_fetch_close();
