# Runs the program for Creo.Compiler.targets: the descriptions are lines of CREO_LIST, and the options of `creo generate` are arguments.
set -u
wanted=@VERSION@
ways="refer to the package Creo.Compiler $wanted on Linux on x86_64, or set CreoExecutable to creo $wanted or later"
fail() {
    echo "creo: error: $1; $ways" >&2
    exit 1
}

[ -e "$CREO_EXECUTABLE" ] || fail "there is no program $CREO_EXECUTABLE"
# Packages do not keep who may run a file.
[ -x "$CREO_EXECUTABLE" ] || chmod +x "$CREO_EXECUTABLE" 2>/dev/null
said=$("$CREO_EXECUTABLE" --version 2>/dev/null) || fail "$CREO_EXECUTABLE does not run here"
case $said in
"creo "[0-9]*.[0-9]*.[0-9]*) ;;
*) fail "$CREO_EXECUTABLE is not creo" ;;
esac
oldest=$(printf '%s\n' "${said#creo }" "$wanted" | sort -t . -k 1,1n -k 2,2n -k 3,3n | head -n 1)
[ "$oldest" = "$wanted" ] || fail "$CREO_EXECUTABLE is $said"

# -x: one model is one command, or none.
tr '\n' '\0' <"$CREO_LIST" | xargs -0 -x "$CREO_EXECUTABLE" --quiet --error-format msbuild generate "$@" --out "$CREO_OUTPUT" -- || exit 100
