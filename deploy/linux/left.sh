#!/bin/sh
# After a removal. Data and account stay: to remove them is for people to decide.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
