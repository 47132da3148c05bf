#!/bin/sh
# container-image.sh FOLDER ROOT DOCKERFILE: builds the image of a Dockerfile, with its files in FOLDER, and mounts it. ROOT is a
# clean Debian in place of that of a registry; FOLDER/build/package has the package in place of the first stage, which builds
# it. Prints the folder where it is mounted.
set -e
folder=$1 root=$2 dockerfile=$3
build() {
  buildah --root "$folder/storage" --runroot "$folder/run" --storage-driver overlay "$@"
}

base=$(build from scratch)
cp -a "$root/." "$(build mount "$base")"
build commit --quiet --disable-compression --rm "$base" docker.io/library/debian:bookworm-slim > "$folder/base"

sed -n '/^FROM debian:/,$p' "$dockerfile" > "$folder/Dockerfile"
mkdir "$folder/context"
build build --quiet --format docker --isolation chroot --pull-never --build-context "build=$folder/build" \
  --file "$folder/Dockerfile" --tag lectern "$folder/context" > "$folder/image"
build inspect --type image lectern > "$folder/image.json"
build mount "$(build from lectern)"
