import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import {
  type RetentionDays,
  retainedKinds,
  retentionKindNames,
} from '@keyturn/contract/shared/retention/retained-kinds.ts'
import type { Witness } from './integrations/log-witness/witnesses.ts'
import type { Dkim } from './integrations/smtp/mailer.ts'
import { isLoopback } from './integrations/webhooks/public-address.ts'
import { deskKey } from './modules/dealers/desk/desk.ts'
import type { Retention } from './platform/backup/backup-schedule.ts'
import { requireTls } from './platform/database/connections/require-tls.ts'
import { combineTrust, type TrustProxy } from './platform/http/trusted-proxies.ts'
import { readOrCreateSecret } from './platform/startup/data-folder.ts'
import { readDkimKey } from './platform/startup/dkim-key.ts'
import { type LegalTexts, readLegalTexts } from './platform/startup/legal-texts.ts'
import { requireValidP12 } from './platform/startup/p12-file.ts'
import { derivePushKey, type PushKey, readOrCreatePushKey } from './platform/startup/push-key.ts'
import type { SharedKey } from './platform/startup/shared-keys.ts'
import { StartupError } from './platform/startup/startup-error.ts'
import type { S3Config } from './platform/storage/s3-store.ts'
import { formatUrlHost, type Settings, settings } from './settings.ts'
import { describeError } from './shared/describe-error.ts'

const sampleAddress = 'Sample address, not for mail: 1 Main St, Anytown, CA 90000'
const sampleSupportEmail = 'support@keyturn.example'

/** The dealer that receives every deal without a nearer dealer. */
type DefaultDealer = {
  name: string
  address: string | null
  phone: string | null
  hours: string | null
  webhookUrl: string | null
  webhookSecrets: string[]
  email: string | null
}

export type Config = {
  production: boolean
  host: string
  port: number
  /** The public URL of the pages: the base of links in emails; https makes cookies `Secure`. */
  publicUrl: URL
  /** Number of serving processes of this start, on one port. */
  processes: number
  dataDir: string
  databaseUrl: string | null
  /** Connects as the owner of the tables, if that is not the serving role. */
  databaseOwnerUrl: string | null
  /** The database without the pooler of `databaseUrl`, for work that needs a session. */
  databaseDirectUrl: string | null
  /** Standbys, of which each host is one; null: the primary answers every read. */
  databaseReadUrl: string | null
  /** Pool size of each process; it opens two more connections, to listen and to look for jobs. */
  databaseConnections: number
  sessionSecret: string
  /** The previous session secret, while it is being replaced: it only verifies. */
  oldSessionSecret: string | null
  /** The secret for the key that signs the heads of the evidence log. */
  evidenceKey: string
  /** Cosign the heads of the evidence log. */
  witnesses: readonly Witness[]
  /** Keys that are not configured, shared by all servers of the database. */
  sharedKeys: SharedKey[]
  /** Seals signed PDFs; null: a generated key in the data folder. */
  seal: { p12: string; password: string } | null
  /** The time stamp authority (RFC 3161) for seals; null: they have no time stamp. */
  sealTsa: URL | null
  /** `totpSecret`: the key of an authenticator app (base32); null outside production: no codes. */
  admin: { username: string; password: string; totpSecret: string | null } | null
  smtpUrl: string | null
  mailFrom: string
  dkim: Dkim | null
  /** Provider of the tax rate of a ZIP code; null: the built-in table. */
  taxApi: { url: URL; key: string | null } | null
  /** Storage of photo files; null: below the data folder. */
  s3: S3Config | null
  /** The contact that both parties see once they have signed; unset fields are not displayed. */
  dealer: DefaultDealer
  /** Webhooks may call addresses in a private network, and use plain http. */
  privateWebhooks: boolean
  push: {
    key: PushKey
    subject: string
    /** Further hosts of push services, in addition to the known ones. */
    hosts: readonly string[]
    /** For tests: pushes may go to private networks and over plain http. */
    allowPrivate: boolean
  }
  /** Gets an email when something needs the administrator's attention; null: nobody does. */
  adminEmail: string | null
  /** The operator's postal address, to which people write for paper copies; a sample outside production. */
  contactAddress: string
  /** The support email to which people write, or the postal address without one. */
  supportContact: string
  /** Scheduled backups, at these minutes of the day in UTC; null: none. */
  backup: { folder: string; at: readonly number[]; keep: Retention } | null
  /** Ages in days, after which a job removes rows. */
  retention: RetentionDays
  /** The operator's policy, terms and agreement; null: placeholders and our sample. */
  legalTexts: LegalTexts | null
  /** Null: only samples are shown. */
  testimonialsFile: string | null
  wholesalerSignup: 'approve' | 'open'
  wholesalerEmail: string | null
  demo: boolean
  logLevel: string
  logTo: 'file' | 'stdout'
  rateLimits: boolean
  maxConnections: number
  /** Per client address; proxies are exempt. */
  maxConnectionsPerAddress: number
  /** Served on a separate port, or on the main port with the token; both null: not served. */
  metrics: { port: number | null; host: string; token: string | null }
  /** Destination of spans and the sampling ratio of traces; null: tracing is off. */
  traces: { url: string; headers: Record<string, string>; service: string; ratio: number } | null
  /** Drain time after SIGTERM, in ms. */
  drainMs: number
  /** Null: no proxy is trusted. */
  trustProxy: TrustProxy | null
}

