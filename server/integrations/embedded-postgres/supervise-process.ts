import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'

/** The user a program runs as; null: the user of this process. */
export type RunAs = { uid: number; gid: number } | null

export type SupervisedProcess = {
  pid: number
  ended: Promise<number>
  end(): Promise<number>
  /** Stops the child process from keeping this process alive. */
  unref(): void
}

type Options = {
  cwd: string
  runAs: RunAs
  /** File descriptor for the program's output. */
  output: number
  /** Folders to remove when the program has ended. */
  removeAtEnd?: readonly [string, string]
}

/**
 * Runs a program that cannot outlive this process. A shell in between reads from a pipe that only
 * this process holds. However this process ends, the pipe closes and the shell ends the program. A
 * shell starts in a millisecond and takes one megabyte, unlike Node.
 */
export function superviseProcess(command: readonly string[], options: Options): SupervisedProcess {
  const [socketFolder, scratchFolder] = options.removeAtEnd ?? ['', '']
  const child = spawn('/bin/sh', ['-c', script, 'keeper', socketFolder, scratchFolder, ...command], {
    cwd: options.cwd,
    // The environment is not inherited: PGDATA, PGPORT or a locale would change what PostgreSQL
    // does.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['pipe', options.output, options.output],
    // A separate session: Ctrl-C in a terminal reaches only this process, which ends the database
    // after the last request.
    detached: true,
    ...options.runAs,
  })
  child.stdin?.on('error', () => {})
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  // Callers that await `ended` see the failure. Without this line an earlier failure would crash
  // the process.
  ended.catch(() => {})
  return {
    pid: child.pid ?? 0,
    ended,
    end: () => {
      child.ref()
      child.stdin?.end()
      return ended
    },
    unref: () => unref(child),
  }
}

function unref(child: ChildProcess): void {
  child.unref()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

// INT asks PostgreSQL for a fast shutdown: everything is on disk, no recovery at the next start.
// QUIT asks for an immediate one after 20 s: recovery from the log, nothing lost. KILL is for a
// program that ignores both.
const script = `
socket_folder=$1 scratch_folder=$2
shift 2
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
trap 'kill -INT $program' TERM INT HUP
(
  trap - TERM INT HUP
  while read -r _; do :; done
  kill -INT $program
  tenths=0
  while [ $tenths -lt 250 ]; do
    sleep 0.1
    tenths=$((tenths + 1))
    [ $tenths -eq 200 ] && kill -QUIT $program
  done
  kill -KILL $program
) <&3 >/dev/null 2>&1 &
watcher=$!
exec 3<&-
while :; do
  wait $program
  code=$?
  kill -0 $program 2>/dev/null || break
done
kill $watcher 2>/dev/null
rm -rf -- "$socket_folder" "$scratch_folder"
exit $code
`
