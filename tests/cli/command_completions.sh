#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the command: completions in bash, zsh and fish, also of names that a shell would interpret.
# tests/cli/command_completions.sh path/to/mapstone [corpus]. One line per test; exits with 1 if one fails.
set -u
. "$(dirname "$0")/command.sh"

# Names that a shell or the command could misinterpret, for bash and zsh
odd="odd=(-dash.level --help.level --output=pwned '*(e:touch pwned:)' '\$(touch pwned).level' '\`touch pwned\`.level' '~' 'a b.level' ';touch pwned')"
if command -v bash >/dev/null; then
    test_that "bash can read its completion" 'exits 0 help --completion bash' 'bash -n out'
    cat >complete.bash <<'END'
source ./out
COMP_WORDS=(mapstone check --str); COMP_CWORD=2; _mapstone; [ "${COMPREPLY[*]}" = --strict ] || exit 1
COMP_WORDS=(mapstone ro); COMP_CWORD=1; _mapstone; [ "${COMPREPLY[*]}" = roundtrip ] || exit 1
COMP_WORDS=(mapstone convert -t ns2-l); COMP_CWORD=3; _mapstone; [ "${COMPREPLY[*]}" = ns2-level ] || exit 1
END
    test_that "bash completes options, commands and formats" 'bash complete.bash'
    cat >paths.bash <<'END'
source ./out
mapstone() { "$MAPSTONE" "$@"; }
completes() { # TO WORDS...
    local to=$1
    shift
    COMP_WORDS=(mapstone "$@") COMP_CWORD=$#
    _mapstone
    [[ " ${COMPREPLY[*]} " == *" $to "* ]] || { echo "$*: ${COMPREPLY[*]}"; exit 1; }
}
completes mesh.triangles get whole.level mesh.tri
completes 'objects[0]' get --json whole.level 'objects['
completes 'objects[0].class_name' set -i whole.level 'objects[0].cla'
completes "mesh" tree whole.level "'me"
COMP_WORDS=(mapstone get no-such.level me) COMP_CWORD=3; _mapstone; [ -z "${COMPREPLY[*]}" ] || exit 1
COMP_WORDS=(mapstone set whole.level version = me) COMP_CWORD=5; _mapstone; [ -z "${COMPREPLY[*]}" ] || exit 1
END
    test_that "bash completes paths in files" 'env MAPSTONE="$mapstone" bash paths.bash'
    { echo "$odd"; cat <<'END'; } >names.bash
source ./out
mapstone() { printf '%s\n' "$@" >asked; "$MAPSTONE" "$@"; }
for one in "${odd[@]}"; do
    cp whole.level "./$one"
    COMP_WORDS=(mapstone get -- "$one" mesh.tri) COMP_CWORD=4
    _mapstone
    [[ "${COMPREPLY[*]}" == mesh.triangles && ! -e pwned ]] || { echo "$one: ${COMPREPLY[*]}"; exit 1; }
    [[ "$(<asked)" == *--$'\n'"$one"$'\n'mesh ]] || { echo "$one is not after --"; cat asked; exit 1; }
    rm "./$one"
done
END
    test_that "bash asks for names after --, whatever they are" 'env MAPSTONE="$mapstone" bash names.bash'
fi
if command -v zsh >/dev/null; then
    test_that "zsh can read its completion" 'exits 0 help --completion zsh' 'zsh -n out'
    cat >paths.zsh <<'END'
compdef() { : }
source ./out
completes() { # TO WORD
    [[ " $(_mapstone_steps whole.level "$2" | tr '\n' ' ')" == *" $1 "* ]] || { echo "$2: $(_mapstone_steps whole.level "$2")"; exit 1 }
}
completes mesh.triangles mesh.tri
completes 'objects[0]' 'objects['
completes 'objects[0].class_name' 'objects[0].cla'
completes mesh me
[[ -z "$(_mapstone_steps no-such.level me)" ]]
END
    test_that "zsh completes paths in files" 'env PATH="$(dirname "$mapstone"):$PATH" zsh -f paths.zsh'
    mkdir stub
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >asked\nexec "$MAPSTONE" "$@"\n' >stub/mapstone
    chmod +x stub/mapstone
    { echo "$odd"; cat <<'END'; } >names.zsh
