#!/usr/bin/env bash
# Runs a command in a Debian in a folder that is the root of a mount namespace of its own, and without this machine's
# network: a program that was only brought there by chroot may make no namespaces of its own.
#
#   enter.sh ROOT COMMAND ...
set -euo pipefail

if [ "${1:-}" != inside ]; then exec unshare --net --mount bash "$0" inside "$@"; fi

root=$2
shift 2
ip link set lo up
mount --rbind "$root" "$root"
mkdir -p "$root/mnt/host"
cd "$root"
pivot_root . mnt/host
cd /
umount -l /mnt/host
rmdir /mnt/host
exec "$@"
