import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

/** What stands in the log of a process that runs this. */
function logOf(script: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-log-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const given = { logLevel: 'info', production: false, dataDir }
  const program = `import { openLog } from '${new URL('./log.ts', import.meta.url).pathname}'
    const log = openLog(${JSON.stringify(given)})
    ${script}`
  const tsx = new URL('../node_modules/tsx/dist/loader.mjs', import.meta.url).href
  const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const read = () => readFileSync(join(dataDir, 'keyturn.log'), 'utf8')
  return { read, ended: once(child, 'exit') }
}

test('lines are written while nothing more happens', async () => {
  const { read } = logOf(`log.info('kept'); setInterval(() => {}, 1000)`)
  await vi.waitFor(() => expect(read()).toContain('kept'), 10_000)
})

test('the last lines of a process that ends are written', async () => {
  const { read, ended } = logOf(`log.info('last'); process.exit(0)`)
  await ended
  expect(read()).toContain('last')
})

test('a warning is written at once, and what led to it', async () => {
  const { read, ended } = logOf(
    `log.info('before'); log.warn('warned'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500)`,
  )
  await ended
  expect(read()).toMatch(/before[\s\S]*warned/)
})

test('a warning is written at once, also while other lines are being written', async () => {
  const { read, ended } = logOf(
    `log.info('a long line '.repeat(1000))
     log.warn('warned')
     setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500)`,
  )
  await ended
  expect(read()).toContain('warned')
})
