#!/usr/bin/env bash
# Builds mediasoup's worker from its source against Debian's libraries, without any download.
# Usage: build.sh SOURCE WORKDIR [stock]    (SOURCE: node_modules/mediasoup/worker)    makes WORKDIR/mediasoup-worker
# stock: without Lectern's changes, for benchmarks
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1
work=$2
variant=${3:-lectern}

prepare() {
  rm -rf "$work"
  mkdir -p "$work"
  cp -r "$source" "$work/source"
  cd "$work/source"
  rm -rf out

  # The worker's libraries come as meson subprojects that would be downloaded. Ours stand in for them and name
  # those that Debian has installed.
  rm subprojects/*.wrap
  cp -r "$here"/subprojects/* subprojects/

  # Debian 12 has meson 1.0.1, which is enough.
  sed -i "s/meson_version: '>= 1.1.0'/meson_version: '>= 1.0.0'/" meson.build

  # The worker's BIO callback looks for BIO_CB_RETURN alone, but OpenSSL adds it to the operation, as a flag. So every
  # control call is answered with 1, also "is kTLS on?", which Debian's OpenSSL asks, and the first DTLS handshake
  # crashes.
  sed -i 's/(operationType == BIO_CB_RETURN)/(operationType \& BIO_CB_RETURN)/' src/RTC/DtlsTransport.cpp
  grep -q 'operationType & BIO_CB_RETURN' src/RTC/DtlsTransport.cpp

  if [ "$variant" != stock ]; then
    patch --strip 1 --fuzz 0 < "$here/tcp-connections.patch"
    patch --strip 1 --fuzz 0 < "$here/aes-gcm.patch"
  fi

  # Files are compiled sixteen at a time: a quarter of the time, because most of it went into reading headers.
  sed -i '1i #pragma once' include/RTC/Codecs/DependencyDescriptor.hpp # the only header without it
  node "$here/unify.mjs" src deps

  meson setup out --buildtype release --unity on --unity-size 16 -Db_ndebug=true -Dms_disable_liburing=true
  meson compile -C out flatbuffers-generator
  touch "$work/prepared"
}

# An interrupted build goes on where it was.
if [ ! -f "$work/prepared" ]; then prepare; fi
cd "$work/source"
nice ninja -C out mediasoup-worker
strip -o "$work/mediasoup-worker" out/mediasoup-worker