/** The embedded database accepts 50 connections: the rest is for migrations and for operators. */
const embeddedConnections = 42
/** Connections of each process outside its pool: one to listen, one to look for jobs. */
const extraConnections = 2
/** A process with only one connection would deadlock with itself. */
const minPoolSize = 2
const maxEmbeddedProcesses = Math.floor(embeddedConnections / (minPoolSize + extraConnections))

/**
 * Reads all settings. Throws a one-line error that names an invalid setting. `before sharing`: the
 * keys that servers of one database share are neither created nor read.
 */
export function readConfig(env: NodeJS.ProcessEnv, when?: 'before sharing'): Config {
  const parsed = settings.safeParse(env)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new StartupError(`Setting ${issue?.path.join('.')} is invalid: ${issue?.message}`)
  }
  const given = parsed.data
  const production = given.NODE_ENV === 'production'
  const embedded = given.DATABASE_URL === undefined
  if (production) checkProduction(given)
  if (embedded && given.DATABASE_DIRECT_URL !== undefined)
    throw new StartupError('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.')
  if (embedded && given.DATABASE_OWNER_URL !== undefined)
    throw new StartupError('DATABASE_OWNER_URL needs DATABASE_URL, the address of the serving user.')
  if (embedded && given.DATABASE_READ_URL !== undefined)
    throw new StartupError('DATABASE_READ_URL needs DATABASE_URL, the address of the primary.')
  const publicUrl = new URL(given.PUBLIC_URL ?? `http://${openableHost(given.HOST)}:${given.PORT}`)
  const isPublic = production || !isLoopback(publicUrl.hostname) || !isLoopback(formatUrlHost(given.HOST))
  if (given.DEMO === '1' && isPublic)
    throw new StartupError(
      'DEMO=1 is refused in production or on a public address (HOST, PUBLIC_URL), because the demo passwords are published.',
    )
  const processes = processesOf(given)
  const databaseConnections = Math.max(minPoolSize, Math.floor(given.DATABASE_CONNECTIONS / processes))
  if (embedded) checkConnectionCount(processes, databaseConnections)
  const dataDir = resolve(given.DATA_DIR)
  const sessionSecret = given.SESSION_SECRET ?? readOrCreateSecret(dataDir, 'session-secret', 32)
  const sharedKeys = embedded ? [] : sharedKeysOf(given)
  const isShared = (name: SharedKey) => when === 'before sharing' && sharedKeys.includes(name)
  const password =
    given.ADMIN_PASSWORD ?? (embedded ? readOrCreateSecret(dataDir, 'admin-password', 8) : null)
  return {
    production,
    host: given.HOST,
    port: given.PORT,
    publicUrl,
    processes,
    dataDir,
    databaseUrl: databaseAddressOf(given, 'DATABASE_URL'),
    databaseOwnerUrl: databaseAddressOf(given, 'DATABASE_OWNER_URL'),
    databaseDirectUrl: databaseAddressOf(given, 'DATABASE_DIRECT_URL'),
    databaseReadUrl: databaseAddressOf(given, 'DATABASE_READ_URL'),
    databaseConnections,
    sessionSecret,
    oldSessionSecret: given.SESSION_SECRET_OLD ?? null,
    evidenceKey:
      given.EVIDENCE_KEY ?? (isShared('evidence-key') ? '' : readOrCreateSecret(dataDir, 'evidence-key', 32)),
    witnesses: witnessesOf(given),
    sharedKeys,
    seal: sealOf(given),
    sealTsa: given.SEAL_TSA_URL ? new URL(given.SEAL_TSA_URL) : null,
    admin:
      password === null
        ? null
        : {
            username: given.ADMIN_USERNAME,
            password,
            totpSecret: given.ADMIN_TOTP_SECRET?.toUpperCase() ?? null,
          },
    smtpUrl: smtpAddressOf(given),
    mailFrom: given.MAIL_FROM,
    dkim: dkimOf(given),
    taxApi: given.TAX_API_URL ? { url: new URL(given.TAX_API_URL), key: given.TAX_API_KEY ?? null } : null,
    s3: s3Of(given),
    dealer: dealerOf(given, sessionSecret),
    privateWebhooks: given.WEBHOOKS_PRIVATE === 'allow',
    push: pushOf(given, isShared('push-key') ? null : dataDir),
    adminEmail: given.ADMIN_EMAIL ?? null,
    contactAddress: given.CONTACT_ADDRESS ?? sampleAddress,
    supportContact: given.SUPPORT_EMAIL ?? given.CONTACT_ADDRESS ?? sampleSupportEmail,
    backup: backupOf(given),
    retention: retentionOf(given),
    legalTexts: legalTextsOf(given),
    testimonialsFile: given.TESTIMONIALS_FILE === undefined ? null : resolve(given.TESTIMONIALS_FILE),
    wholesalerSignup: given.WHOLESALER_SIGNUP,
    wholesalerEmail: given.WHOLESALER_EMAIL ?? null,
    demo: given.DEMO === undefined ? embedded && !isPublic : given.DEMO === '1',
    logLevel: given.LOG_LEVEL,
    logTo: given.LOG_TO ?? (production ? 'stdout' : 'file'),
    rateLimits: given.RATE_LIMITS === 'on',
    maxConnections: Math.ceil(given.MAX_CONNECTIONS / processes),
    maxConnectionsPerAddress: Math.ceil(given.MAX_CONNECTIONS_PER_ADDRESS / processes),
    metrics: {
      port: given.METRICS_PORT ?? null,
      host: given.METRICS_HOST,
      token: given.METRICS_TOKEN ?? null,
    },
    traces: tracesOf(given),
    drainMs: given.DRAIN_SECONDS * 1000,
    trustProxy: combineTrust(given.TRUST_PROXY ?? null, given.TRUST_PROXY_HOPS),
  }
}

