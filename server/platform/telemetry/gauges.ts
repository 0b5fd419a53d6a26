type Description = { help: string; label: string }
const describe = (help: string, label = ''): Description => ({ help, label })

/** Gauges per process; the values of several processes are added. */
export const processGauges = {
  keyturn_pool_connections: describe('Database connections in the pool of this process', 'state'),
  keyturn_pool_waiting: describe('Requests and jobs that wait for a pool connection'),
  keyturn_pool_size: describe('Maximum connections of the pool'),
  keyturn_streams: describe('Open event streams, one for each browser with an open page'),
  keyturn_jobs_running: describe('Jobs that this process is running', 'kind'),
  keyturn_jobs_stalled: describe('1 while this process cannot poll for jobs'),
  keyturn_writes_failing: describe('1 while the database answers this process and rejects its writes'),
  keyturn_read_standbys: describe('Standbys in DATABASE_READ_URL, by whether they answer reads', 'state'),
  keyturn_draining: describe('1 while this process drains'),
} as const

/**
 * Gauges of the database; every process reports the same, so they are not added. Counts stop at
 * `maxGaugeCount`, so that reading stays cheap.
 */
export const databaseGauges = {
  keyturn_jobs_due: describe('Due jobs that wait for a free place, by kind; counted up to 10000', 'kind'),
  keyturn_jobs_oldest_seconds: describe('Seconds that the oldest due job has waited, by kind', 'kind'),
  keyturn_jobs_failing: describe('Failed jobs that will be retried, by kind; counted up to 10000', 'kind'),
  keyturn_mails_waiting: describe('Emails that have not been sent; counted up to 10000'),
  keyturn_mails_oldest_seconds: describe('Seconds that the oldest unsent email has waited'),
  keyturn_mails_given_up: describe('Emails that were given up and are still stored; counted up to 10000'),
  keyturn_deliveries_waiting: describe('Deliveries that dealers have not accepted yet; counted up to 10000'),
  keyturn_deliveries_oldest_seconds: describe('Seconds that the oldest delivery has waited'),
  keyturn_deliveries_parked: describe('Deliveries to dealers that were given up; counted up to 10000'),
  keyturn_deals: describe('Deals, by state', 'state'),
  keyturn_retention_lag_seconds: describe(
    'Seconds by which the oldest row has passed the age at which it is removed, by kind',
    'kind',
  ),
  keyturn_backup_age_seconds: describe('Seconds since the last complete backup'),
  keyturn_standbys: describe('Standbys of the database, by mode; for members of pg_monitor', 'mode'),
  keyturn_standby_lag_bytes: describe('Lag of the slowest standby; for members of pg_monitor'),
  keyturn_read_lag_seconds: describe(
    'Seconds by which a standby in DATABASE_READ_URL is behind at most; above 60 seconds unknown',
    'standby',
  ),
  keyturn_commits_at_risk_bytes: describe(
    'Bytes of acknowledged changes that no standby has, which a failover would lose; for members of pg_monitor',
  ),
  keyturn_synchronous_standby_missing: describe(
    '1 while synchronous_standby_names is set and no such standby is connected; for members of pg_monitor',
  ),
  keyturn_log_uncosigned: describe(
    'Entries of the evidence log that a witness has not cosigned yet, by witness',
    'witness',
  ),
  keyturn_seal_certificate_ends: describe('End of the certificate that seals agreements, as a Unix time'),
  keyturn_disk_free_ratio: describe('Free ratio of the disks with data folder, photos and backups', 'folder'),
} as const

export const maxGaugeCount = 10_000
