#!/usr/bin/env bash
# A Slurm of its own for the tests: munged, slurmctld and one slurmd per virtual node on this machine, without
# systemd, cgroups or accounting.
# usage: testbed.sh start FOLDER NODES CPUS_PER_NODE    exit code 77: it cannot run here, the reason on stdout
#        testbed.sh stop FOLDER
# Everything lies in FOLDER, which must be readable by all users; jobs need SLURM_CONF=FOLDER/slurm.conf.
set -euo pipefail
action=${1:?usage: testbed.sh start|stop FOLDER ...}
folder=${2:?usage: testbed.sh start|stop FOLDER ...}
export SLURM_CONF=$folder/slurm.conf
host=$(hostname -s)
first_port=${SCHEDFARM_TEST_PORT:-16817}

cannot() {
    echo "no Slurm here: $*"
    exit 77
}

write_settings() { # nodes, cpus per node
    local node
    mkdir -p "$folder"/{state,log,spool,run}
    for node in $(seq 1 "$1"); do # PMIx makes a folder of the same name on each node
        mkdir -p "$folder/tmp/n$node"
        chmod 1777 "$folder/tmp/n$node"
    done
    chmod 755 "$folder"
    cat >"$SLURM_CONF" <<SETTINGS
ClusterName=schedfarm
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
SlurmctldPort=$first_port
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmdSpoolDir=$folder/spool/%n
TmpFS=$folder/tmp/%n
StateSaveLocation=$folder/state
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=2,batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
ReturnToService=2
KillWait=5
MinJobAge=600
PropagateResourceLimits=NONE
JobRequeue=1
EnforcePartLimits=ALL
BatchStartTimeout=120
SETTINGS
    {
        for node in $(seq 1 "$1"); do
            echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((first_port + node)) CPUs=$2 RealMemory=1000"
        done
        echo "PartitionName=tests Nodes=n[1-$1] Default=YES MaxTime=INFINITE DefaultTime=10 State=UP"
        echo "PartitionName=physics Nodes=n1 AllowAccounts=physics MaxTime=60 State=UP"
    } >>"$SLURM_CONF"
    echo 'CgroupPlugin=cgroup/v1' >"$folder/cgroup.conf"
}

start_munge() {
    if munge -n 2>/dev/null | unmunge >/dev/null 2>&1; then return; fi
    install -d -o munge -g munge -m 755 /run/munge
    if [ ! -s /etc/munge/munge.key ]; then
        head -c 1024 /dev/urandom >/etc/munge/munge.key
        chown munge: /etc/munge/munge.key
        chmod 400 /etc/munge/munge.key
    fi
    (cd / && setpriv --reuid=munge --regid=munge --clear-groups /usr/sbin/munged --force) >/dev/null 2>&1 ||
        cannot "munged does not start"
    touch "$folder/munged.ours"
}

all_idle() { # nodes
    [ "$(sinfo -h -o '%D %t' 2>/dev/null)" = "$1 idle" ]
}

start() { # nodes, cpus per node
    local node
    if [ "$(id -u)" -ne 0 ]; then cannot "the daemons must be started by root"; fi
    for node in slurmctld slurmd sbatch munged setpriv; do
        command -v "$node" >/dev/null || cannot "$node is missing (packages slurm-wlm, munge)"
    done
    write_settings "$1" "$2"
    start_munge
    slurmctld -f "$SLURM_CONF" -c >/dev/null 2>&1 || cannot "slurmctld does not start"
    for node in $(seq 1 "$1"); do
        slurmd -f "$SLURM_CONF" -N "n$node" >/dev/null 2>&1 || cannot "slurmd does not start"
    done
    for _ in $(seq 300); do
        if all_idle "$1"; then return; fi
        sleep 0.1
    done
    cannot "the nodes do not become idle"
}

end_process() { # pid file
    local pid
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    kill "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
}

stop() {
    local file
    scancel --state=running 2>/dev/null || true
    scancel --state=pending 2>/dev/null || true
    for file in "$folder"/run/*.pid; do end_process "$file"; done
    if [ -e "$folder/munged.ours" ]; then end_process /run/munge/munged.pid; fi
    rm -rf "$folder"
}

case $action in
start) start "${3:-1}" "${4:-2}" ;;
stop) stop ;;
*) echo "usage: testbed.sh start|stop FOLDER [NODES CPUS]" >&2 && exit 2 ;;
esac
