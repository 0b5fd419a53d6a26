type Words = { help: string; label: string }
const words = (help: string, label = ''): Words => ({ help, label })

/** Gauges per process; the values of several processes are added. */
export const processGauges = {
  keyturn_pool_connections: words('Connections to the database in the pool of this process', 'state'),
  keyturn_pool_waiting: words('Requests and jobs that wait for a connection of the pool'),
  keyturn_pool_size: words('How many connections the pool opens at most'),
  keyturn_streams: words('Open event streams, one for each browser with an open page'),
  keyturn_jobs_running: words('Jobs that this process has in hand', 'kind'),
  keyturn_jobs_stalled: words('1 while this process cannot look for jobs'),
  keyturn_writes_failing: words('1 while the database answers this process and rejects its writes'),
  keyturn_draining: words('1 while this process ends and wants no more visitors'),
} as const

/**
 * Gauges of the database; every process reports the same, so they are not added. Counts stop at
 * `mostCounted`, so that reading stays cheap.
 */
export const databaseGauges = {
  keyturn_jobs_due: words('Jobs that are due and wait for a place, by kind; counted up to 10000', 'kind'),
  keyturn_jobs_oldest_seconds: words('Since when the oldest job that is due waits, by kind', 'kind'),
  keyturn_jobs_failing: words(
    'Jobs that have failed and are tried again, by kind; counted up to 10000',
    'kind',
  ),
  keyturn_mails_waiting: words('Mails that have not left; counted up to 10000'),
  keyturn_mails_oldest_seconds: words('Since when the oldest mail that has not left waits'),
  keyturn_mails_given_up: words('Mails that were given up and are kept; counted up to 10000'),
  keyturn_deliveries_waiting: words('Deliveries to dealers that were not taken yet; counted up to 10000'),
  keyturn_deliveries_oldest_seconds: words('Since when the oldest delivery waits'),
  keyturn_deliveries_parked: words(
    'Deliveries to dealers that were given up and wait for somebody; counted up to 10000',
  ),
  keyturn_deals: words('Deals, by state', 'state'),
  keyturn_backup_age_seconds: words('Seconds since the last complete backup'),
  keyturn_standbys: words('Standbys of the database, by mode; for members of pg_monitor', 'mode'),
  keyturn_standby_lag_bytes: words('How far the slowest standby is behind; for members of pg_monitor'),
  keyturn_synchronous_standby_missing: words(
    '1 while synchronous_standby_names is set and no such standby is connected; for members of pg_monitor',
  ),
  keyturn_seal_certificate_ends: words('When the certificate that seals agreements ends, as a Unix time'),
  keyturn_disk_free_ratio: words('Free part of the disk of the data folder and of the backups', 'folder'),
} as const

export const mostCounted = 10_000
