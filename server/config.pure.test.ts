import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLegalTexts } from '../tests/support/legal-texts.ts'
import { createTestFolder } from '../tests/support/server-process.ts'
import { readConfig } from './config.ts'
import { StartupError } from './platform/startup/startup-error.ts'
import { settings } from './settings.ts'

const secret = 's'.repeat(32)
const CONTACT_ADDRESS = '100 Main Street, Springfield, IL 62701'
/** Settings that need no files on disk. */
const complete = {
  DATABASE_URL: 'postgres://keyturn:sesame@db.example:5432/keyturn',
  SESSION_SECRET: secret,
  ADMIN_PASSWORD: 'open sesame 42',
}
/** What only production requires, besides its addresses. */
const administration = {
  ADMIN_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  ADMIN_EMAIL: 'operator@keyturn.example',
}

test('lists every setting in .env.example, and no setting that was removed', () => {
  const lines = readFileSync(new URL('../.env.example', import.meta.url), 'utf8').split('\n')
  const named = lines.flatMap((line) => /^(?:# )?([A-Z0-9_]+)=/.exec(line)?.[1] ?? [])
  expect(named.sort()).toEqual(Object.keys(settings.shape).sort())
})

const unfit: Record<string, readonly string[]> = {
  PORT: ['http', ' ', '65536', '-1'],
  HOST: ['my host', 'http://localhost', 'localhost:3000', '1.2.3.4.5'],
  PUBLIC_URL: [
    'localhost:3000',
    'keyturn.example',
    'ftp://keyturn.example',
    'https://keyturn.example/cars',
    'https://sesame@keyturn.example',
  ],
  DATABASE_URL: [
    'mysql://db.example/keyturn',
    'postgres://keyturn:ses/ame@db.example/keyturn',
    'postgres://keyturn:12/sesame@db.example/keyturn',
    'postgres://keyturn:12#sesame@db.example/keyturn',
    'postgres://keyturn:sesame%zz@db.example/keyturn',
    'postgres://keyturn:sesame@db.example:99999/keyturn',
    'postgres://keyturn:sesame@db.example:5432,other.example:99999/keyturn',
    'postgres://db.example,other.example/keyturn?target_session_attrs=any',
  ],
  DATABASE_CONNECTIONS: ['1', '201', 'many'],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    'collector:4318',
    'grpc://collector:4317',
    'http://keyturn:sesame@collector:4318',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: ['sesame', 'api-key=sesame%zz'],
  OTEL_TRACES_SAMPLER_ARG: ['2', 'half'],
  SERVER_PROCESSES: ['0', '65', '1.5', 'all'],
  SESSION_SECRET: ['sesame'],
  LOG_WITNESSES: [
    'https://witness.example',
    'witness.example+283095ee+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB',
    'witness.example+00000000+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB https://witness.example',
  ],
  ADMIN_USERNAME: ['me'],
  ADMIN_PASSWORD: ['sesame'],
  ADMIN_TOTP_SECRET: ['JBSWY3DP', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PX1'],
  SEAL_P12: ['/no/such/file.p12', import.meta.filename],
  SMTP_URL: ['mail.example', 'smtp://keyturn:12/sesame@mail.example'],
  SMTP_TLS: ['off'],
  DATABASE_TLS: ['off'],
  PUSH_HOSTS: ['https://push.example'],
  MAIL_FROM: ['Keyturn'],
  DKIM_DOMAIN: ['not a domain'],
  DKIM_SELECTOR: ['two words'],
  VAPID_PRIVATE_KEY: ['sesame', '_'.repeat(43)],
  VAPID_SUBJECT: ['me'],
  SEAL_TSA_URL: ['tsa.example', 'https://', 'https://me:100%@tsa.example'],
  TAX_API_URL: ['tax.example'],
  METRICS_PORT: ['metrics'],
  METRICS_HOST: ['localhost:9464'],
  METRICS_TOKEN: ['sesame', 'two words, and sixteen characters'],
  DRAIN_SECONDS: ['301'],
  MAX_CONNECTIONS_PER_ADDRESS: ['0'],
  TAX_API_KEY: ['x'.repeat(501)],
  S3_BUCKET: ['My Bucket'],
  S3_ENDPOINT: ['s3.example'],
  DEALER_NAME: ['x'.repeat(101)],
  ALLOW_SAMPLE_TEXTS: ['yes'],
  WHOLESALER_SIGNUP: ['closed'],
  WHOLESALER_EMAIL: ['victor'],
  CONTACT_ADDRESS: ['nowhere', '100 Main Street\nSpringfield', 'x'.repeat(301)],
  DEMO: ['yes'],
  LOG_LEVEL: ['loud'],
  RATE_LIMITS: ['0'],
  TRUST_PROXY: ['1', '10.0.0.0/33'],
  TRUST_PROXY_HOPS: ['11'],
}
const unfitOnes = Object.entries(unfit).flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
)

test.each(unfitOnes)(
  'rejects %s=%s in one line that names the setting and does not print a password',
  (name, value) => {
    const line = refusalOf({ ...complete, [name]: value })
    expect(line).toMatch(new RegExp(`^Setting ${name} is invalid: (must|is) .+$`))
    expect(line).not.toContain('sesame')
  },
)

test('requires a domain, a selector and a key for DKIM or none of them, and never prints a key', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const file = join(createTestFolder(), 'dkim.pem')
  writeFileSync(file, pem)
  const named = { ...complete, DKIM_DOMAIN: 'keyturn.example', DKIM_SELECTOR: '2026' }
  expect(readConfig(complete).dkim).toBeNull()
  for (const DKIM_KEY of [file, pem, pem.replaceAll('\n', '\\n')])
    expect(readConfig({ ...named, DKIM_KEY }).dkim).toEqual({
      domainName: 'keyturn.example',
      keySelector: '2026',
      privateKey: pem,
    })
  for (const some of [named, { ...complete, DKIM_KEY: file }, { ...complete, DKIM_SELECTOR: 'mail' }])
    expect(refusalOf(some)).toBe('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY are set together or not at all.')
  const bare = pem.replace(/-----.*-----|\n/g, '')
  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const DKIM_KEY of ['/no/such/key.pem', bare, other, pem.slice(0, 200)]) {
    const line = refusalOf({ ...named, DKIM_KEY })
    expect(line).toMatch(/^Setting DKIM_KEY is invalid: must be an RSA key .+$/)
    expect(line).not.toContain(DKIM_KEY.slice(40, 60) || 'nothing')
  }
})

