#!/usr/bin/perl
# The shot program, as its users meet it: right arrivals, absorbing faces, the
# same record on every backend, and one sentence for input that cannot be.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use List::Util qw(max);
use Test::More;

my $here = abs_path(dirname(__FILE__));
my $root = abs_path("$here/../..");
my $work = tempdir(CLEANUP => 1);
my $build = "$root/out/shot";

# Relative: Make knows no blanks in names.
my $make = "make -s -C '$here/shot' QUERN=../../.. BUILD=../../../out/shot SIMT=1 CUDA=";
system("$make >$work/log 2>&1") == 0
    or do { diag(`cat $work/log`); fail('the shot program builds'); done_testing(); exit 1 };
like(`$make -n -W ../../../gen/emit.lua`, qr/quern gen.*dims=2.*quern gen.*dims=3/s,
     'another Quern generates its kernels again');

sub write_raw {
    my ($name, @values) = @_;
    open my $out, '>:raw', "$work/$name" or die;
    print $out pack('f<*', @values);
    close $out;
    return "$work/$name";
}

sub write_npy {
    my ($name, $order, $rows, $columns, $type, @values) = @_;
    my $text = sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }",
                       $type, $order, $rows, $columns);
    $text .= ' ' x (117 - length $text) . "\n";
    open my $out, '>:raw', "$work/$name" or die;
    print $out "\x93NUMPY\x01\x00", pack('v', length $text), $text, pack('f<*', @values);
    close $out;
    return "$work/$name";
}

sub shoot {
    my ($out, @options) = @_;
    my @command = ("$build/shot", '--modules', $build, '--output', "$work/$out", @options);
    my $line = join ' ', map { "'$_'" } @command;
    my $said = `$line 2>&1 >$work/stdout`;
    return ($? >> 8, $said);
}

sub gather {
    my ($out) = @_;
    open my $in, '<:raw', "$work/$out/gather.npy" or return;
    local $/;
    my $bytes = <$in>;
    my ($steps, $receivers) = $bytes =~ /'shape': \((\d+), (\d+)\)/ or return;
    my @values = unpack('f<*', substr $bytes, 128);
    return { steps => $steps, receivers => $receivers, values => \@values };
}

# Index of the step at which a receiver's trace is largest.
sub peak_step {
    my ($gather, $receiver) = @_;
    my ($best, $at) = (-1, 0);
    for my $step (0 .. $gather->{steps} - 1) {
        my $value = abs $gather->{values}[$step * $gather->{receivers} + $receiver];
        ($best, $at) = ($value, $step) if $value > $best;
    }
    return ($at, $best);
}

my ($nx, $nz, $h, $v) = (121, 61, 10, 2000);
my $even = write_raw('even.bin', ($v) x ($nx * $nz));
my @even = ('--model', $even, '--size', "${nx}x$nz", '--axes', 'xz', '--spacing', "$h,$h",
            '--depth', 300, '--frequency', 15, '--dt', 0.001, '--snapshots', 1);

my ($status, $said) = shoot('even', @even, '--source', '300,300', '--time', 0.9);
is($status, 0, 'a shot in an even medium succeeds') or diag($said);
is($said, '', 'nothing is drawn on a stderr that is no terminal');
my $even_gather = gather('even');
my ($near, $near_size) = peak_step($even_gather, 60);
my ($far) = peak_step($even_gather, 110);
ok(abs(($far - $near) * 0.001 - 500 / $v) < 0.01 * 500 / $v,
   'the wave takes distance over velocity from one receiver to the next')
    or diag('steps ', $far - $near, ', wanted 250');
my $last = max map { abs }
    @{ $even_gather->{values} }[-$even_gather->{receivers} * 20 .. -1];
ok($last > 0 && $last < 0.05 * $near_size, 'the faces absorb: little is left when it has passed')
    or diag("$last of $near_size");

# Half-way between two points, those on either side hear the same.
shoot('between', @even, '--source', '605,300', '--time', 0.3);
my $between = gather('between');
my ($unlike, $loudest) = (0, 0);
for my $row (map { $_ * $between->{receivers} } 0 .. $between->{steps} - 1) {
    my ($left, $right) = @{ $between->{values} }[$row + 50, $row + 71];
    $unlike = max($unlike, abs($left - $right));
    $loudest = max($loudest, abs $left);
}
ok($loudest > 0 && $unlike < 1e-4 * $loudest, 'a source between two points is between them')
    or diag("$unlike of $loudest");

for my $picture (qw(gather section_1)) {
    open my $in, '<:raw', "$work/even/$picture.png" or die "$picture";
    read $in, my $head, 24;
    my ($wide, $high) = unpack 'x16 NN', $head;
    ok(substr($head, 1, 3) eq 'PNG' && $wide > 400 && $high > 300, "$picture.png is a picture");
}

