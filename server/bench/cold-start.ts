import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './server-process.ts'

/** A later start of the product, as people start it, on a folder with the demo: until the first 200, and what it then holds in memory. */
export async function coldStart(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-cold-'))
  try {
    await oneStart(dataDir)
    const starts = [await oneStart(dataDir), await oneStart(dataDir), await oneStart(dataDir)]
    starts.sort((a, b) => a.seconds - b.seconds)
    const middle = starts[1]
    if (!middle) return ''
    return `\nCold start (npm start to the first 200, on the demo's data, median of 3): ${middle.seconds.toFixed(2)} s, resident memory ${middle.rssMb.toFixed(0)} MB`
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** What a file `.env` says does not count where a setting is given, even an empty one. */
const defaults = Object.fromEntries(
  ['DATABASE_URL', 'DEMO', 'HOST', 'LOG_LEVEL', 'NODE_ENV', 'PUBLIC_URL', 'SMTP_URL'].map((name) => [
    name,
    '',
  ]),
)

async function oneStart(dataDir: string): Promise<{ seconds: number; rssMb: number }> {
  const before = performance.now()
  const server = await runCommand(
    ['npm', 'start'],
    '/health/ready',
    { ...defaults, DATA_DIR: dataDir },
    // Not npm's own: who holds the data folder is the server.
    () => Number(readFileSync(join(dataDir, 'held-by'), 'utf8').split(' ')[0]),
  )
  const seconds = (performance.now() - before) / 1000
  const { rssMb } = server.usage()
  await server.stop()
  return { seconds, rssMb }
}
