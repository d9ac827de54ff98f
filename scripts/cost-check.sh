#!/bin/sh
# Calibrates this machine, estimates messages that calibration never saw, measures them, and writes the errors to bench/results/cost.md: docs/cost.md.
# --quick calibrates with fewer lengths; --profile FILE takes a profile that is there instead.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
cd "$root"
quick=
profile=
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=--quick ;;
        --profile) shift; profile=${1:?"--profile needs a file"} ;;
        *) echo "cost-check: unknown option $1: there are --quick and --profile FILE" >&2; exit 2 ;;
    esac
    shift
done
cargo build --quiet --locked -p creo-cli
creo=target/debug/creo
mkdir -p build/cost
fits=build/cost/fits.txt
if [ -z "$profile" ]; then
    profile=build/cost/profile.json
    # shellcheck disable=SC2086 # an empty word is no option
    "$creo" calibrate $quick -o "$profile" --residuals build/cost/residuals.csv 2> "$fits" || { cat "$fits" >&2; exit 1; }
else
    echo "not calibrated in this run: $(basename "$profile")" > "$fits"
fi
# The lengths are those of the papers: twenty customers, fifty products, a picture of 14 kB; 10 kB of each workload.
"$creo" estimate bench/messages.creo --profile "$profile" --verify -o build/cost/messages.txt --quiet \
    --length Short.text=50 --length Medium.customers=20 --length Complex.products=50 --length SimpleJpeg.picture=14000
"$creo" estimate bench/cost.creo --profile "$profile" --verify -o build/cost/types.txt --quiet \
    --length numbers.blocks=1000 --length strings.items=1000 --length 'strings.items[]=10' --length bytes.data=10000 --length reals.values=1250
page=bench/results/cost.md
{
    echo "# Predicted and measured times"
    echo
    echo "By \`make cost-check\`, $(date -u +%Y-%m-%d), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg) at the end. Nanoseconds of processor time of requests;"
    echo "the model is \`spec/cost.md\`. Calibration saw none of these descriptions."
    for part in fits messages types; do
        echo
        case $part in
            fits) echo "## Calibration" ;;
            messages) echo "## The five messages of the TDXML paper" ;;
            types) echo "## The workloads of the Creo paper, and twenty types made by chance" ;;
        esac
        echo
        echo '```'
        cat "build/cost/$part.txt"
        echo '```'
    done
} > build/cost/cost.md
mv build/cost/cost.md "$page"
grep 'error\|ranked' "$page"
echo "$page written"
