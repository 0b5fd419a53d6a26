import { isIPv6 } from 'node:net'
import { type RetentionKind, retainedKinds } from '@keyturn/contract/shared/retention/retained-kinds.ts'
import { splitSecrets, webhookSecrets, webhookUrl } from '@keyturn/contract/shared/webhooks.ts'
import { ScureBase32Plugin } from 'otplib'
import { z } from 'zod'
import { parseWitnesses } from './integrations/log-witness/witnesses.ts'
import { parsePushHosts } from './integrations/web-push/push-hosts.ts'
import { parseBackupTimes, parseRetention } from './platform/backup/backup-schedule.ts'
import { allowsStandbyHosts, splitDatabaseAddress } from './platform/database/connections/database-hosts.ts'
import { parseProxies } from './platform/http/trusted-proxies.ts'
import { logLevels } from './platform/logging/log-level.ts'

const empty = (text: unknown) => (text === '' ? undefined : text)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional())
const withDefault = <T extends z.ZodType>(schema: T, value: string) =>
  z.preprocess((text) => empty(text) ?? value, schema)

const atLeast = (length: number) => z.string().min(length, `must have at least ${length} characters`)
const atMost = (length: number) => z.string().max(length, `must have at most ${length} characters`)
const oneOf = <const Words extends readonly string[]>(...words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` })

const matching = (pattern: RegExp, error: string) => z.string().regex(pattern, error)
/** `read` returns null when the text is invalid. */
const readBy = <T>(read: (text: string) => T | null, error: string) =>
  z
    .string()
    .transform(read)
    .refine((value) => value !== null, error)

function wholeNumber(max: number, min = 0) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((number) => number >= min && number <= max, error)
}

/**
 * A URL that may contain a password. An unescaped `/` or `#` in the login ends the host part early,
 * and the rest would be shown as a path. No message may repeat any of it.
 */
const addressWithLogin = (protocol: RegExp, begins: string) =>
  z
    .string()
    .regex(protocol, { error: `must begin with ${begins}`, abort: true })
    .refine(
      (text) =>
        isDecodable(text) &&
        splitDatabaseAddress(text).every((one) => URL.canParse(one)) &&
        !/^\w+:\/\/[^/?#]*[/?#].*@/.test(text),
      'is not an address (special characters in its user name and password must be percent-encoded, as %2F for /)',
    )

const postgresAddress = addressWithLogin(/^postgres(ql)?:\/\//, 'postgres://')
const databaseAddress = postgresAddress.refine(
  (text) => !allowsStandbyHosts(text),
  'must not ask for a read-only server: target_session_attrs is always read-write',
)

/** RFC 4226 requires 128 bits. */
function isTotpSecret(text: string): boolean {
  try {
    return new ScureBase32Plugin().decode(text).length >= 16
  } catch {
    return false
  }
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/** Parses OpenTelemetry's header format (percent-encoded). Returns null when it is invalid. */
function parseHeaders(text: string): Record<string, string> | null {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(pair))
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (!pair) throw new Error('no pair')
        return [pair[1], decodeURIComponent(pair[2] ?? '')]
      }),
    )
  } catch {
    return null
  }
}

/** Formats a host for a URL: IPv6 in brackets. */
export const formatUrlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

const host = z
  .string()
  .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
  .refine(
    (text) => (isIPv6(text) || /^[\w.-]+$/.test(text)) && URL.canParse(`http://${formatUrlHost(text)}`),
    'must be a host name or an IP address, without a port',
  )

/** Only the origin is used; a path would be dropped silently. */
const origin = z
  .url({ protocol: /^https?$/, error: 'must begin with https:// or http://', abort: true })
  .refine((text) => {
    const url = new URL(text)
    return url.href === `${url.origin}/`
  }, 'must end after the host (and port)')

const hostName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** The age of a kind of rows, after which a job removes them (R-everywhere-69). */
const days = (kind: RetentionKind) =>
  withDefault(wholeNumber(retainedKinds[kind].max, retainedKinds[kind].min), String(retainedKinds[kind].days))

