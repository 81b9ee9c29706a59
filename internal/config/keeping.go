package config

import "time"

// keepingSettings say where files are kept, how much, and for how long.
var keepingSettings = []Setting{
	{
		Variable: "KINEBASE_FILES", Default: "the folder files in that of KINEBASE_DATA",
		Meaning: "The folder that motion files and tables are kept in when there is no bucket. Several servers on " +
			"one PostgreSQL must share it.",
		fallback: constant(""),
		set:      setFolder(func(c *Config) *string { return &c.Files }), get: func(c Config) string { return c.Files },
	},
	{
		Variable: "KINEBASE_S3_ENDPOINT",
		Meaning: "An S3 service to keep files in instead of a folder: `https://s3.eu-central-1.amazonaws.com`, or " +
			"`http://HOST:PORT` of one's own. Nothing has to be set up in the bucket.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.S3.Endpoint }),
		get:      func(c Config) string { return c.S3.Endpoint.String() },
	},
	{
		Variable: "KINEBASE_S3_PUBLIC_ENDPOINT",
		Meaning: "Where clients reach the S3 service, when that is another address than the servers': files are " +
			"uploaded straight into the bucket.",
		fallback: constant(""),
		set:      setAddress(func(c *Config) *URL { return &c.S3.PublicEndpoint }),
		get:      func(c Config) string { return c.S3.PublicEndpoint.String() },
	},
	{
		Variable: "KINEBASE_S3_REGION", Default: "us-east-1",
		Meaning:  "The region that requests to the S3 service are signed for.",
		fallback: constant("us-east-1"),
		set:      setText(func(c *Config) *string { return &c.S3.Region }),
		get:      func(c Config) string { return c.S3.Region },
	},
	{
		Variable: "KINEBASE_S3_BUCKET",
		Meaning:  "The bucket, which must be there.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.Bucket }),
		get:      func(c Config) string { return c.S3.Bucket },
	},
	{
		Variable: "KINEBASE_S3_PREFIX",
		Meaning: "What the names of all objects begin with, such as `kinebase/`, when the bucket is not " +
			"Kinebase's alone.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.Prefix }),
		get:      func(c Config) string { return c.S3.Prefix },
	},
	{
		Variable: "KINEBASE_S3_ACCESS_KEY_ID",
		Meaning:  "The access key of the S3 service.",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.S3.AccessKeyID }),
		get:      func(c Config) string { return c.S3.AccessKeyID },
	},
	{
		Variable: "KINEBASE_S3_SECRET_ACCESS_KEY",
		Meaning:  "The secret that belongs to it. It is never shown.",
		fallback: constant(""),
		set:      func(c *Config, value string, _ Source) error { c.S3.SecretKey = Secret{value}; return nil },
		get:      func(c Config) string { return c.S3.SecretKey.String() },
	},
	{
		Variable: "KINEBASE_MAX_UPLOAD", Default: "2GiB",
		Meaning:  "The largest file that is taken: a number of bytes, or one with `KiB`, `MiB` or `GiB`.",
		fallback: constant("2GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.MaxUpload }, 1, 1<<40),
		get:      func(c Config) string { return sizeText(c.MaxUpload) },
	},
	{
		Variable: "KINEBASE_FILE_STORAGE",
		Meaning: "What the files of an organization's captures may take, as they came and with what is made of " +
			"them: a number of bytes, or one with `MiB`, `GiB` or `TiB`. Reservations, uploads and imports of files " +
			"that do not fit are refused; see [Room for files](operate.md#room-for-files). Without it there is " +
			"no bound.",
		fallback: constant(""),
		set:      setFileStorage, get: func(c Config) string { return fileStorageText(c.FileStorage) },
	},
	{
		Variable: "KINEBASE_CHANGES_KEEP", Default: "90d",
		Meaning: "How long a deletion stays in `GET /changes`, as kind, id and time alone, such as `90d` or `36h`. " +
			"A program whose cursor is older than a deletion that has left begins again without one. A deletion that " +
			"a place of backups has not noted yet stays longer; see [Backup](operate.md#backup).",
		fallback: constant("90d"),
		set:      setDays(func(c *Config) *time.Duration { return &c.ChangesKeep }),
		get:      func(c Config) string { return daysText(c.ChangesKeep) },
	},
	{
		Variable: "KINEBASE_EXPORT_STORAGE", Default: "20GiB",
		Meaning: "What the results of an organization's exports may take: 4 KiB for each capture and athlete in " +
			"them, and the files that are kept of them, of which the oldest give way. A request without room for " +
			"one more result is refused.",
		fallback: constant("20GiB"),
		set:      setSize(func(c *Config) *int64 { return &c.ExportStorage }, 1<<20, 1<<50),
		get:      func(c Config) string { return sizeText(c.ExportStorage) },
	},
	{
		Variable: "KINEBASE_AUDIT_KEEP", Default: "400d",
		Meaning: "How long entries of the audit log are kept, such as `400d`; at least a day. See " +
			"[Audit](operate.md#audit).",
		fallback: constant("400d"),
		set:      setAuditKeep, get: func(c Config) string { return daysText(c.AuditKeep) },
	},
	{
		Variable: "KINEBASE_AUDIT_READS", Default: "off",
		Meaning: "`on` has reads of captures, athletes and exports written into the audit log too, one entry for " +
			"each request: a write for each read.",
		fallback: constant("off"),
		set:      setSwitch(func(c *Config) *bool { return &c.AuditReads }),
		get:      func(c Config) string { return switchText(c.AuditReads) },
	},
	{
		Variable: "KINEBASE_AUDIT_STREAM",
		Meaning: "Where entries of the audit log go beside the store: the absolute path of a file, an entry a line " +
			"as JSON, or a syslog server (`syslog+udp://HOST:514`, `syslog+tcp://HOST:601`, " +
			"`syslog+unix:///dev/log`). See [Audit](operate.md#audit).",
		fallback: constant(""),
		set:      setAuditStream, get: func(c Config) string { return c.AuditStream },
	},
	{
		Variable: "KINEBASE_WEBHOOK_PRIVATE", Default: "off",
		Meaning: "`on` lets webhooks be at addresses that are not public: of the server's own machine, also by " +
			"`http://`, and of the networks behind it. A token that may make a webhook can then have the server " +
			"post to anything there; see [Webhooks](webhooks.md#what-the-server-connects-to).",
		fallback: constant("off"),
		set:      setSwitch(func(c *Config) *bool { return &c.WebhookPrivate }),
		get:      func(c Config) string { return switchText(c.WebhookPrivate) },
	},
	{
		Variable: "KINEBASE_BACKUP", Flag: "backup",
		Meaning: "Where backups of the store are: a folder, or `s3://BUCKET/PREFIX` at the service of " +
			"`KINEBASE_S3_ENDPOINT`. With it `serve` makes them by itself and keeps the list of what was erased; see " +
			"[Backup](operate.md#backup).",
		fallback: constant(""),
		set:      setText(func(c *Config) *string { return &c.Backup }), get: func(c Config) string { return c.Backup },
	},
	{
		Variable: "KINEBASE_BACKUP_EVERY", Flag: "every", Default: "1h",
		Meaning:  "How often `serve` makes a backup, such as `10m`. Of several servers on one store, one makes it.",
		fallback: constant("1h"),
		set:      setTime(func(c *Config) *time.Duration { return &c.BackupEvery }),
		get:      func(c Config) string { return timeText(c.BackupEvery) },
	},
	{
		Variable: "KINEBASE_BACKUP_KEEP", Default: "30d",
		Meaning: "How long backups are kept: older ones are removed when another one is finished, with the files " +
			"that only they have. So long what was erased is still in a backup.",
		fallback: constant("30d"),
		set:      setDays(func(c *Config) *time.Duration { return &c.BackupKeep }),
		get:      func(c Config) string { return daysText(c.BackupKeep) },
	},
	{
		Variable: "KINEBASE_SEARCH_MEMORY", Default: "192MiB",
		Meaning: "The memory for the texts by which captures are found and the rows of what is found: about 130 " +
			"bytes for a capture and three for each letter of its file's name, and 100 for an athlete, of the " +
			"organizations that were searched last. Where it is short, indexes go first; what finds no room then is " +
			"read from the database again for each search that was not asked lately. Lists of athletes take as much " +
			"again at the most: about 130 bytes for an athlete, with what its lists are made from; an organization " +
			"whose athletes find no room is listed by the database, which takes longer.",
		fallback: constant("192MiB"),
		set:      setSize(func(c *Config) *int64 { return &c.SearchMemory }, 1<<20, 1<<40),
		get:      func(c Config) string { return sizeText(c.SearchMemory) },
	},
}
