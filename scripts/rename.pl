#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# Renames by a list, in all files that git tracks, and reports names that the result would mix up:
#
#   scripts/rename.pl LIST [SECTION]      (in the top directory; LIST: scripts/words.txt)
#
# A section begins with "= its name". Its lines:
#
#   id OLD NEW           an identifier, wherever it is a whole word
#   code OLD NEW         a plain word: in C code, and between backticks in comments and documents
#   text PATTERN => NEW  a regular expression: in comments, strings and documents ($1 as in Perl)
#
# OLD and NEW with more than one word are separated by => as well.
#   file OLD NEW         a file or directory, and its name in includes and documents
#
# `code` and `text` may be limited to files by globs in brackets: code[src/set/*], text[!src/formats/sfa/*].
# Generated files, inputs of fuzzing and the changelog's past are not changed.
use strict;
use warnings;

my ($list, $only) = @ARGV;
die "usage: rename.pl LIST [SECTION]\n" unless defined $list;
my (@rules, $section);
open my $in, '<', $list or die "$list: $!\n";
while (<$in>) {
    chomp;
    next if /^\s*(#|$)/;
    if (/^= (.*)/) { $section = $1; next }
    next if defined $only && $section ne $only;
    /^(id|code|text|file)(?:\[([^\]]*)\])?\s+(.*)$/ or die "$list:$.: not understood: $_\n";
    my ($kind, $globs, $rest) = ($1, $2, $3);
    my ($old, $new) = $kind eq 'text' || $rest =~ / => / ? split(/ => /, $rest, 2) : split(' ', $rest);
    die "$list:$.: two words are missing\n" unless defined $new;
    push @rules, {kind => $kind, old => $old, new => $new, globs => defined $globs ? [split ' ', $globs] : undef};
}
die "no section is called $only\n" if defined $only && !@rules;

sub tracked {
    grep { -f && !-l && !m{^(tests/fuzz/corpus|tests/faults|samples)/|^tests/platforms\.txt$|^LICENSE$|^scripts/(words\.txt|rename\.pl)$} }
        split /\0/, `git ls-files -z`;
}

for my $rule (grep { $_->{kind} eq 'file' } @rules) {
    system('git', 'mv', $rule->{old}, $rule->{new}) == 0 or die "cannot move $rule->{old}\n";
}

# Matches the text as a whole, not as a part of a longer word.
sub whole {
    my ($text) = @_;
    return ($text =~ /^\w/ ? '(?<!\w)' : '') . quotemeta($text) . ($text =~ /\w$/ ? '(?!\w)' : '');
}

sub matches {
    my ($file, $globs) = @_;
    return 1 if $file =~ m{^tests/mutation/.*\.txt$}; # may have lines of any file
    my $match = !$globs || $globs->[0] =~ /^!/;
    for my $glob (@{$globs || []}) {
        my ($not, $name) = $glob =~ /^(!?)(.*)$/;
        my $pattern = join '.*', map { quotemeta } split /\*/, $name, -1;
        $match = !$not if $file =~ /^$pattern$/;
    }
    return $match;
}

# alternates C code with comments and strings
my $piece = qr{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}s;

my %mixed;
for my $file (tracked()) {
    open my $from, '<:raw', $file or next;
    local $/;
    my $text = <$from>;
    close $from;
    next if $text =~ /\0/;
    my $before = $text;
    my $c = $file =~ m{\.[ch]$|^tests/mutation/.*\.txt$};
    my $past = '';
    ($text, $past) = ($1, $2) if $file eq 'CHANGELOG.md' && $text =~ /^(.*?\n## .*?)(\n## .*)$/s;
    my @ids = grep { $_->{kind} eq 'id' } @rules;
    if (@ids) {
        my %to = map { $_->{old} => $_->{new} } @ids;
        my $any = join '|', map { quotemeta } sort { length $b <=> length $a } keys %to;
        $text =~ s/\b($any)\b/$to{$1}/g;
    }
    for my $rule (grep { $_->{kind} eq 'file' } @rules) {
        my ($old, $new) = ($rule->{old}, $rule->{new});
        $text =~ s/\b\Q$old\E\b/$new/g;
        my ($old_base, $new_base) = map { (split m{/})[-1] } $old, $new;
        $text =~ s/\b\Q$old_base\E(?=["`>])/$new_base/g if $old_base =~ /\./;
    }
    my @code = grep { $_->{kind} eq 'code' && matches($file, $_->{globs}) } @rules;
    my @text = grep { $_->{kind} eq 'text' && matches($file, $_->{globs}) } @rules;
    if (@code || @text) {
        my @pieces = $c ? split(/$piece/, $text, -1) : ('', $text);
        for my $i (0 .. $#pieces) {
            my $is_code = $c && $i % 2 == 0;
            my $literal = $c && !$is_code && $pieces[$i] =~ /^["']/;
            for my $rule (@code) {
                my ($old, $new) = (whole($rule->{old}), $rule->{new});
                if ($is_code) {
                    $mixed{"$file: $rule->{old} -> $new"} = 1
                        if $pieces[$i] =~ /$old/ && $before =~ /\b\Q$new\E\b/;
                    $pieces[$i] =~ s/(?<!#include <)$old/$new/g;
                } elsif (!$literal) {
                    $pieces[$i] =~ s/`([^`\n]*)`/my $x = $1; $x =~ s{$old}{$new}g if $x !~ m{\s}; "`$x`"/ge;
                }
            }
            next if $is_code;
            for my $rule (@text) {
                my ($old, $new) = ($rule->{old}, $rule->{new});
                $new =~ s/(["\\\@])/\\$1/g;
                $pieces[$i] =~ s/$old/'"' . $new . '"'/gee;
            }
        }
        $text = join '', @pieces;
    }
    $text .= $past;
    next if $text eq $before;
    open my $to, '>:raw', $file or die "$file: $!\n";
    print $to $text;
    close $to;
}
print "mixed up? $_\n" for sort keys %mixed;
