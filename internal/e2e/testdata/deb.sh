#!/bin/sh
# What is typed on a machine that gets the deb: /tmp/kinebase.deb. There is no service manager; the service is started as
# its unit says.
set -eux
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
unit=/usr/lib/systemd/system/kinebase.service settings=/etc/kinebase/kinebase.env data=/var/lib/kinebase

account='setpriv --reuid=kinebase --regid=kinebase --clear-groups'
as() { $account env -i "PATH=$PATH" "$@"; }

# start returns once the server is ready; its address is then in $address.
start() {
	rm -f /tmp/log && mkfifo -m 0622 /tmp/log
	# shellcheck disable=SC2046 # words of settings and of the command
	(cd $data && exec $account env -i "PATH=$PATH" $(sed -n 's/^Environment=//p' $unit) $(grep '^KINEBASE_' $settings) \
		$(sed -n 's/^ExecStart=//p' $unit)) 2>/tmp/log &
	server=$! address=
	exec 3</tmp/log
	set +x
	while read -r line <&3; do
		case $line in
		*'"msg":"listening"'*) address=$(echo "$line" | sed -n 's|.*"url":"http://\([^/"]*\).*|\1|p') ;;
		*'"msg":"ready"'*) break ;;
		esac
	done
	set -x
	[ -n "$address" ]
	cat <&3 >>/tmp/said &
}

stop() { kill -TERM $server && wait $server; }

[ ! -e /usr/bin/kinebase ]
dpkg -i /tmp/kinebase.deb
kinebase version
[ "$(stat -c '%U %G %a' $data)" = 'kinebase kinebase 700' ]
[ "$(stat -c '%U %G %a' $settings)" = 'root kinebase 640' ]
echo 'KINEBASE_LISTEN=127.0.0.1:0' >>$settings
start
kinebase healthcheck --listen "$address"
org=$(as kinebase org create Lab --data $data --quiet)
token=$(as kinebase token create --org "$org" --name try --role viewer --data $data --quiet)
curl -fsS -H "Authorization: Bearer $token" "http://$address/v1/captures" | grep '"total_count":0'
stop

dpkg -i /tmp/kinebase.deb # as an upgrade does: settings and data stay
grep -x 'KINEBASE_LISTEN=127.0.0.1:0' $settings
start
curl -fsS -H "Authorization: Bearer $token" "http://$address/v1/captures" | grep '"total_count":0'
stop

dpkg -r kinebase
[ ! -e /usr/bin/kinebase ]
[ ! -e $unit ]
[ -e $data/kinebase.db ] # it stays, and so do the settings
[ -e $settings ]
