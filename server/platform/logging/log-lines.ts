import { closeSync, fstatSync, write, writeSync } from 'node:fs'

export type LineWriter = {
  write(line: string): void
  flush(): void
  reopen(): void
  /** Writes the remaining lines synchronously at process exit. Returns the number of lost lines. */
  end(): number
}

type LinesOptions = {
  open: () => number
  /** Called when lines are dropped, and not again until writing works. */
  onFault: (why: Error) => void
  onRecovered: (dropped: number) => void
}

type Piece = {
  file: number
  isFile: boolean
  bytes: Buffer
  written: number
  /** Bytes of the write in progress. */
  inFlight: number
  endsTornLine: boolean
}

/**
 * Writes lines to a file or a pipe. Never blocks, throws or grows without bound: lines that cannot
 * be written are dropped and counted, and later ones are tried again.
 */
export function openLineWriter({ open, onFault, onRecovered }: LinesOptions): LineWriter {
  let file = open()
  let isFile = fstatSync(file).isFile()
  const moved: number[] = []
  let waiting: string[] = []
  let waitingLength = 0
  let piece: Piece | null = null
  let again = false
  /** The file ends with an incomplete line. */
  let isTorn = false
  let isFailing = false
  let dropped = 0

  function drop(lines: number, why: Error): void {
    dropped += lines
    if (isFailing) return
    isFailing = true
    onFault(why)
  }

  function nextPiece(): Piece {
    const bytes = Buffer.from((isTorn ? '\n' : '') + waiting.join(''))
    waiting = []
    waitingLength = 0
    return { file, isFile, bytes, written: 0, inFlight: 0, endsTornLine: isTorn }
  }

  function flush(): void {
    again = piece !== null
    if (piece || waiting.length === 0) return
    piece = nextPiece()
    writePiece(piece)
  }

  function writePiece(current: Piece): void {
    current.inFlight = nextLength(current)
    write(current.file, current.bytes, current.written, current.inFlight, (error, written) => {
      current.inFlight = 0
      current.written += error ? 0 : written
      // The reader of the pipe is slow.
      if (error?.code === 'EAGAIN') setTimeout(writePiece, retryMs, current).unref()
      else if (!error && current.written < current.bytes.length) writePiece(current)
      else finish(current, error)
    })
  }

  function finish(done: Piece, error: Error | null): void {
    piece = null
    recordResult(done, error)
    for (const old of moved.splice(0)) closeSync(old)
    if (again || waitingLength >= pieceLength) flush()
  }

  function recordResult(done: Piece, error: Error | null): void {
    if (done.file === file && done.written > 0) isTorn = done.bytes[done.written - 1] !== newline
    if (error) drop(linesLeft(done), error)
    if (error || !isFailing) return
    isFailing = false
    onRecovered(dropped)
    dropped = 0
  }

  const timer = setInterval(flush, flushMs).unref()

  return {
    write(line) {
      if (waitingLength > maxWaiting) {
        drop(1, new Error('the reader is too slow'))
        return
      }
      waiting.push(line)
      waitingLength += line.length
      if (!piece && waitingLength >= pieceLength) flush()
    },
    flush,
    reopen() {
      const old = file
      file = open()
      isFile = fstatSync(file).isFile()
      isTorn = false
      if (old === file) return
      if (piece) moved.push(old)
      else closeSync(old)
    },
    end() {
      clearInterval(timer)
      // The system completes a write in progress before the process exits.
      if (piece) piece.written += piece.inFlight
      for (const rest of [...(piece ? [piece] : []), nextPiece()]) {
        const error = writeSyncPiece(rest)
        if (error) drop(linesLeft(rest), error)
      }
      return dropped
    },
  }
}

/**
 * Writes of several processes to one pipe are atomic up to this length (POSIX; PIPE_BUF on Linux).
 * Writes to files are always atomic.
 */
const pipeLength = 4096

/** Length of the next write: everything, or for a pipe the complete lines within `pipeLength`. */
function nextLength({ isFile, bytes, written }: Piece): number {
  const left = bytes.length - written
  if (isFile || left <= pipeLength) return left
  const end = bytes.lastIndexOf(newline, written + pipeLength - 1)
  return end < written ? left : end + 1 - written
}

/** One write per request would cost 10% of the request. */
const pieceLength = 4096
const flushMs = 1_000
const retryMs = 100
/**
 * In bytes. Covers a reader that is busy for seconds; more would take memory from an overloaded
 * server.
 */
const maxWaiting = 1024 * 1024
/** Time limit for the last write, so that a stalled reader does not block the exit. */
const finalWriteMs = 500
const newline = 10

/** A partially written line counts as lost. */
function linesLeft({ bytes, written, endsTornLine }: Piece): number {
  const rest = bytes.subarray(Math.max(written, endsTornLine ? 1 : 0))
  return rest.reduce((lines, byte) => lines + (byte === newline ? 1 : 0), 0)
}

function writeSyncPiece(rest: Piece): Error | null {
  const until = Date.now() + finalWriteMs
  while (rest.written < rest.bytes.length)
    try {
      rest.written += writeSync(rest.file, rest.bytes, rest.written, nextLength(rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || Date.now() > until) return error as Error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs / 5)
    }
  return null
}