export const settings = z.object({
  NODE_ENV: withDefault(oneOf('development', 'test', 'production'), 'development'),
  HOST: withDefault(host, '127.0.0.1'),
  PORT: withDefault(wholeNumber(65_535), '3000'),
  PUBLIC_URL: optional(origin),
  SERVER_PROCESSES: withDefault(
    matching(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, 'must be auto, or a whole number from 1 to 64').transform(
      (text) => (text === 'auto' ? ('auto' as const) : Number(text)),
    ),
    '1',
  ),
  DATA_DIR: withDefault(z.string(), './data'),
  DATABASE_URL: optional(databaseAddress),
  DATABASE_OWNER_URL: optional(databaseAddress),
  DATABASE_DIRECT_URL: optional(databaseAddress),
  DATABASE_READ_URL: optional(postgresAddress),
  DATABASE_TLS: withDefault(oneOf('required', 'optional'), 'required'),
  DATABASE_CONNECTIONS: withDefault(wholeNumber(200, 2), '10'),
  SESSION_SECRET: optional(atLeast(32)),
  SESSION_SECRET_OLD: optional(atLeast(32)),
  EVIDENCE_KEY: optional(atLeast(32)),
  LOG_WITNESSES: optional(
    readBy(
      parseWitnesses,
      'must be keys and submission URLs of witnesses such as witness.example+1a2b3c4d+BA… https://witness.example/w1, with commas between them',
    ),
  ),
  ADMIN_USERNAME: withDefault(atLeast(3), 'admin'),
  ADMIN_PASSWORD: optional(atLeast(8)),
  ADMIN_TOTP_SECRET: optional(
    atMost(128).refine(isTotpSecret, 'must be a base32 secret of at least 26 characters'),
  ),
  SEAL_P12: optional(atMost(1000)),
  SEAL_P12_PASSWORD: optional(atMost(500)),
  SEAL_TSA_URL: optional(addressWithLogin(/^https?:\/\/./, 'https:// or http://')),
  SMTP_URL: optional(addressWithLogin(/^smtps?:\/\/./, 'smtp:// or smtps://')),
  SMTP_TLS: withDefault(oneOf('required', 'optional'), 'required'),
  TAX_API_URL: optional(z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' })),
  TAX_API_KEY: optional(atMost(500)),
  S3_BUCKET: optional(matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' })),
  S3_REGION: withDefault(atMost(100), 'us-east-1'),
  S3_ACCESS_KEY_ID: optional(atMost(200)),
  S3_SECRET_ACCESS_KEY: optional(atMost(200)),
  MAIL_FROM: withDefault(
    matching(/[^\s<>@]+@[^\s<>@]+/, 'must contain an email address'),
    'Keyturn <no-reply@keyturn.example>',
  ),
  DKIM_DOMAIN: optional(matching(hostName, 'must be a domain such as keyturn.example')),
  DKIM_SELECTOR: optional(matching(hostName, 'must be a selector such as 2026 or mail')),
  DKIM_KEY: optional(atMost(10_000)),
  DEALER_NAME: withDefault(atMost(100), 'AutoNation'),
  DEALER_ADDRESS: optional(atMost(200)),
  DEALER_PHONE: optional(atMost(40)),
  DEALER_HOURS: optional(atMost(100)),
  DEALER_WEBHOOK_URL: optional(webhookUrl),
  DEALER_WEBHOOK_SECRET: optional(webhookSecrets.transform(splitSecrets)),
  DEALER_EMAIL: optional(z.email('must be an email address')),
  WEBHOOKS_PRIVATE: withDefault(oneOf('refuse', 'allow'), 'refuse'),
  VAPID_PRIVATE_KEY: optional(
    matching(
      /^[\w-]{43}$/,
      'must be a private key of 43 characters in base64url, such as `npx web-push generate-vapid-keys` makes',
    ),
  ),
  VAPID_SUBJECT: optional(
    matching(
      /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      'must be mailto: and an address, or an https:// address',
    ),
  ),
  PUSH_HOSTS: optional(
    readBy(
      parsePushHosts,
      'must be host names such as push.example.com or *.example.com, with commas between them',
    ),
  ),
  PUSH_PRIVATE: withDefault(oneOf('refuse', 'allow'), 'refuse'),
  ADMIN_EMAIL: optional(z.email('must be an email address')),
  CONTACT_ADDRESS: optional(
    matching(/^[^\p{Cc}]{10,300}$/u, 'must be a postal address in one line of 10 to 300 characters'),
  ),
  SUPPORT_EMAIL: optional(z.email('must be an email address')),
  LEGAL_TEXTS_FOLDER: optional(atMost(1000)),
  ALLOW_SAMPLE_TEXTS: withDefault(oneOf('0', '1'), '0'),
  TESTIMONIALS_FILE: optional(atMost(1000)),
  WHOLESALER_SIGNUP: withDefault(oneOf('approve', 'open'), 'approve'),
  WHOLESALER_EMAIL: optional(z.email('must be an email address').toLowerCase()),
  DEMO: optional(oneOf('0', '1')),
  BACKUP_FOLDER: optional(atMost(1000)),
  BACKUP_AT: withDefault(
    readBy(parseBackupTimes, 'must be times of day in UTC such as 03:30 or 03:30,15:30'),
    '03:30',
  ),
  BACKUP_KEEP: withDefault(
    readBy(parseRetention, 'must be numbers of days, weeks and months such as 7d 4w 6m'),
    '7d 4w 6m',
  ),
  EMAIL_RETENTION_DAYS: days('emails'),
  FAILED_EMAIL_TEXT_RETENTION_DAYS: days('failedEmailTexts'),
  READ_NOTIFICATION_RETENTION_DAYS: days('readNotifications'),
  NOTIFICATION_RETENTION_DAYS: days('notifications'),
  DELIVERY_TRY_RETENTION_DAYS: days('deliveryTries'),
  RESPONSE_RETENTION_DAYS: days('responses'),
  SIGN_IN_RETENTION_DAYS: days('signIns'),
  EMAIL_CODE_RETENTION_DAYS: days('emailCodes'),
  NETWORK_RETENTION_DAYS: days('knownNetworks'),
  ACCESS_TOKEN_RETENTION_DAYS: days('accessTokens'),
  CONTACT_LOOK_RETENTION_DAYS: days('contactLooks'),
  REPORT_RETENTION_DAYS: days('reports'),
  VIN_ANSWER_RETENTION_DAYS: days('vinAnswers'),
  LOG_LEVEL: withDefault(oneOf(...logLevels), 'info'),
  LOG_TO: optional(oneOf('file', 'stdout')),
  RATE_LIMITS: withDefault(oneOf('on', 'off'), 'on'),
  MAX_CONNECTIONS: withDefault(wholeNumber(1_000_000), '5000'),
  MAX_CONNECTIONS_PER_ADDRESS: withDefault(wholeNumber(1_000_000, 1), '250'),
  METRICS_PORT: optional(wholeNumber(65_535)),
  METRICS_HOST: withDefault(host, '127.0.0.1'),
  METRICS_TOKEN: optional(matching(/^[\x21-\x7e]{16,500}$/, 'must have 16 to 500 characters without spaces')),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    z
      .url({ protocol: /^https?$/, error: 'must begin with https:// or http://', abort: true })
      .refine((text) => !/[?#@]/.test(text), 'must contain neither a login nor a query'),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    readBy(parseHeaders, 'must be names and values such as api-key=abc, with commas between them'),
  ),
  OTEL_SERVICE_NAME: withDefault(atMost(100), 'keyturn'),
  OTEL_TRACES_SAMPLER_ARG: withDefault(
    matching(/^(0(\.\d{1,6})?|1(\.0+)?)$/, 'must be a number from 0 to 1 such as 0.1').transform(Number),
    '1',
  ),
  DRAIN_SECONDS: withDefault(wholeNumber(300), '0'),
  TRUST_PROXY: optional(
    readBy(
      parseProxies,
      'must be IP addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal; with commas between them',
    ),
  ),
  TRUST_PROXY_HOPS: withDefault(wholeNumber(10), '0'),
})

export type Settings = z.output<typeof settings>
