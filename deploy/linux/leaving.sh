#!/bin/sh
# Before a removal; deb says "remove", rpm "0". Before an upgrade nothing is done.
set -e
case "${1:-}" in
remove | 0)
	[ ! -d /run/systemd/system ] || systemctl disable --now kinebase.service
	;;
esac