# A layered column, depth fastest, and the same transposed: one model, one record.
my @layered = map { my $x = $_; map { $_ < 20 ? 1500 : 2500 + $x } 0 .. $nz - 1 } 0 .. $nx - 1;
my @turned = map { my $z = $_; map { $layered[$_ * $nz + $z] } 0 .. $nx - 1 } 0 .. $nz - 1;
my @rest = ('--spacing', "$h,$h", '--frequency', 15, '--dt', 0.001, '--snapshots', 0,
            '--time', 0.2, '--source', '300,50', '--pml', 10);
shoot('zx', '--model', write_raw('zx.bin', @layered), '--size', "${nz}x$nx", '--axes', 'zx', @rest);
my $wanted = gather('zx');
ok($wanted && max(map { abs } @{ $wanted->{values} }) > 0, 'a layered model is heard');
my %same = (
    'raw, x fastest' => [write_raw('xz.bin', @turned), '--size', "${nx}x$nz", '--axes', 'xz'],
    'npy, C order' => [write_npy('c.npy', 'False', $nx, $nz, '<f4', @layered), '--axes', 'zx'],
    'npy, Fortran order' =>
        [write_npy('f.npy', 'True', $nx, $nz, '<f4', @turned), '--axes', 'xz'],
);
for my $form (sort keys %same) {
    shoot('form', '--model', @{ $same{$form} }, @rest);
    is_deeply(gather('form'), $wanted, "the same record from $form");
}
($status, $said) = shoot('simt', '--model', "$work/zx.bin", '--size', "${nz}x$nx", '--axes',
                         'zx', @rest, '--backend', 'simt');
is($status, 0, 'GPU kernels run the same shot on the CPU') or diag($said);
is_deeply(gather('simt'), $wanted, 'bit for bit the same record from the GPU kernels');

my @holed = ($v) x ($nx * $nz);
$holed[500] = -1;
my @nan = @holed;
$nan[500] = 'nan';
my @short = ($v) x 10;
my $size = "${nx}x$nz";
my @frame = ('--axes', 'xz', '--spacing', "$h,$h");
my @bad = (
    [qr/holds 10 values, wanted 7381/, '--model', write_raw('short', @short), '--size', $size, @frame],
    [qr/holds more than/, '--model', $even, '--size', '10x10', @frame],
    [qr/velocity at \(16, 4, 0\) is -1 m\/s/, '--model', write_raw('holed', @holed), '--size', $size, @frame],
    [qr/velocity at \(16, 4, 0\) is -?nan/, '--model', write_raw('nan', @nan), '--size', $size, @frame],
    [qr/time step of 0.1 s is not stable.*at most/, @even, '--dt', '0.1'],
    [qr/time step of -1 s/, @even, '--dt', '-1'],
    [qr/source lies outside the model: x = 5000 m, wanted 0 to 1200/, @even, '--source', '5000,10'],
    [qr/source lies outside the model: depth = -1 m/, @even, '--source', '50,-1'],
    [qr/source has 3 coordinates, the model 2 axes/, @even, '--source', '50,10,10'],
    [qr/receivers lie outside/, @even, '--depth', '99999'],
    [qr/wavelet of 500 Hz cannot be carried/, @even, '--frequency', '500'],
    [qr/No such file/, '--model', "$work/none", '--size', $size, @frame],
    [qr/not an order of 'xz'/, '--model', $even, '--size', $size, '--axes', 'xy', '--spacing', "$h,$h"],
    [qr/spacing of -10 m cannot be/, '--model', $even, '--size', $size, '--axes', 'xz', '--spacing', '10,-10'],
    [qr/little-endian float32/, '--model', write_npy('d.npy', 'False', 2, 2, '<f8', 1, 1), @frame],
    [qr/not a .npy file/, '--model', write_raw('no.npy', 1, 2), @frame],
    [qr/1 point along x has no wavefield/, '--model', $even, '--size', '1x7381', @frame],
    [qr/3 spacings were given for 2 axes/, '--model', $even, '--size', $size, '--axes', 'xz', '--spacing', '10,10,10'],
    [qr/velocity at \(0, 0, 0\) is 0 m/, '--model', write_raw('still', (0) x ($nx * $nz)), '--size', $size, @frame],
    [qr/PML of 0 points/, @even, '--pml', '0'],
    [qr/duration of 1e\+30 s/, @even, '--time', '1e30'],
    [qr/no context/, @even, '--backend', 'nowhere'],
    [qr/acoustic_iso_d2_c.so/, @even, '--modules', "$work/nowhere"],
);
for my $case (@bad) {
    my ($pattern, @options) = @$case;
    my ($status, $said) = shoot('bad', @options);
    ok($status == 1 && $said =~ /^shot: [^\n]*\n\z/ && $said =~ $pattern,
       "refused in one sentence: $pattern") or diag("exit $status: $said");
    ok(!-e "$work/bad", 'and nothing is written');
}
($status) = shoot('bad', '--sauce', 1);
is($status, 2, 'an unknown option is a usage error');
($status) = shoot('bad', '--layers', 5);
is($status, 2, 'layers in 5 dimensions are one too');
done_testing();
