#!/usr/bin/env bash
# Writes the accounting of a Slurm cluster as a log that `schedfarm trace` and campaigns read: one row per run of a job, columns
# divided by `|`, times as seconds of the Unix clock, so that no zone and no summer time is to be known. Month by month, since the
# database refuses or cuts large answers; what two months both have is written once.
#
#   slurm/sacct.sh [-S FROM] [-E UNTIL] [-a] [-o FILE] [-- OPTIONS OF SACCT]
#
#   -S FROM   jobs in any state from this day on, 2026-01-01; default: 30 days ago
#   -E UNTIL  before this day; default: tomorrow
#   -a        anonymous: users, accounts, clusters are numbers in the order in which they appear; no nodes, reservations, constraints,
#             and no command lines of submissions
#   -o FILE   where it goes, written whole or not at all; default: standard output
#
# Whose jobs: everybody's, where the accounting lets you see them (PrivateData in slurm.conf), else your own. Jobs that never
# became eligible (held, a dependency that was never met) are not in a dump by dates. Names of jobs are not asked for: a `|` in
# one would shift the columns. Command lines (since Slurm 21.08) come last, for they say what jobs asked for and waited for, and hold
# any text. More options of sacct, such as -p PARTITION or -M CLUSTER, come behind `--`.
set -euo pipefail

columns=JobIDRaw,JobID,User,Account,Partition,QOS,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,State,ExitCode
columns+=,ReqNodes,AllocNodes,ReqCPUS,AllocCPUS,ReqMem,ReqTRES,AllocTRES,Priority,Flags,Reason,Cluster,DBIndex
key=27 # the place of DBIndex
places=,NodeList,Reservation,Constraints

die() { echo "sacct.sh: $1" >&2; exit 2; }
usage() { sed -n '6,12s/^# \{0,1\}//p' "$0"; }
day() { date -u -d "$1" +%Y-%m-%d 2>/dev/null || die "$2 $1: no day. Write one as 2026-01-01."; }

from='-30 days' until='tomorrow' anonymous=0 output=
while getopts S:E:ao:h option; do
  case $option in
    S) from=$OPTARG ;;
    E) until=$OPTARG ;;
    a) anonymous=1 places= ;;
    o) output=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
command -v sacct >/dev/null || die "there is no sacct here. Run it where Slurm's commands are, such as a login node"
from=$(day "$from" -S)
until=$(day "$until" -E)
for column in Licenses SubmitLine; do # of newer versions
  if ((!anonymous)) && sacct --helpformat 2>/dev/null | grep -qw $column; then places+=,$column; fi
done
[[ $from < $until ]] || die "-E $until is not after -S $from (no time is between them). Exchange them."

dump() {
  local begin=$from end
  while [[ $begin < $until ]]; do
    end=$(date -u -d "${begin%-*}-01 + 1 month" +%Y-%m-%d)
    [[ $end < $until ]] || end=$until
    echo "# month $begin"
    SLURM_TIME_FORMAT=%s TZ=UTC sacct --allusers --allocations --duplicates --parsable2 --noconvert \
      --starttime "$begin" --endtime "$end" --format "$columns$places" "$@" || die "sacct failed for $begin to $end"
    begin=$end
  done
}

# Rows of one month are all kept, for runs of a requeued job share their names; a later month has of a row before it nothing new.
# What a line break in a command line leaves for the next line goes with its row.
once() {
  awk -F'|' -v OFS='|' -v anonymous=$anonymous -v key=$key '
    function number(letter, name) {
      if (name != "" && !((letter, name) in numbers)) numbers[letter, name] = letter (++count[letter])
      return numbers[letter, name]
    }
    /^# month / { ++month; heading = 1; next }
    heading { heading = 0; if (month == 1) print; next }
    NF >= key && $1 ~ /^[0-9]+$/ {
      is_new = !($key in seen) || seen[$key] == month
      seen[$key] = month
      if (anonymous) { $3 = number("u", $3); $4 = number("a", $4); sub(/ by .*/, "", $14); $(key - 1) = number("c", $(key - 1)) }
    }
    is_new'
}

if [[ -z $output ]]; then
  dump "$@" | once
else
  part=$(mktemp "$output.XXXXXX")
  trap 'rm -f "$part"' EXIT
  dump "$@" | once >"$part"
  rows=$(grep -cE '^[0-9]+[|]' "$part") || true
  ((rows > 0)) || die "no job from $from to $until (nothing is written). Give other days, or ask for the right to see the jobs of others."
  chmod 644 "$part"
  mv "$part" "$output"
  echo "$rows rows written to $output" >&2
fi
