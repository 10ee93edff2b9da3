#!/bin/sh
# usage: h5dump_test.sh RESULT_FILE    h5dump shows the table with its units and meanings.
set -eu
dump=$(h5dump -d /estimates "$1")
for wanted in 'H5T_IEEE_F64LE "mean"' 'ATTRIBUTE "units"' '"that of the metric"' \
    'ATTRIBUTE "meanings"' '"lower end of the confidence interval"' 'ATTRIBUTE "meaning"' \
    '"response_time.mean"' '3.21'; do
    printf '%s' "$dump" | grep -qF -- "$wanted" || { echo "h5dump does not show: $wanted"; exit 1; }
done
dump=$(h5dump -d /timings "$1")
for wanted in 'H5T_IEEE_F64LE "began"' 'H5T_STD_U64LE "run"' '0.52'; do
    printf '%s' "$dump" | grep -qF -- "$wanted" || { echo "h5dump does not show: $wanted"; exit 1; }
done
attributes=$(h5dump -A "$1")
for wanted in 'ATTRIBUTE "filetype"' '"schedfarm results"' 'ATTRIBUTE "payload_hash"' '"time"' '"s"'; do
    printf '%s' "$attributes" | grep -qF -- "$wanted" || { echo "h5dump -A does not show: $wanted"; exit 1; }
done
if printf '%s' "$attributes" | grep -q '377777'; then
    echo "h5dump shows characters in octal"; exit 1
fi
echo "h5dump shows units and meanings"
