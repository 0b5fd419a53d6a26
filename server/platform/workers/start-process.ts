import { fork } from 'node:child_process'
import { loaderFor, type StartedWorker } from './thread-worker.ts'

/**
 * Starts a child process for third-party code that parses untrusted bytes. A crash or excessive
 * memory use ends only the child. It inherits no environment.
 */
export function startProcess(script: URL): StartedWorker {
  const child = fork(script, {
    execArgv: loaderFor(script),
    // More malloc arenas multiply the memory in use.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    unref: () => {
      child.unref()
      child.channel?.unref()
    },
    ref: () => {
      child.ref()
      child.channel?.ref()
    },
    // If the process has just exited, the `exit` event handles it.
    postMessage: (input) => void child.send(input as object, () => undefined),
    onMessage: (handler) => child.on('message', handler),
    onError: (handler) => child.on('error', handler),
    onExit: (handler) => {
      child.once('exit', handler)
      // A process that failed to start emits no `exit`.
      child.once('error', () => child.pid === undefined && handler())
    },
    terminate: () => child.kill('SIGKILL'),
  }
}
