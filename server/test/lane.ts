// Changes what zod says, for the whole thread: every file has it, as the server has, whichever files came before it.
import '@keyturn/contract/kit/field-sentences.ts'
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { promisify } from 'node:util'
import threads from 'node:worker_threads'

let hear: (what: string) => void = () => {}

/** What makes a test more than pure: a connection to PostgreSQL, a process or a thread of its own. */
export function onLeavingTheThread(listener: (what: string) => void): void {
  hear = listener
}

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  if (isDatabase(args)) hear('connects to a database')
  return Reflect.apply(connect, this, args)
} as typeof connect

threads.Worker = class extends threads.Worker {
  constructor(...args: ConstructorParameters<typeof threads.Worker>) {
    hear('starts a thread')
    super(...args)
  }
}

const heard =
  (begin: (...args: unknown[]) => unknown) =>
  (...args: unknown[]) => {
    hear('starts a process')
    return begin(...args)
  }
for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const) {
  const begin = childProcess[name] as Parameters<typeof heard>[0] & { [promisify.custom]?: unknown }
  const inPromises = begin[promisify.custom] as Parameters<typeof heard>[0] | undefined
  Object.assign(childProcess, {
    [name]: Object.assign(heard(begin), inPromises && { [promisify.custom]: heard(inPromises) }),
  })
}

// For whoever imports them by name.
syncBuiltinESMExports()

/** By PostgreSQL's own socket or port, or the port that a run was given. */
function isDatabase(args: unknown[]): boolean {
  const [to] = [args].flat(2)
  const { path, port } = (typeof to === 'object' ? to : { path: to, port: to }) as {
    path?: unknown
    port?: unknown
  }
  return String(port) === databasePort || (typeof path === 'string' && path.includes('.s.PGSQL.'))
}

const given = process.env.TEST_DATABASE_URL
const databasePort = (given && new URL(given).port) || '5432'
