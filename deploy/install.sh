#!/bin/sh
# Installs Telex for systemd on this machine, as root: the program in /opt/telex, the user telex, the settings in /etc/telex.
# Arguments: what npm installs. Without them, it installs the command of Telex with its pages. A second run updates the program,
# and leaves settings and data as they are.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "Run this as root." >&2; exit 1; }
command -v npm >/dev/null || { echo "Install Node 22.23, 24.15, 26.10 or newer, with npm, first." >&2; exit 1; }
if [ "$#" = 0 ]; then
  # text: install.sh
  packed=$(cd .. && pwd)/packed
  set -- "$packed"/telex-cli-*.tgz "$packed"/telex-web-*.tgz "$packed"/telex-reference-*.tgz
  [ -e "$1" ] || { echo "Make the packages first, in this checkout and not as root: npm run packed" >&2; exit 1; }
  # /text
fi

mkdir -p /opt/telex
npm install --prefix /opt/telex --omit=dev --no-audit --no-fund "$@"
node=$(command -v node)
"$node" /opt/telex/node_modules/@telex/cli/bin/telex.cjs --version

id telex >/dev/null 2>&1 || useradd --system --user-group --home-dir /var/lib/telex --no-create-home --shell /usr/sbin/nologin telex
install -d -m 0700 -o telex -g telex /var/lib/telex
install -d -m 0750 -o root -g telex /etc/telex
[ -e /etc/telex/telex.env ] || install -m 0600 -o root -g root telex.env /etc/telex/telex.env

# The command of the operator works as the user of the server, with its settings and on its data.
sed "s|/usr/bin/node|$node|" telex-command.sh > /usr/local/bin/telex
chmod 0755 /usr/local/bin/telex

sed "s|/usr/bin/node|$node|" telex.service > /etc/systemd/system/telex.service
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable --now telex
else
  echo "systemd does not run here. Start the server with: telex serve"
fi
