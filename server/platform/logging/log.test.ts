// @module-tag full

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mountSmallDisk } from '../../../tests/support/mount-small-disk.ts'
import { createTestFolder } from '../../../tests/support/server-process.ts'

/** Returns the log of a process that runs this code. */
function logOf(script: string, dataDir = createTestFolder(), logTo = 'file') {
  const program = `import { openLog } from '${new URL('./log.ts', import.meta.url).pathname}'
    const { log, reopen } = openLog(${JSON.stringify({ logLevel: 'info', logTo, dataDir })})
    ${script}`
  const tsx = new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text
  })
  const path = join(dataDir, 'keyturn.log')
  const read = () => readFileSync(path, 'utf8')
  return { child, path, read, out: () => out, err: () => err, ended: once(child, 'close') }
}

const killed = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500)`
test.each<[what: string, script: string, written: RegExp]>([
  ['lines while nothing more happens', `log.info('kept'); setInterval(() => {}, 1000)`, /kept/],
  ['the last lines of a process that ends', `log.info('last'); process.exit(0)`, /last/],
  [
    'a warning at once, and what led to it',
    `log.info('before'); log.warn('warned'); ${killed}`,
    /before[\s\S]*warned/,
  ],
  [
    'a warning at once, also while other lines are being written',
    `log.info('a long line '.repeat(1000)); log.warn('warned'); ${killed}`,
    /warned/,
  ],
])('writes %s', async (_, script, written) => {
  const { read } = logOf(script)
  await vi.waitFor(() => expect(read()).toMatch(written), 30_000)
})

test.each(['file', 'stdout'])('loses no line when a process ends during a write (%s)', async (to) => {
  const { read, out, ended } = logOf(
    `for (let n = 0; n < 600; n++) {
       log.info({ n, text: 'x'.repeat(n % 300) }, 'one of many')
       if (n % 100 === 99) await new Promise(setImmediate)
     }
     process.exit(0)`,
    createTestFolder(),
    to,
  )
  await ended
  const numbers = linesOf(to === 'file' ? read() : out()).map(({ n }) => n ?? -1)
  // A write in progress at exit may complete after the last lines.
  expect(numbers.sort((a, b) => a - b)).toEqual(numbersTo(600))
})

test('drops and counts lines when the disk is full, reports it once, and continues', async () => {
  const dataDir = createTestFolder()
  symlinkSync('/dev/full', join(dataDir, 'keyturn.log'))
  const { child, err, out, ended } = logOf(
    `for (let n = 0; n < 200; n++) {
       log.warn({ text: 'x'.repeat(1000) }, 'one of many')
       await new Promise((resolve) => setTimeout(resolve, 1))
     }
     console.log('went on')`,
    dataDir,
  )
  await ended
  expect([child.exitCode, out()]).toEqual([0, 'went on\n'])
  expect(err()).toMatch(
    /^The log cannot be written, and its lines are dropped: ENOSPC.*\n200 lines of the log could not be written\.\n$/,
  )
})

test.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'resumes writing when the disk has space again, and logs how many lines were lost',
  async () => {
    const dataDir = createTestFolder()
    mountSmallDisk(dataDir)
    const filler = join(dataDir, 'filler')
    const { child, read, err } = logOf(
      `for (let n = 0; ; n++) {
         log.warn({ n }, 'one of many')
         await new Promise((resolve) => setTimeout(resolve, 2))
       }`,
      dataDir,
    )
    await vi.waitFor(() => expect(read()).toContain('one of many'), 30_000)
    expect(() => writeFileSync(filler, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
    await vi.waitFor(() => expect(err()).toMatch(/^The log cannot be written.*ENOSPC.*\n$/), 30_000)
    rmSync(filler)
    await vi.waitFor(
      () =>
        expect(read()).toMatch(/"dropped":\d+,"msg":"some log lines could not be written"\}\n.*one of many/s),
      30_000,
    )
    child.kill('SIGKILL')
    await once(child, 'close')
    const [torn, ...others] = read()
      .split('\n')
      .slice(0, -1)
      .filter((line) => !isWhole(line))
    expect(others).toEqual([])
    expect(torn ?? '').not.toContain('}{')
    const lines = linesOf(read().split('\n').filter(isWhole).join('\n'))
    const after = lines.findIndex(({ dropped }) => dropped)
    const numbers = lines.flatMap(({ n }) => n ?? [])
    expect(lines[after]?.dropped).toBe((numbers.at(-1) ?? 0) + 1 - numbers.length)
  },
)

test('reopens a rotated log without losing a line', async () => {
  const dataDir = createTestFolder()
  const { child, path, read, ended } = logOf(
    `process.on('SIGUSR2', reopen)
     process.on('SIGTERM', () => process.exit(0))
     for (let n = 0; ; n++) {
       log.info({ n, text: 'x'.repeat(100) }, 'one of many')
       await new Promise((resolve) => setTimeout(resolve, 2))
     }`,
    dataDir,
  )
  await vi.waitFor(() => expect(read()).toContain('one of many'), 30_000)
  const old = `${path}.1`
  renameSync(path, old)
  child.kill('SIGUSR2')
  await vi.waitFor(() => expect(read()).toContain('one of many'), 30_000)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  child.kill('SIGTERM')
  await ended
  const numbers = linesOf(readFileSync(old, 'utf8') + read()).map(({ n }) => n)
  expect(numbers).toEqual(numbers.map((_, n) => n))
})

test('continues in the old file when the new one cannot be opened', async () => {
  const dataDir = createTestFolder()
  const { path, err, ended } = logOf(
    `import { mkdirSync, renameSync } from 'node:fs'
     const path = '${join(dataDir, 'keyturn.log')}'
     renameSync(path, path + '.1')
     mkdirSync(path)
     reopen()
     log.info('kept')`,
    dataDir,
  )
  await ended
  expect(err()).toMatch(/^The log file could not be reopened: .*EISDIR.*\n$/)
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('kept')
})

test('logs to standard output', async () => {
  const { out, ended } = logOf(
    `log.info('here'); reopen(); log.info('still here')`,
    createTestFolder(),
    'stdout',
  )
  await ended
  expect(linesOf(out()).map(({ msg }) => msg)).toEqual(['here', 'still here'])
})

test('logs error codes of PostgreSQL and Node, but no other codes and no rows', async () => {
  const code = 'pQ3vXo0bWc7mJ5sYtR9zK1uE8hLdA2nFgB4iVxTqM6k'
  const { read, ended } = logOf(
    `const say = (more, rest = {}) => log.error({ ...rest, err: Object.assign(new Error('unexpected'), more) }, 'unexpected')
     say({ code: '23505', detail: 'Key (email)=(ann@example.com)' })
     say({ code: 'ECONNRESET' })
     say({ code: '${code}' }, { body: { code: '${code}' }, params: { code: '${code}' } })
     say({ token: '40001' }, { body: { code: '40001' } })`,
  )
  await ended
  const codes = linesOf(read()).map(({ err }) => err?.code)
  expect(codes).toEqual(['23505', 'ECONNRESET', '[Redacted]', undefined])
  for (const personal of ['ann@example.com', code, '40001']) expect(read()).not.toContain(personal)
})

type Line = { n?: number; msg: string; dropped?: number; err?: { code: string } }

const numbersTo = (end: number) => Array.from({ length: end }, (_, n) => n)

const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const isWhole = (line: string): boolean => /^\{.*\}$/.test(line)
