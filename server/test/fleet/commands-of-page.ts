import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'

export type Block = { section: string; how: string; text: string }

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')

/** Every fenced block of `docs/operations.md`, in its order. */
export const blocks: readonly Block[] = page.split(/^## /m).flatMap((part) => {
  const [section = ''] = part.split('\n', 1)
  return [...part.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, how = '', text = '']) => ({
    section,
    how,
    text,
  }))
})

export const commandsOf = (section: string): Block[] =>
  blocks.filter((one) => one.section === section && one.how === 'sh')

export type Terminal = {
  /** Types what stands there and waits until all of it is done; the first command that fails is an error. */
  type(text: string): Promise<string>
  close(): Promise<void>
}

/** One shell for many blocks, so that what one exports or starts is there for the next. */
export function openTerminal(cwd: string, env: Record<string, string>): Terminal {
  const shell = spawn('bash', ['-s'], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'pipe',
    // With all it has started in one group.
    detached: true,
  })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  shell.stdin.write('set -euo pipefail\n')
  let typed = 0
  return {
    type(text) {
      const [from, sign] = [said.length, `--- done ${++typed}`]
      shell.stdin.write(`${text}\necho '${sign}'\n`)
      return until(shell, () => {
        const at = said.indexOf(sign, from)
        return at < 0 ? null : said.slice(from, at)
      }).catch(() => {
        throw new Error(`${text}\n${said.slice(from)}`)
      })
    },
    async close() {
      const gone = shell.exitCode === null && new Promise((resolve) => shell.once('close', resolve))
      killAnyway(-(shell.pid ?? 0))
      await gone
    },
  }
}

/** A program that went into the background by itself, and wrote its number there. */
export function endDaemon(file: string): void {
  if (existsSync(file)) killAnyway(Number(readFileSync(file, 'utf8').split('\n', 1)[0]))
}

function killAnyway(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

async function until<T>(shell: ChildProcess, found: () => T | null): Promise<T> {
  const done = new AbortController()
  const ended = once(shell, 'exit', done).then(([code]) => {
    throw new Error(`The shell ended with ${code}`)
  })
  try {
    for (;;) {
      const it = found()
      if (it !== null) return it
      await Promise.race([ended, once(shell.stdout ?? shell, 'data', done)])
    }
  } finally {
    done.abort()
    ended.catch(() => {})
  }
}