compdef() { : }
source ./out
for one in $odd; do
    cp whole.level "./$one"
    [[ "$(_mapstone_steps "$one" mesh.tri)" == *mesh.triangles* && ! -e pwned ]] || { echo "$one"; _mapstone_steps "$one" mesh.tri; exit 1 }
    [[ "$(<asked)" == *--$'\n'"$one"$'\n'mesh ]] || { echo "$one is not after --"; cat asked; exit 1 }
    rm "./$one"
done
END
    test_that "zsh asks for names after --, whatever they are" 'env MAPSTONE="$mapstone" PATH="$PWD/stub:$PATH" zsh -f names.zsh'
    cat >quoted.zsh <<'END'
compdef() { : }
source ./out
touch x1 x2
given() { # WORD...: mapstone was given these
    [[ "$(<asked)" == "${(F)@}" && ! -e pwned ]] || { echo "not: $*"; cat asked; exit 1 }
}
eval 'for f in "*(e:touch pwned:)" "x*" "x*(e:touch pwned:)" "x1(+print)" "~" "=ls" "\$(touch pwned)"; do
    mapstone check "$f" -o "x*" --only "x*(N)"; given check "$f" -o "x*" --only "x*(N)"
done'
eval 'mapstone check x*; given check x1 x2; mapstone get x1 "objects[0]"; given get x1 "objects[0]"'
END
    test_that "zsh expands nothing that is quoted" 'env MAPSTONE=true PATH="$PWD/stub:$PATH" zsh -f quoted.zsh'
    cat >brackets.zsh <<'END'
zmodload zsh/zpty || exit 0
zpty -b shell zsh -fi
enter() { zpty -w shell "$1"; sleep 0.3 }
asked() { # WORD...: mapstone is given these, before long
    for i in {1..50}; do
        [[ -s asked && "$(<asked)" == "${(F)@}" ]] && rm asked && return
        sleep 0.1
    done
    echo "not: $*"; cat asked; exit 1
}
enter 'compdef() { : }; source ./out; f="*(e:touch pwned:)"'
enter 'mapstone get x1 objects[0].a'; asked get x1 'objects[0].a'
enter ' mapstone set -i "$f" objects[1]=2'; asked set -i '*(e:touch pwned:)' 'objects[1]=2'
enter 'mapstone check "$f" x* -o "x*"'; asked check '*(e:touch pwned:)' x1 x2 -o 'x*'
enter exit
[[ ! -e pwned ]]
END
    rm -f asked
    test_that "zsh takes brackets of paths without quotes" 'env MAPSTONE=true PATH="$PWD/stub:$PATH" zsh -f brackets.zsh'
    rm -rf stub asked x1 x2
fi
if command -v fish >/dev/null; then
    cat >paths.fish <<'END'
source ./out
function completes # TO LINE
    complete -C $argv[2] | string match -qr -- '^'(string escape --style=regex -- $argv[1])'(\t|$)'
    or begin; echo $argv[2]; complete -C $argv[2]; exit 1; end
end
completes --strict 'mapstone check --str'
completes roundtrip 'mapstone ro'
completes ns2-level 'mapstone convert -t ns2-l'
completes mesh.triangles 'mapstone get whole.level mesh.tri'
completes 'objects[0]' 'mapstone get --json whole.level objects['
completes 'objects[0].class_name' 'mapstone set -i whole.level objects[0].cla'
completes mesh 'mapstone tree whole.level me'
completes whole.level 'mapstone get whole'
test -z (complete -C 'mapstone get no-such.level mesh.tri' | string collect)
END
    test_that "fish completes options, commands, formats and paths in files" 'exits 0 help --completion fish' \
        'env HOME="$PWD" PATH="$(dirname "$mapstone"):$PATH" fish --no-config paths.fish'
    cat >names.fish <<'END'
source ./out
for one in -dash.level --help.level --output=pwned '*(e:touch pwned:)' '$(touch pwned).level' '(touch pwned)' '~' 'a b.level' ';touch pwned' -n
    cp whole.level "./$one"
    set -l line "mapstone get -- "(string escape -- $one)" mesh.tri"
    complete -C $line | string match -qr '^mesh.triangles'; and not test -e pwned
    or begin; echo $one; complete -C $line; exit 1; end
    rm "./$one"
end
END
    test_that "fish asks for names after --, whatever they are" 'exits 0 help --completion fish' \
        'env HOME="$PWD" PATH="$(dirname "$mapstone"):$PATH" fish --no-config names.fish'
fi

finish
