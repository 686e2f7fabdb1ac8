#!/usr/bin/env bash
# Boots the systemd of a Debian in a folder, apart from this machine: own processes, mounts, network
# and control groups (version 2, below CGROUP, a folder of the mounted hierarchy that is made here).
#
#   boot.sh ROOT CGROUP
#
# Its first process is a child of this one, which lives as long.
set -euo pipefail

if [ "${3:-}" != inside ]; then
    mkdir "$2"
    echo $$ >"$2/cgroup.procs"
    exec unshare --cgroup --mount --pid --fork --kill-child --net --uts --ipc bash "$0" "$1" "$2" inside
fi

root=$1
mount --make-rprivate /
umount -l "$root/proc" "$root/sys" "$root/dev"
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0 console:5:1; do
    IFS=: read -r name major minor <<<"$device"
    mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ip link set lo up
mkdir -p "$root/mnt/host"
cd "$root"
pivot_root . mnt/host
umount -l /mnt/host
rmdir /mnt/host
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
