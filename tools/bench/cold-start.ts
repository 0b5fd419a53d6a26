import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = new URL('../../', import.meta.url)

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
  const port = await freePort()
  const before = performance.now()
  const child = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '', DEMO: '0' },
    stdio: 'ignore',
  })
  const ended = new Promise<never>((_, reject) =>
    child.once('exit', (code) => reject(new Error(`ended: ${code}`))),
  )
  try {
    await Promise.race([firstAnswer(port), ended])
    const seconds = (performance.now() - before) / 1000
    return { seconds, rssMb: residentMb(child.pid) }
  } finally {
    ended.catch(() => {})
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
  }
}

async function firstAnswer(port: number): Promise<void> {
  for (;;) {
    const ok = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function residentMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  } catch {
    return Number.NaN
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
