import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { StartRefusal } from './start-refusal.ts'

const empty = (text: unknown) => (text === '' ? undefined : text)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional())
const withDefault = <T extends z.ZodType>(schema: T, value: unknown) =>
  z.preprocess((text) => empty(text) ?? value, schema)

const settings = z.object({
  NODE_ENV: withDefault(z.string(), 'development'),
  HOST: withDefault(z.string(), '127.0.0.1'),
  PORT: withDefault(z.coerce.number().int().min(0).max(65_535), 3000),
  PUBLIC_URL: optional(z.url()),
  DATA_DIR: withDefault(z.string(), './data'),
  DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
  SESSION_SECRET: optional(z.string().min(32, 'must have at least 32 characters')),
  ADMIN_USERNAME: withDefault(z.string().min(3, 'must have at least 3 characters'), 'admin'),
  ADMIN_PASSWORD: optional(z.string().min(8, 'must have at least 8 characters')),
  SMTP_URL: optional(z.string().regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')),
  TAX_API_URL: optional(z.url({ protocol: /^https?$/, error: 'must begin with https:// or http://' })),
  TAX_API_KEY: optional(z.string().max(500)),
  MAIL_FROM: withDefault(z.string(), 'Keyturn <no-reply@keyturn.example>'),
  DEALER_NAME: withDefault(z.string().max(100), 'AutoNation'),
  WHOLESALER_SIGNUP: withDefault(z.enum(['approve', 'open']), 'approve'),
  WHOLESALER_EMAIL: optional(z.email().toLowerCase()),
  DEMO: optional(z.enum(['0', '1'])),
  LOG_LEVEL: withDefault(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']), 'info'),
  RATE_LIMITS: withDefault(z.enum(['on', 'off']), 'on'),
  TRUST_PROXY_HOPS: withDefault(z.coerce.number().int().min(0).max(10), 0),
})

export type Config = {
  production: boolean
  host: string
  port: number
  /** Where people reach the pages: the base of links in mails, and what decides about `Secure` cookies. */
  publicUrl: URL
  dataDir: string
  databaseUrl: string | null
  sessionSecret: string
  admin: { username: string; password: string } | null
  smtpUrl: string | null
  mailFrom: string
  /** Asked for the tax rate of a zip code instead of our own table. */
  taxApi: { url: URL; key: string | null } | null
  dealerName: string
  wholesalerSignup: 'approve' | 'open'
  wholesalerEmail: string | null
  demo: boolean
  logLevel: string
  rateLimits: boolean
  trustProxyHops: number
}

/** Reads every setting once. An unfit one stops the start with one line that names it. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const parsed = settings.safeParse(env)
  if (!parsed.success) {
    const fault = parsed.error.issues[0]
    throw new StartRefusal(`Setting ${fault?.path.join('.')} is unfit: ${fault?.message}`)
  }
  const given = parsed.data
  const production = given.NODE_ENV === 'production'
  const embedded = given.DATABASE_URL === undefined
  if (production) refuseUnfitProduction(given)
  const dataDir = resolve(given.DATA_DIR)
  const secret = (name: string) => keptSecret(dataDir, name)
  const password = given.ADMIN_PASSWORD ?? (embedded ? secret('admin-password') : null)
  return {
    production,
    host: given.HOST,
    port: given.PORT,
    publicUrl: new URL(given.PUBLIC_URL ?? `http://${loopbackName(given.HOST)}:${given.PORT}`),
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    sessionSecret: given.SESSION_SECRET ?? secret('session-secret'),
    admin: password === null ? null : { username: given.ADMIN_USERNAME, password },
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM,
    taxApi: given.TAX_API_URL ? { url: new URL(given.TAX_API_URL), key: given.TAX_API_KEY ?? null } : null,
    dealerName: given.DEALER_NAME,
    wholesalerSignup: given.WHOLESALER_SIGNUP,
    wholesalerEmail: given.WHOLESALER_EMAIL ?? null,
    demo: given.DEMO === undefined ? embedded && !production : given.DEMO === '1',
    logLevel: given.LOG_LEVEL,
    rateLimits: given.RATE_LIMITS === 'on',
    trustProxyHops: given.TRUST_PROXY_HOPS,
  }
}

function refuseUnfitProduction(given: z.output<typeof settings>) {
  const needed = ['DATABASE_URL', 'SESSION_SECRET', 'PUBLIC_URL', 'ADMIN_PASSWORD'] as const
  const missing = needed.filter((name) => given[name] === undefined)
  if (missing.length > 0) throw new StartRefusal(`NODE_ENV=production needs ${missing.join(', ')}.`)
  if (given.RATE_LIMITS === 'off') throw new StartRefusal('RATE_LIMITS=off is refused in production.')
  const url = new URL(given.PUBLIC_URL ?? '')
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new StartRefusal('PUBLIC_URL must be https in production, or a loopback address.')
}

/** A secret of this installation: made once, readable by its owner only, kept beside the embedded database. */
function keptSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    try {
      mkdirSync(dataDir, { recursive: true })
      const made = randomBytes(24).toString('base64url')
      writeFileSync(file, `${made}\n`, { mode: 0o600, flag: 'wx' })
      return made
    } catch (error) {
      throw new StartRefusal(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`)
    }
  }
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

const loopbackName = (host: string) => (host === '0.0.0.0' || host === '::' ? 'localhost' : host)
