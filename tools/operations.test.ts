import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { photoBounds } from '@keyturn/contract/shared/photo.ts'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'
import { settings } from '../server/settings.ts'

// The files that operators copy must match the product.

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Variables of PostgreSQL's image or of the container setup, not of the server. */
const notSettings = ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'SERVING_PASSWORD']

test.each([
  ['compose.yaml', /^ +([A-Z][A-Z0-9_]+):/gm],
  ['compose.yaml', /\$\{([A-Z0-9_]+)/g],
  ['Dockerfile', /([A-Z][A-Z0-9_]+)=/g],
  ['operations/systemd/keyturn@.service', /(?<=^Environment=.*)\b([A-Z][A-Z0-9_]+)=/gm],
])('names only existing settings in %s (%s)', (path, pattern) => {
  const named = [...read(path).matchAll(pattern)].flatMap(([, name]) => name ?? [])
  expect(named.length).toBeGreaterThan(1)
  const known = [...Object.keys(settings.shape), ...notSettings]
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('allows the largest photo through the proxy, which closes idle connections before the server', () => {
  const nginx = read('operations/nginx.conf')
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1])
  expect(megabytes * 1024 * 1024).toBeGreaterThan(photoBounds.bytes)
  const server = Number(
    /keepAliveTimeout: ([\d_]+)/.exec(read('server/platform/http/connections.ts'))?.[1]?.replace('_', ''),
  )
  for (const [path, pattern] of [
    ['operations/nginx.conf', /keepalive_timeout (\d+)s/],
    ['operations/haproxy.cfg', /timeout http-keep-alive (\d+)s/],
  ] as const)
    expect(Number(pattern.exec(read(path))?.[1]) * 1000).toBeLessThan(server)
})

test("gives each supervisor time for the shutdown and the proxy's health checks", () => {
  const drains = Number(/DRAIN_SECONDS=(\d+)/.exec(read('operations/haproxy.cfg'))?.[1])
  const [, every, fall] = /check inter (\d+)s fall (\d+)/.exec(read('operations/haproxy.cfg')) ?? []
  expect(drains).toBeGreaterThan(Number(every) * Number(fall))
  const page = read('docs/operations.md')
  const [, unit, compose] = /the systemd unit allows for (\d+), `compose.yaml` for (\d+)/.exec(page) ?? []
  for (const [path, pattern, drain] of [
    ['operations/systemd/keyturn@.service', /TimeoutStopSec=(\d+)/, unit],
    ['compose.yaml', /stop_grace_period: (\d+)s/, compose],
  ] as const) {
    expect(Number(pattern.exec(read(path))?.[1])).toBe(10 + Number(drain))
    expect(Number(drain)).toBeGreaterThanOrEqual(drains)
  }
})

test('has every file that the compose file mounts', () => {
  const mounted = [...read('compose.yaml').matchAll(/- \.\/(operations\/[\w./-]+):/g)].map(([, path]) => path)
  expect(mounted.length).toBeGreaterThan(1)
  expect(readdirSync(join(root, 'operations')).map((name) => `operations/${name}`)).toEqual(
    expect.arrayContaining(mounted),
  )
})

test('uses an LTS Node that Keyturn supports in the image', () => {
  const [, version = ''] = /FROM node:([\d.]+)/.exec(read('Dockerfile')) ?? []
  expect(version).toMatch(/^24\./)
  expect(satisfies(version, JSON.parse(read('package.json')).engines.node)).toBe(true)
})

test('pins images by an exact version or a digest', () => {
  const named = [
    ...read('Dockerfile').matchAll(/^FROM (\S+)/gm),
    ...read('compose.yaml').matchAll(/^ +image: (?!keyturn$)(\S+)/gm),
  ].map(([, image = '']) => image)
  expect(named).toHaveLength(4)
  for (const image of named) expect(image).toMatch(/:\d+\.\d+(\.\d+)?(-|$)|@sha256:[\da-f]{64}$/)
})

test('shares photos between the unit’s instances, each with its own port', () => {
  const unit = read('operations/systemd/keyturn@.service')
  expect(unit).toMatch(/^Environment=PORT=%i METRICS_PORT=1%i DATA_DIR=\/var\/lib\/keyturn\/%i$/m)
  expect(unit).toMatch(/^ExecStartPre=\S+ln -sfT \.\.\/photos \/var\/lib\/keyturn\/%i\/photos$/m)
  expect(unit).toMatch(/^StateDirectory=.* keyturn\/photos$/m)
  const folders = /^ReadWritePaths=-(\S+)$/m.exec(unit)?.[1] ?? 'none'
  const page = read('docs/operations.md')
  expect(page).toContain(`dist/server/backup.js ${folders}\n`)
  const ports = /systemctl enable --now keyturn@(\d+) keyturn@(\d+)/.exec(page)?.slice(1) ?? []
  expect(page).toContain(`targets: [${ports.map((port) => `"127.0.0.1:1${port}"`).join(', ')}]`)
})
