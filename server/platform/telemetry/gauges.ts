type Description = { help: string; label: string }
const describe = (help: string, label = ''): Description => ({ help, label })

/** Gauges per process; the values of several processes are added. */
export const processGauges = {
  keyturn_pool_connections: describe('Connections to the database in the pool of this process', 'state'),
  keyturn_pool_waiting: describe('Requests and jobs that wait for a connection of the pool'),
  keyturn_pool_size: describe('How many connections the pool opens at most'),
  keyturn_streams: describe('Open event streams, one for each browser with an open page'),
  keyturn_jobs_running: describe('Jobs that this process has in hand', 'kind'),
  keyturn_jobs_stalled: describe('1 while this process cannot look for jobs'),
  keyturn_writes_failing: describe('1 while the database answers this process and rejects its writes'),
  keyturn_draining: describe('1 while this process ends and wants no more visitors'),
} as const

/**
 * Gauges of the database; every process reports the same, so they are not added. Counts stop at
 * `maxCounted`, so that reading stays cheap.
 */
export const databaseGauges = {
  keyturn_jobs_due: describe('Jobs that are due and wait for a place, by kind; counted up to 10000', 'kind'),
  keyturn_jobs_oldest_seconds: describe('Since when the oldest job that is due waits, by kind', 'kind'),
  keyturn_jobs_failing: describe(
    'Jobs that have failed and are tried again, by kind; counted up to 10000',
    'kind',
  ),
  keyturn_mails_waiting: describe('Mails that have not left; counted up to 10000'),
  keyturn_mails_oldest_seconds: describe('Since when the oldest mail that has not left waits'),
  keyturn_mails_given_up: describe('Mails that were given up and are kept; counted up to 10000'),
  keyturn_deliveries_waiting: describe('Deliveries to dealers that were not taken yet; counted up to 10000'),
  keyturn_deliveries_oldest_seconds: describe('Since when the oldest delivery waits'),
  keyturn_deliveries_parked: describe(
    'Deliveries to dealers that were given up and wait for somebody; counted up to 10000',
  ),
  keyturn_deals: describe('Deals, by state', 'state'),
  keyturn_backup_age_seconds: describe('Seconds since the last complete backup'),
  keyturn_standbys: describe('Standbys of the database, by mode; for members of pg_monitor', 'mode'),
  keyturn_standby_lag_bytes: describe('How far the slowest standby is behind; for members of pg_monitor'),
  keyturn_synchronous_standby_missing: describe(
    '1 while synchronous_standby_names is set and no such standby is connected; for members of pg_monitor',
  ),
  keyturn_seal_certificate_ends: describe('When the certificate that seals agreements ends, as a Unix time'),
  keyturn_disk_free_ratio: describe('Free part of the disk of the data folder and of the backups', 'folder'),
} as const

export const maxCounted = 10_000
