import { fork } from 'node:child_process'
import { loaderFor, type Started } from './thread.ts'

/**
 * A process of its own, for what runs code that we have not written on bytes that strangers send: if that code crashes,
 * or takes more memory than there is, it ends alone. It inherits nothing but the addresses of its files.
 */
export function startProcess(script: URL): Started {
  const child = fork(script, {
    execArgv: loaderFor(script),
    // One heap for each processor would keep several times what is in use.
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
    // One that has just ended is noticed by its end.
    postMessage: (asked) => void child.send(asked as object, () => undefined),
    onMessage: (hear) => child.on('message', hear),
    onError: (hear) => child.on('error', hear),
    onExit: (hear) => {
      child.once('exit', hear)
      // Never started, it does not exit either.
      child.once('error', () => child.pid === undefined && hear())
    },
    terminate: () => child.kill('SIGKILL'),
  }
}
