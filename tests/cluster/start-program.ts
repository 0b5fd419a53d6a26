import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { vi } from 'vitest'
import type { AddCleanup } from '../support/server-process.ts'

/** Returns a file of `operations/` with these changes. Throws when a line to change is missing. */
export function editOperationsFile(name: string, changes: [RegExp, string][]): string {
  let text = readFileSync(new URL(`../../operations/${name}`, import.meta.url), 'utf8')
  for (const [line, replacement] of changes) {
    if (!line.test(text)) throw new Error(`${name} has no ${line}`)
    text = text.replace(
      new RegExp(line, line.flags.includes('g') ? line.flags : `${line.flags}g`),
      replacement,
    )
  }
  return text
}

/** Starts a program and waits until it accepts connections at this port. */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  port: number,
  addCleanup: AddCleanup,
  options: SpawnOptions = {},
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'exit')
  addCleanup(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} has ended: ${stderr}`)
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
    },
    { timeout: 60_000 },
  )
}