/** Requires TLS for a database on another machine (R-everywhere-55). */
function databaseAddressOf(
  given: Settings,
  name: 'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_READ_URL',
): string | null {
  const address = given[name]
  if (address === undefined || given.DATABASE_TLS === 'optional') return address ?? null
  let secured: string | null
  try {
    secured = requireTls(address)
  } catch (error) {
    throw new StartupError(`Setting ${name} is invalid: ${describeError(error)}`)
  }
  if (secured !== null) return secured
  throw new StartupError(
    `${name} leads to another machine without TLS: remove its sslmode, or set DATABASE_TLS=optional.`,
  )
}

/**
 * Requires TLS for a mail server on another machine. The mailer reads this from the URL, where it
 * overrides `ignoreTLS`.
 */
function smtpAddressOf({ SMTP_URL: address, SMTP_TLS }: Settings): string | null {
  if (address === undefined || SMTP_TLS === 'optional') return address ?? null
  const url = new URL(address)
  if (isLoopback(url.hostname)) return address
  url.searchParams.set('requireTLS', 'true')
  return url.href
}

function processesOf({ SERVER_PROCESSES: processes, DATABASE_URL }: Settings): number {
  if (processes !== 'auto') return processes
  return DATABASE_URL === undefined
    ? Math.min(availableParallelism(), maxEmbeddedProcesses)
    : availableParallelism()
}