test.each([
  ['::1', 'http://[::1]:3000'],
  ['[::1]', 'http://[::1]:3000'],
  ['::', 'http://localhost:3000'],
  ['0.0.0.0', 'http://localhost:3000'],
  ['192.168.1.5', 'http://192.168.1.5:3000'],
  ['my-machine.local', 'http://my-machine.local:3000'],
  ['', 'http://127.0.0.1:3000'],
])('makes HOST=%s reachable at %s', (HOST, reached) => {
  const config = readConfig({ ...complete, HOST })
  expect(config.publicUrl.origin).toBe(reached)
  expect(config.host).not.toContain('[')
})

test.each([
  'postgres://keyturn:ses%2Fame%23@db.example/keyturn?sslmode=verify-full',
  'postgresql://keyturn@%2Fvar%2Frun%2Fpostgresql:5432/keyturn',
  'postgres:///keyturn?host=/var/run/postgresql',
  'postgres://keyturn:ses%2Came@localhost:5432,[::1]:5433,%2Frun%2Fpostgresql/keyturn?target_session_attrs=read-write',
])('accepts DATABASE_URL=%s', (DATABASE_URL) => {
  expect(readConfig({ ...complete, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

// R-everywhere-55
test.each([
  ['postgres://keyturn@db.example/keyturn', '?'],
  ['postgres://keyturn@192.0.2.7/keyturn', '?'],
  ['postgres://keyturn@localhost.example/keyturn', '?'],
  ['postgres://keyturn@[2001:db8::1]:5432/keyturn', '?'],
  ['postgres://keyturn@127.0.0.1:5432,db.example:5432/keyturn', '?'],
  ['postgres:///keyturn?host=db.example', '&'],
  ['postgres://keyturn@localhost/keyturn?host=db.example', '&'],
  ['postgres://db1,db2/keyturn?target_session_attrs=read-write', '&'],
])('verifies the certificate of the other machine that %s leads to', (address, sign) => {
  const secured = `${address}${sign}sslmode=verify-full`
  expect(readConfig({ ...complete, DATABASE_URL: address }).databaseUrl).toBe(secured)
  const direct = { ...complete, DATABASE_OWNER_URL: address, DATABASE_DIRECT_URL: address }
  expect(readConfig(direct)).toMatchObject({ databaseOwnerUrl: secured, databaseDirectUrl: secured })
  const optional = { ...complete, DATABASE_URL: address, DATABASE_TLS: 'optional' }
  expect(readConfig(optional).databaseUrl).toBe(address)
})

// R-everywhere-55
test.each([
  'postgres://keyturn@localhost/keyturn',
  'postgres://keyturn@127.0.0.2,[::1]:5433/keyturn',
  'postgres:///keyturn?host=/run/postgresql',
  'postgres://keyturn@db.example/keyturn?sslmode=no-verify',
  'postgres://keyturn@db.example/keyturn?ssl=true',
  'postgres://keyturn@localhost/keyturn?sslmode=disable',
])('leaves %s unchanged', (DATABASE_URL) => {
  expect(readConfig({ ...complete, DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

// R-everywhere-55
test.each(['sslmode=disable', 'sslmode=disable&sslrootcert=/dev/null', 'ssl=0'])(
  'rejects a remote address with %s unless DATABASE_TLS is optional',
  (without) => {
    const DATABASE_URL = `postgres://keyturn:sesame@127.0.0.1,db.example/keyturn?${without}`
    expect(refusalOf({ ...complete, DATABASE_URL })).toBe(
      'DATABASE_URL leads to another machine without TLS: remove its sslmode, or set DATABASE_TLS=optional.',
    )
    const optional = { ...complete, DATABASE_URL, DATABASE_TLS: 'optional' }
    expect(readConfig(optional).databaseUrl).toBe(DATABASE_URL)
  },
)

test('names the missing certificate file in the startup error', () => {
  const DATABASE_URL = 'postgres://keyturn:sesame@db.example/keyturn?sslrootcert=/no/ca.pem'
  expect(refusalOf({ ...complete, DATABASE_URL })).toMatch(
    /^Setting DATABASE_URL is invalid: ENOENT.*no\/ca\.pem/,
  )
})

// R-everywhere-55
test.each([
  ['smtp://me:ses%2Fame@mail.example:587', 'smtp://me:ses%2Fame@mail.example:587?requireTLS=true'],
  ['smtp://192.0.2.7', 'smtp://192.0.2.7?requireTLS=true'],
  [
    'smtp://mail.example?ignoreTLS=true&requireTLS=false',
    'smtp://mail.example?ignoreTLS=true&requireTLS=true',
  ],
  ['smtps://mail.example?pool=true', 'smtps://mail.example?pool=true&requireTLS=true'],
  ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:25'],
  ['smtp://[::1]:25', 'smtp://[::1]:25'],
  ['smtp://LocalHost:25', 'smtp://LocalHost:25'],
])('turns SMTP_URL=%s into %s, and leaves it unchanged when TLS is optional', (SMTP_URL, smtpUrl) => {
  expect(readConfig({ ...complete, SMTP_URL }).smtpUrl).toBe(smtpUrl)
  expect(readConfig({ ...complete, SMTP_URL, SMTP_TLS: 'optional' }).smtpUrl).toBe(SMTP_URL)
})

test('limits a pool to between 2 and 200 connections, and to 40 on the embedded database', () => {
  expect(readConfig(complete).databaseConnections).toBe(10)
  for (const most of [2, 200])
    expect(readConfig({ ...complete, DATABASE_CONNECTIONS: String(most) }).databaseConnections).toBe(most)
  const embedded = { DATA_DIR: createTestFolder() }
  expect(readConfig({ ...embedded, DATABASE_CONNECTIONS: '40' }).databaseConnections).toBe(40)
  expect(refusalOf({ ...embedded, DATABASE_CONNECTIONS: '41' })).toMatch(
    /^Setting DATABASE_CONNECTIONS is invalid: /,
  )
})

// R-everywhere-45
test('divides a start’s limits among its processes, with enough for each', () => {
  const of = (SERVER_PROCESSES: string, more: object = {}) => {
    const { processes, databaseConnections, maxConnections } = readConfig({
      ...complete,
      SERVER_PROCESSES,
      ...more,
    })
    return [processes, databaseConnections, maxConnections]
  }
  expect(of('')).toEqual([1, 10, 5000])
  expect(of('2')).toEqual([2, 5, 2500])
  expect(of('3')).toEqual([3, 3, 1667])
  expect(of('64')).toEqual([64, 2, 79])
  expect(of('auto')[0]).toBe(availableParallelism())
  const embedded = { DATABASE_URL: '', DATA_DIR: createTestFolder() }
  expect(of('10', embedded)).toEqual([10, 2, 500])
  expect(of('auto', embedded)[0]).toBe(Math.min(10, availableParallelism()))
  expect(refusalOf({ ...complete, ...embedded, SERVER_PROCESSES: '11' })).toBe(
    'Setting SERVER_PROCESSES is invalid: must be at most 10 with the embedded database',
  )
  const many = { ...complete, ...embedded, SERVER_PROCESSES: '4' }
  expect(readConfig({ ...many, DATABASE_CONNECTIONS: '34' }).databaseConnections).toBe(8)
  expect(refusalOf({ ...many, DATABASE_CONNECTIONS: '36' })).toBe(
    'Setting DATABASE_CONNECTIONS is invalid: must be at most 34 with the embedded database',
  )
})

// R-deals-109
test('reads witnesses by key and URL, and requires https of them', () => {
  const key = 'witness.example+283095ee+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB'
  const LOG_WITNESSES = `${key} https://witness.example/w1/`
  expect(readConfig({ ...complete, LOG_WITNESSES }).witnesses).toEqual([
    { name: 'witness.example', verifier: key, url: 'https://witness.example/w1' },
  ])
  expect(readConfig(complete).witnesses).toEqual([])
  const plain = LOG_WITNESSES.replace('https', 'http')
  expect(refusalOf({ ...complete, LOG_WITNESSES: plain })).toContain('WEBHOOKS_PRIVATE=allow')
  expect(refusalOf({ ...complete, LOG_WITNESSES: `${LOG_WITNESSES}, ${LOG_WITNESSES}` })).toContain(
    'is invalid',
  )
})

test('requires a pooler URL with a direct one', () => {
  const DATABASE_DIRECT_URL = 'postgres://keyturn:sesame@localhost/keyturn'
  expect(readConfig({ ...complete, DATABASE_DIRECT_URL }).databaseDirectUrl).toBe(DATABASE_DIRECT_URL)
  expect(
    refusalOf({ ...complete, DATABASE_URL: '', DATABASE_DIRECT_URL, DATA_DIR: createTestFolder() }),
  ).toBe('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.')
})

// R-everywhere-55, R-everywhere-76
test('requires a primary and TLS for standbys that answer reads', () => {
  const readUrlOf = (DATABASE_READ_URL: string) =>
    readConfig({ ...complete, DATABASE_READ_URL }).databaseReadUrl
  expect(readConfig(complete).databaseReadUrl).toBeNull()
  expect(
    readUrlOf('postgres://keyturn@127.0.0.1:5442,127.0.0.1:5443/keyturn?target_session_attrs=any'),
  ).toMatch(/=any$/)
  expect(readUrlOf('postgres://keyturn@db2.example/keyturn')).toMatch(/\?sslmode=verify-full$/)
  const refusals = [
    { DATABASE_READ_URL: 'db2:5432' },
    { DATABASE_READ_URL: 'postgres://keyturn@db2.example/keyturn?sslmode=disable' },
    { DATABASE_READ_URL: 'postgres://localhost/keyturn', DATABASE_URL: '', DATA_DIR: createTestFolder() },
  ].map((settings) => refusalOf({ ...complete, ...settings }))
  expect(refusals).toEqual([
    'Setting DATABASE_READ_URL is invalid: must begin with postgres://',
    'DATABASE_READ_URL leads to another machine without TLS: remove its sslmode, or set DATABASE_TLS=optional.',
    'DATABASE_READ_URL needs DATABASE_URL, the address of the primary.',
  ])
})

// R-everywhere-25
test('requires secrets, https and limits in production', () => {
  const production = {
    ...complete,
    ...administration,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://keyturn.example',
    CONTACT_ADDRESS,
    ALLOW_SAMPLE_TEXTS: '1',
  }
  expect(readConfig(production)).toMatchObject({ production: true, demo: false })
  expect(refusalOf({ NODE_ENV: 'production' })).toBe(
    'NODE_ENV=production needs DATABASE_URL, SESSION_SECRET, PUBLIC_URL, ADMIN_PASSWORD, ADMIN_TOTP_SECRET, ADMIN_EMAIL, CONTACT_ADDRESS.',
  )
  expect(refusalOf({ ...production, PUBLIC_URL: 'http://keyturn.example' })).toContain('https')
  expect(refusalOf({ ...production, RATE_LIMITS: 'off' })).toContain('RATE_LIMITS=off')
  expect(refusalOf({ ...production, PUSH_PRIVATE: 'allow' })).toContain('PUSH_PRIVATE=allow')
  expect(readConfig({ ...production, PUBLIC_URL: 'http://[::1]:3000' }).publicUrl.port).toBe('3000')
})

// R-deals-115
test('requires a postal address in production, and shows a labeled sample elsewhere', () => {
  expect(readConfig(complete).contactAddress).toMatch(/^Sample address, not for mail: /)
  const production = {
    ...complete,
    ...administration,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://keyturn.example',
  }
  expect(refusalOf({ ...production, ALLOW_SAMPLE_TEXTS: '1' })).toBe(
    'NODE_ENV=production needs CONTACT_ADDRESS.',
  )
  expect(readConfig({ ...production, ALLOW_SAMPLE_TEXTS: '1', CONTACT_ADDRESS }).contactAddress).toBe(
    CONTACT_ADDRESS,
  )
})

// R-accounts-62
test('names an email address, or the postal address, to which suspended people can write', () => {
  expect(readConfig(complete).supportContact).toBe('support@keyturn.example')
  expect(readConfig({ ...complete, CONTACT_ADDRESS }).supportContact).toBe(CONTACT_ADDRESS)
  const SUPPORT_EMAIL = 'help@keyturn.example'
  expect(readConfig({ ...complete, CONTACT_ADDRESS, SUPPORT_EMAIL }).supportContact).toBe(SUPPORT_EMAIL)
})

// R-everywhere-61
test('requires legal texts or the permission to show samples in production', () => {
  const production = {
    ...complete,
    ...administration,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://keyturn.example',
    CONTACT_ADDRESS,
  }
  expect(refusalOf(production)).toBe(
    'NODE_ENV=production needs LEGAL_TEXTS_FOLDER, with your privacy policy, terms and agreement, or ALLOW_SAMPLE_TEXTS=1 to show samples.',
  )
  const { legalTexts } = readConfig({ ...production, LEGAL_TEXTS_FOLDER: createLegalTexts() })
  expect(legalTexts).toEqual({
    privacy: { title: 'Our Privacy', opening: [], sections: [section('Data', 'We store your name.')] },
    terms: {
      title: 'Our Terms',
      opening: ['Read these first.'],
      sections: [section('Use', 'Be kind.', 'Be honest.')],
    },
    agreement: {
      textVersion: 'own2-79a455f5d36f9a94',
      words: {
        title: 'Our Agreement',
        exclusivity: 'The car is held for 72 hours.',
        sections: [section('Condition', 'Sold as is.'), section('Law', 'Maine’s law applies.')],
      },
    },
  })
})

const section = (title: string, ...paragraphs: string[]) => ({ title, paragraphs })

// R-everywhere-61
test.each([
  ['terms.txt', '', 'must begin with "# " and its title'],
  ['terms.txt', 'Terms\n\n## Use\n\nBe kind.', 'must begin with "# " and its title'],
  [
    'privacy.txt',
    '# Privacy\n\nWe store your name.',
    'needs sections, each with "## ", its title and a paragraph',
  ],
  ['privacy.txt', '# Privacy\n\n## Data\n', 'needs sections, each with "## ", its title and a paragraph'],
  [
    'agreement.txt',
    '# Agreement\n\nThe car is held.\n\n## Law\n\nMaine’s.',
    'needs exactly one paragraph before its first section, about the 72 hours',
  ],
  ['agreement.txt', `# ${'x'.repeat(100_000)}`, 'has more than 100000 characters'],
  ['agreement.txt', null, 'cannot be read (ENOENT)'],
  ['privacy.txt', Buffer.from('# Voil\xe0', 'latin1'), 'cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA)'],
  ['terms.txt', '# Terms\n\n## Use\n\nBe kind.\n\n### More', 'has an unknown heading: ### More'],
  [
    'agreement.txt',
    '# A\n\nHeld for 72 hours.\n\n## Law\n\n\u2610 Maine’s.',
    'has U+2610, which the PDF cannot show',
  ],
])('reports what is wrong with %s in one line', (name, text, fault) => {
  const folder = createLegalTexts({ [name]: text })
  expect(refusalOf({ ...complete, LEGAL_TEXTS_FOLDER: folder })).toBe(
    `Setting LEGAL_TEXTS_FOLDER is invalid: must be a folder with privacy.txt, terms.txt and agreement.txt; ${name} ${fault}`,
  )
})

test('creates secrets once, in a folder and files that only their owner can read', () => {
  const DATA_DIR = join(createTestFolder(), 'new', 'data')
  const made = readConfig({ DATA_DIR })
  expect(made.sessionSecret.length).toBeGreaterThanOrEqual(32)
  expect(made.admin?.password.length).toBeGreaterThanOrEqual(16)
  expect(modeOf(DATA_DIR)).toBe(0o700)
  const files = readdirSync(DATA_DIR).sort()
  expect(files).toEqual(['admin-password', 'evidence-key', 'push-key', 'session-secret'])
  for (const file of files) expect(modeOf(join(DATA_DIR, file))).toBe(0o600)
  expect(readConfig({ DATA_DIR })).toEqual(made)
})

test('rejects a truncated secret, or a file where the folder should be, and changes nothing', () => {
  const folder = createTestFolder()
  for (const rest of ['', 'abc\n']) {
    writeFileSync(join(folder, 'session-secret'), rest)
    expect(refusalOf({ DATA_DIR: folder })).toMatch(/^\S+session-secret is empty or truncated: .+$/)
  }
  expect(readdirSync(folder)).toEqual(['session-secret'])
  expect(refusalOf({ DATA_DIR: join(folder, 'session-secret') })).toMatch(/^The data folder .+ENOTDIR/)
  mkdirSync(join(folder, 'other', 'session-secret'), { recursive: true })
  expect(refusalOf({ DATA_DIR: join(folder, 'other') })).toMatch(/^The data folder .+EISDIR/)
})

test.runIf(process.getuid?.() === 0)('names the owner of the folder to another user', () => {
  const folder = createTestFolder()
  chmodSync(folder, 0o755)
  const DATA_DIR = join(folder, 'data')
  readConfig({ DATA_DIR })
  process.seteuid?.(65_534)
  try {
    expect(refusalOf({ DATA_DIR })).toMatch(
      /^\S+ belongs to user 0, and this is user \d+: start as that user/,
    )
  } finally {
    process.seteuid?.(0)
  }
})

function refusalOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof StartupError) return error.message
    throw error
  }
  throw new Error('it was taken')
}

const modeOf = (path: string) => statSync(path).mode & 0o777

test('reports a bucket without its key', () => {
  const s3 = { S3_BUCKET: 'cars', S3_ENDPOINT: 'http://store.example:9000', S3_ACCESS_KEY_ID: 'one' }
  expect(() => readConfig({ ...complete, ...s3 })).toThrow(
    /^S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY\.$/,
  )
  expect(readConfig({ ...complete, ...s3, S3_SECRET_ACCESS_KEY: 'two' }).s3).toMatchObject({
    bucket: 'cars',
    region: 'us-east-1',
    accessKeyId: 'one',
    secretAccessKey: 'two',
  })
  expect(readConfig(complete).s3).toBe(null)
})

test.each([
  {
    ...administration,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://keyturn.example',
    CONTACT_ADDRESS,
    ALLOW_SAMPLE_TEXTS: '1',
  },
  { PUBLIC_URL: 'http://keyturn.example' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.1.20' },
])('rejects DEMO=1 with %j, where the demo is off by default', (address) => {
  const embedded = { SESSION_SECRET: secret, ADMIN_PASSWORD: 'open sesame 42', DATA_DIR: createTestFolder() }
  const given = 'NODE_ENV' in address ? { ...complete, ...address } : { ...embedded, ...address }
  expect(() => readConfig({ ...given, DEMO: '1' })).toThrow(/^DEMO=1 is refused /)
  expect(readConfig(given).demo).toBe(false)
})

test.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])(
  'enables the demo by default when HOST is %s',
  (HOST) => {
    const embedded = {
      SESSION_SECRET: secret,
      ADMIN_PASSWORD: 'open sesame 42',
      DATA_DIR: createTestFolder(),
    }
    expect(readConfig({ ...embedded, HOST }).demo).toBe(true)
  },
)

test('rejects an unknown NODE_ENV', () => {
  expect(() => readConfig({ ...complete, NODE_ENV: 'prod' })).toThrow(
    'Setting NODE_ENV is invalid: must be one of development, test, production',
  )
})

// R-everywhere-69
test.each([
  [
    { EMAIL_RETENTION_DAYS: '7' },
    'Setting EMAIL_RETENTION_DAYS is invalid: must be a whole number from 8 to 3650',
  ],
  [
    { RESPONSE_RETENTION_DAYS: 'ten' },
    'Setting RESPONSE_RETENTION_DAYS is invalid: must be a whole number from 3 to 30',
  ],
  [
    { READ_NOTIFICATION_RETENTION_DAYS: '366' },
    'READ_NOTIFICATION_RETENTION_DAYS must be at most NOTIFICATION_RETENTION_DAYS.',
  ],
  [
    { EMAIL_RETENTION_DAYS: '30', FAILED_EMAIL_TEXT_RETENTION_DAYS: '31' },
    'FAILED_EMAIL_TEXT_RETENTION_DAYS must be at most EMAIL_RETENTION_DAYS.',
  ],
])('stops the start when an age is out of bounds: %j', (given, message) => {
  expect(() => readConfig({ ...complete, ...given })).toThrow(message)
})
