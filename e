initdb: warning: enabling "trust" authentication for local connections
initdb: hint: You can change this by editing pg_hba.conf or using the option -A, or --auth-local and --auth-host, the next time you run initdb.
2026-11-21 11:26:14.546 UTC [1] LOG:  starting PostgreSQL 17.11 (Debian 17.11-0+deb13u1) on x86_64-pc-linux-gnu, compiled by gcc (Debian 14.2.0-19) 14.2.0, 64-bit
2026-11-21 11:26:14.547 UTC [1] LOG:  listening on IPv4 address "0.0.0.0", port 5432
2026-11-21 11:26:14.547 UTC [1] LOG:  listening on IPv6 address "::", port 5432
2026-11-21 11:26:14.548 UTC [1] LOG:  listening on Unix socket "/var/run/postgresql/.s.PGSQL.5432"
2026-11-21 11:26:14.551 UTC [37] LOG:  database system was shut down at 2026-11-21 11:26:14 UTC
2026-11-21 11:26:14.562 UTC [1] LOG:  database system is ready to accept connections
2026-11-21 11:26:16.084 UTC [42] ERROR:  unrecognized configuration parameter "lc_collate"
2026-11-21 11:26:16.084 UTC [42] STATEMENT:  show lc_collate
2026-11-21 11:26:16.481 UTC [44] FATAL:  password authentication failed for user "postgres"
2026-11-21 11:26:16.481 UTC [44] DETAIL:  Connection matched file "/var/lib/postgresql/data/pg_hba.conf" line 127: "host all all all scram-sha-256"