function checkConnectionCount(processes: number, each: number): void {
  if (processes * (each + extraConnections) <= embeddedConnections) return
  const [name, max] =
    processes > maxEmbeddedProcesses
      ? ['SERVER_PROCESSES', maxEmbeddedProcesses]
      : ['DATABASE_CONNECTIONS', embeddedConnections - processes * extraConnections]
  throw new StartupError(`Setting ${name} is invalid: must be at most ${max} with the embedded database`)
}

function checkProduction(given: Settings) {
  const needed = [
    'DATABASE_URL',
    'SESSION_SECRET',
    'PUBLIC_URL',
    'ADMIN_PASSWORD',
    'ADMIN_TOTP_SECRET',
    'ADMIN_EMAIL',
    'CONTACT_ADDRESS',
  ] as const
  const missing = needed.filter((name) => given[name] === undefined)
  if (missing.length > 0) throw new StartupError(`NODE_ENV=production needs ${missing.join(', ')}.`)
  if (given.RATE_LIMITS === 'off') throw new StartupError('RATE_LIMITS=off is refused in production.')
  if (given.PUSH_PRIVATE === 'allow') throw new StartupError('PUSH_PRIVATE=allow is refused in production.')
  const url = new URL(given.PUBLIC_URL ?? '')
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new StartupError('PUBLIC_URL must be https in production, or a loopback address.')
  if (given.LEGAL_TEXTS_FOLDER === undefined && given.ALLOW_SAMPLE_TEXTS === '0')
    throw new StartupError(
      'NODE_ENV=production needs LEGAL_TEXTS_FOLDER, with your privacy policy, terms and agreement, or ALLOW_SAMPLE_TEXTS=1 to show samples.',
    )
}

function retentionOf(given: Settings): RetentionDays {
  const days = Object.fromEntries(
    retentionKindNames.map((kind) => [kind, given[retainedKinds[kind].setting]]),
  ) as RetentionDays
  if (days.readNotifications > days.notifications)
    throw new StartupError('READ_NOTIFICATION_RETENTION_DAYS must be at most NOTIFICATION_RETENTION_DAYS.')
  if (days.failedEmailTexts > days.emails)
    throw new StartupError('FAILED_EMAIL_TEXT_RETENTION_DAYS must be at most EMAIL_RETENTION_DAYS.')
  return days
}

function legalTextsOf({ LEGAL_TEXTS_FOLDER: folder }: Settings): LegalTexts | null {
  return folder === undefined ? null : readLegalTexts('LEGAL_TEXTS_FOLDER', resolve(folder))
}

function witnessesOf({ LOG_WITNESSES: witnesses, WEBHOOKS_PRIVATE }: Settings): readonly Witness[] {
  if (WEBHOOKS_PRIVATE === 'refuse' && witnesses?.some(({ url }) => !url.startsWith('https:')))
    throw new StartupError('LOG_WITNESSES must have https:// URLs, unless WEBHOOKS_PRIVATE=allow.')
  return witnesses ?? []
}

function sealOf({ SEAL_P12: path, SEAL_P12_PASSWORD: password = '' }: Settings): Config['seal'] {
  if (path === undefined) return null
  const p12 = resolve(path)
  requireValidP12('SEAL_P12', p12, password)
  return { p12, password }
}

function dkimOf({
  DKIM_DOMAIN: domainName,
  DKIM_SELECTOR: keySelector,
  DKIM_KEY: key,
}: Settings): Dkim | null {
  if (domainName === undefined && keySelector === undefined && key === undefined) return null
  if (domainName === undefined || keySelector === undefined || key === undefined)
    throw new StartupError('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are set together or not at all.')
  return { domainName, keySelector, privateKey: readDkimKey('DKIM_KEY', key) }
}

