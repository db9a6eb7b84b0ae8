#!/bin/sh
# The command of the operator, as /usr/local/bin/telex. Run by root, it works as the user of the server, with the settings and on the data of
# the server. Variables that are set already stay.
settings=/etc/telex/telex.env
if [ "$(id -u)" = 0 ] && [ -r "$settings" ]; then
  # Read as systemd reads it, and not as a script: a value may be in quotes.
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in TELEX_*=*) ;; *) continue ;; esac
    name=${line%%=*}
    value=${line#*=}
    case $value in
      \"*\") value=${value#?} value=${value%?} ;;
      \'*\') value=${value#?} value=${value%?} ;;
    esac
    printenv "$name" >/dev/null || export "$name=$value"
  done <"$settings"
fi
export TELEX_DATA="${TELEX_DATA:-/var/lib/telex}"
telex=/opt/telex/node_modules/@telex/cli/bin/telex.cjs
[ "$(id -u)" != 0 ] || exec setpriv --reuid=telex --regid=telex --init-groups -- /usr/bin/node "$telex" "$@"
exec /usr/bin/node "$telex" "$@"
