#!/bin/sh
# debian-machine.sh ROOT LAYER NAME: boots the Debian in the folder ROOT by systemd, with its changes in the folder LAYER and its
# processes in a cgroup NAME, until the caller is killed. It starts itself a second time in namespaces of its own.
set -e
root=$1 layer=$2 name=$3

if [ -z "$IN_NAMESPACES" ]; then
  mkdir -p "$layer/cgroup" "$layer/upper" "$layer/work" "$layer/machine"
  mount -t cgroup2 cgroup2 "$layer/cgroup"
  mkdir "$layer/cgroup/$name"
  echo $$ > "$layer/cgroup/$name/cgroup.procs"
  export IN_NAMESPACES=1
  exec unshare --mount --cgroup --pid --net --ipc --uts --fork --kill-child "$0" "$@"
fi

machine=$layer/machine
mount -t overlay overlay -o "lowerdir=$root,upperdir=$layer/upper,workdir=$layer/work" "$machine"
mount -t proc proc "$machine/proc"
mount -t sysfs -o ro sysfs "$machine/sys"
mount -t cgroup2 cgroup2 "$machine/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$machine/run"
mount -t tmpfs -o mode=755 tmpfs "$machine/dev"
mkdir "$machine/dev/pts" "$machine/dev/shm" "$machine/run/host"
for device in null zero full random urandom tty; do
  touch "$machine/dev/$device"
  mount --bind "/dev/$device" "$machine/dev/$device"
done
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$machine/dev/pts"
ln -s pts/ptmx "$machine/dev/ptmx"
mount -t tmpfs tmpfs "$machine/dev/shm"
ip link set lo up
hostname lectern-test

cd "$machine"
pivot_root . run/host
exec env -i container=lectern-test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . \
  sh -c 'umount -l /run/host && exec /lib/systemd/systemd --unit=basic.target' > /dev/null 2>&1