function pushOf(given: Settings, dataDir: string | null): Config['push'] {
  const { VAPID_PRIVATE_KEY: key, VAPID_SUBJECT, ADMIN_EMAIL, MAIL_FROM, PUBLIC_URL } = given
  const isPublic = PUBLIC_URL?.startsWith('https:') && !isLoopback(new URL(PUBLIC_URL).hostname)
  const address = ADMIN_EMAIL ?? /[^\s<>@]+@[^\s<>@]+/.exec(MAIL_FROM)?.[0]
  return {
    key: pushKey(key, dataDir),
    // Apple's service rejects loopback addresses.
    subject: VAPID_SUBJECT ?? (isPublic ? new URL(PUBLIC_URL ?? '').origin : `mailto:${address}`),
    hosts: given.PUSH_HOSTS ?? [],
    allowPrivate: given.PUSH_PRIVATE === 'allow',
  }
}

function pushKey(given: string | undefined, dataDir: string | null): PushKey {
  if (given !== undefined) return derivePushKey('Setting VAPID_PRIVATE_KEY', given)
  return dataDir === null ? { publicKey: '', privateKey: '' } : readOrCreatePushKey(dataDir)
}

function sharedKeysOf({ EVIDENCE_KEY, VAPID_PRIVATE_KEY, SEAL_P12 }: Settings): SharedKey[] {
  const given = { 'evidence-key': EVIDENCE_KEY, 'push-key': VAPID_PRIVATE_KEY, 'seal.p12': SEAL_P12 }
  return (Object.keys(given) as SharedKey[]).filter((name) => given[name] === undefined)
}

function s3Of(given: Settings): S3Config | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
  if (bucket === undefined) return null
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StartupError('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  const endpoint = given.S3_ENDPOINT === undefined ? null : new URL(given.S3_ENDPOINT)
  return { endpoint, region: given.S3_REGION, bucket, accessKeyId, secretAccessKey }
}

function tracesOf(given: Settings): Config['traces'] {
  const endpoint = given.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return null
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: given.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: given.OTEL_SERVICE_NAME,
    ratio: given.OTEL_TRACES_SAMPLER_ARG,
  }
}

function backupOf({ BACKUP_FOLDER: folder, BACKUP_AT: at, BACKUP_KEEP: keep }: Settings): Config['backup'] {
  return folder === undefined || !at || !keep ? null : { folder: resolve(folder), at, keep }
}

function dealerOf(given: Settings, sessionSecret: string): DefaultDealer {
  const { DEALER_WEBHOOK_URL: webhookUrl = null, DEALER_WEBHOOK_SECRET: webhookSecrets = [] } = given
  if (webhookUrl !== null && webhookSecrets.length === 0)
    throw new StartupError('DEALER_WEBHOOK_URL needs DEALER_WEBHOOK_SECRET.')
  if (webhookUrl !== null && !webhookUrl.startsWith('https:') && given.WEBHOOKS_PRIVATE === 'refuse')
    throw new StartupError('DEALER_WEBHOOK_URL must begin with https://, unless WEBHOOKS_PRIVATE=allow.')
  const deskKeys = [sessionSecret, given.SESSION_SECRET_OLD].flatMap((one) => one ?? []).map(deskKey)
  return {
    name: given.DEALER_NAME,
    address: given.DEALER_ADDRESS ?? null,
    phone: given.DEALER_PHONE ?? null,
    hours: given.DEALER_HOURS ?? null,
    webhookUrl,
    // Without a dealer system the built-in desk receives webhooks.
    webhookSecrets: webhookUrl === null ? [...deskKeys, ...webhookSecrets] : webhookSecrets,
    email: given.DEALER_EMAIL ?? null,
  }
}

/** Returns a host to open: a wildcard address includes localhost. */
function openableHost(host: string): string {
  const { hostname } = new URL(`http://${formatUrlHost(host)}`)
  return hostname === '0.0.0.0' || hostname === '[::]' ? 'localhost' : hostname
}
