import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './server-process.ts'

/** A later start of the product on an existing data folder: until the first 200, and what it then holds in memory. */
export async function coldStart(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-cold-'))
  try {
    await oneStart(dataDir)
    const starts = [await oneStart(dataDir), await oneStart(dataDir), await oneStart(dataDir)]
    starts.sort((a, b) => a.seconds - b.seconds)
    const middle = starts[1]
    if (!middle) return ''
    return `\nCold start (npm start to the first 200, existing data, median of 3): ${middle.seconds.toFixed(2)} s, resident memory ${middle.rssMb.toFixed(0)} MB`
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function oneStart(dataDir: string): Promise<{ seconds: number; rssMb: number }> {
  const before = performance.now()
  const server = await run('tools/start.mjs', '/health/ready', {
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    DEMO: '0',
  })
  const seconds = (performance.now() - before) / 1000
  const { rssMb } = server.usage()
  await server.stop()
  return { seconds, rssMb }
}
