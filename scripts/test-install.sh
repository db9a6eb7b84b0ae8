#!/usr/bin/env bash
# Installs Telex in a fresh Debian root with deploy/install.sh, as the Dockerfile and the guide do, and uses it: with a read-only root,
# as the user telex, without capabilities. Needs root, Linux on x64, debootstrap and a build. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in debootstrap unshare setpriv curl; do
  command -v "$program" >/dev/null || { echo "Install $program first." >&2; exit 1; }
done

scratch=$(mktemp -d)
root=$scratch/root
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT

step() { printf '== %s\n' "$1"; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }

step "a fresh Debian"
debootstrap --variant=minbase --include=ca-certificates,libatomic1 bookworm "$root" >"$scratch/debootstrap.log" 2>&1 || { tail -5 "$scratch/debootstrap.log"; exit 1; }
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"

step "Node and npm, as an image of Node has them, with libatomic1"
install -m 0755 "$(node_modules/.bin/node -p process.execPath)" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

step "the packages, packed"
npm run -s pnpm -- -r --filter "./packages/*" pack --pack-destination "$root/src/packed" >/dev/null
cp -a deploy "$root/src/deploy"

step "deploy/install.sh"
inside NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt HOME=/root /src/deploy/install.sh

step "a user and a token, by root for the user telex"
inside telex user add alice --quiet
token=$(inside telex token issue --user 1 --scope chat --expires 1d --quiet)
test "$(stat -c '%U %a' "$root/var/lib/telex" | sed 's/UNKNOWN/telex/')" = "telex 700" || test "$(stat -c %a "$root/var/lib/telex")" = 700
test "$(stat -c %u "$root/var/lib/telex/telex.db")" = "$(inside id -u telex)"

step "commands of root have the settings of the server"
echo 'TELEX_BASE_URL="https://telex.example.org"' >>"$root/etc/telex/telex.env"
inside telex config | grep -q 'https://telex\.example\.org'
inside TELEX_BASE_URL=https://other.example.org telex config | grep -q 'https://other\.example\.org'

step "the server, on a read-only root"
cat >"$scratch/serve" <<END
set -eu
mount --bind "$root" "$root"
mount --bind "$root/var/lib/telex" "$root/var/lib/telex"
mount -o remount,ro,bind "$root"
mount -t tmpfs tmpfs "$root/tmp"
! touch "$root/etc/probe" 2>/dev/null
exec chroot "$root" setpriv --reuid=telex --regid=telex --init-groups --no-new-privs --bounding-set=-all -- \\
  /usr/bin/env -i PATH=/usr/local/bin:/usr/bin TELEX_DATA=/var/lib/telex TELEX_PORT=17700 telex serve --log json
END
unshare --mount --propagation private sh "$scratch/serve" 2>"$scratch/server.log" &
server=$!
url=http://127.0.0.1:17700
until curl -sf "$url/readyz" >/dev/null; do
  kill -0 "$server" 2>/dev/null || { cat "$scratch/server.log"; exit 1; }
done

step "the health check of the image"
health=$(sed -n 's/^ *CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)
test -n "$health"
inside TELEX_PORT=17700 node -e "$health"
if inside TELEX_PORT=1 node -e "$health"; then echo "The health check passes without a server." >&2; exit 1; fi

step "a device gets a text"
api=$url/external/api/v1/teleprinter
call() { curl -sf -H "Authorization: Bearer $token" -H "Content-Type: application/json" "$@"; }
call -d '{"deviceId": "printer", "name": "Printer"}' "$api/register" >/dev/null
call -d '{"deviceId": "printer", "content": "你好"}' "$api/send" >/dev/null
call "$api/poll?deviceId=printer" | grep -q '你好'
curl -sf "$url/user/" | grep -qi '<html'

step "the server stops in order"
kill "$server"
wait "$server"
server=
echo "ok"
