#!/bin/sh
# After an installation or an upgrade: the account, its files, and the service.
set -e
if ! getent passwd kinebase >/dev/null; then
	systemd-sysusers /usr/lib/sysusers.d/kinebase.conf 2>/dev/null ||
		useradd --system --user-group --home-dir /var/lib/kinebase --no-create-home --shell /usr/sbin/nologin kinebase
fi
chgrp kinebase /etc/kinebase/kinebase.env
install -d -m 0700 -o kinebase -g kinebase /var/lib/kinebase
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl enable kinebase.service
	systemctl restart kinebase.service
fi
