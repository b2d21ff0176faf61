#!/bin/sh
# Starts one role of guise in the place of this shell, so that signals reach it. Anything else is a command of `guise`.
set -eu
cd "$(dirname "$0")/.."
main=packages/server/src/main
case "${1:-all}" in
  all) exec node launch.cjs "$main/all-in-one.ts" ;;
  api) exec node launch.cjs "$main/server.ts" ;;
  worker) exec node launch.cjs "$main/worker.ts" ;;
  migrate) exec node launch.cjs "$main/migrate.ts" ;;
  *) exec node packages/cli/bin/guise.cjs "$@" ;;
esac
