import { ApiError } from '@keyturn/contract/shared/error.ts'
import { formatPlace, type Photo } from '@keyturn/contract/shared/photo.ts'
import { isUnreachable } from '../../../api/errors.ts'

/** An upload in progress, and what the person can do with it. */
export type Upload = {
  key: number
  name: string
  /** A thumbnail as a `data:` URL, once the file has been read. */
  preview: string | null
  state: 'waiting' | 'preparing' | 'sending' | 'drawing' | 'lost' | 'failed'
  /** The fraction that was sent, from 0 to 1. */
  share: number
  fault: unknown
}

export type PreparedPhoto = { file: Blob; preview: string | null }
export type SendPhoto = (
  file: Blob,
  uploading: { signal: AbortSignal; onProgress: (share: number) => void; place: string },
) => Promise<{ photo: Photo }>

type UploadSteps = {
  prepare: (file: File) => Promise<PreparedPhoto>
  send: SendPhoto
  /** Waits before a retry, and ends early when the connection is back. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export type Uploads = {
  add(files: readonly File[]): void
  retry(key: number): void
  cancel(key: number): void
  stop(): void
  list(): readonly Upload[]
  subscribe(listener: () => void): () => void
}

/** One less than the four concurrent uploads that the server accepts per person. */
const maxConcurrent = 3
/** After this many attempts, the person decides whether to retry. */
const maxAttempts = 6

type Job = Upload & { file: File; prepared: PreparedPhoto | null; abort: AbortController; running: boolean }

const initialState = {
  preview: null,
  state: 'waiting',
  share: 0,
  fault: null,
  prepared: null,
  running: false,
} as const

/**
 * Uploads pictures in the chosen order, a few at a time; the server restores the order of those that
 * finish early. After a lost connection, it retries automatically, and the server removes
 * duplicates.
 */
export function createUploads({ prepare, send, pause }: UploadSteps): Uploads {
  let jobs: Job[] = []
  let shown: readonly Upload[] = []
  let keys = 0
  const batch = newBatch()
  const listeners = new Set<() => void>()

  function notifyListeners() {
    shown = jobs.map((job) => ({ ...job }))
    for (const listener of listeners) listener()
  }

  function change(job: Job, changes: Partial<Job>) {
    Object.assign(job, changes)
    notifyListeners()
  }

  function startNext() {
    const running = jobs.filter((job) => job.running).length
    const waiting = jobs.filter((job) => job.state === 'waiting' && !job.running)
    for (const job of waiting.slice(0, maxConcurrent - running)) void run(job)
  }

  async function run(job: Job) {
    job.running = true
    try {
      await work(job)
      jobs = jobs.filter((one) => one !== job)
    } catch (fault) {
      if (!job.abort.signal.aborted) Object.assign(job, { state: 'failed', fault })
    } finally {
      job.running = false
      notifyListeners()
      startNext()
    }
  }

  async function work(job: Job) {
    if (!job.prepared) {
      change(job, { state: 'preparing' })
      job.prepared = await prepare(job.file)
      change(job, { preview: job.prepared.preview })
    }
    for (let left = maxAttempts; ; left--) {
      change(job, { state: 'sending', share: 0 })
      try {
        await send(job.prepared.file, {
          signal: job.abort.signal,
          place: formatPlace(batch, job.key),
          onProgress: (share) => change(job, { share, state: share < 1 ? 'sending' : 'drawing' }),
        })
        return
      } catch (fault) {
        if (job.abort.signal.aborted || left <= 1 || !isUnreachable(fault)) throw fault
        change(job, { state: 'lost' })
        await pause(pauseMs(fault, maxAttempts - left), job.abort.signal)
      }
    }
  }

  return {
    add: (files) => {
      jobs = [
        ...jobs,
        ...files.map(
          (file): Job => ({
            ...initialState,
            key: ++keys,
            name: file.name,
            file,
            abort: new AbortController(),
          }),
        ),
      ]
      notifyListeners()
      startNext()
    },
    retry: (key) => {
      const job = jobs.find((one) => one.key === key && one.state === 'failed')
      if (!job) return
      change(job, { state: 'waiting', fault: null })
      startNext()
    },
    cancel: (key) => {
      const job = jobs.find((one) => one.key === key)
      job?.abort.abort()
      jobs = jobs.filter((one) => one !== job)
      notifyListeners()
      startNext()
    },
    stop: () => {
      for (const { abort } of jobs) abort.abort()
      jobs = []
    },
    list: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Returns the delay that the server asked for, or an increasing one, in ms. */
const pauseMs = (fault: unknown, tried: number): number => {
  const asked = fault instanceof ApiError ? fault.retryAfterSeconds : undefined
  return asked === undefined ? 1000 * 2 ** tried : asked * 1000
}

const newBatch = (): string =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
