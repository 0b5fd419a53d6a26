import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export const say = (line) => process.stdout.write(`${line}\n`)

/**
 * Runs a command in the checkout and returns its exit code and output. Calls `everyFewSeconds` with
 * the elapsed seconds and the output so far. When this process is stopped, the command is stopped
 * too.
 */
export function run(command, args, { env = {}, everyFewSeconds = () => {} } = {}) {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1000
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stopForwarding = forwardSignals(child)
    const timer = setInterval(() => everyFewSeconds(seconds(), output), 5000)
    let output = ''
    const add = (text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', add)
    child.stderr.setEncoding('utf8').on('data', add)
    const done = () => {
      clearInterval(timer)
      stopForwarding()
    }
    child.once('error', (error) => {
      done()
      reject(error)
    })
    child.once('close', (code) => {
      done()
      resolve({ code: code ?? 1, output, seconds: seconds() })
    })
  })
}

/**
 * Forwards signals that would end this process to the child, until the returned function is called.
 */
function forwardSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const handlers = signals.map((signal) => [
    signal,
    () => {
      child.kill(signal)
      process.exit(128 + constants.signals[signal])
    },
  ])
  for (const [signal, handler] of handlers) process.once(signal, handler)
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}
