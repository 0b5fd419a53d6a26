import { ApiError } from '@keyturn/contract/shared/error.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { isUnreachable } from '../../../api/errors.ts'

/** A picture on its way: how far it is, and what a person can do about it. */
export type Upload = {
  key: number
  name: string
  /** A small picture of it as a `data:` address, once it was read. */
  preview: string | null
  state: 'waiting' | 'preparing' | 'sending' | 'drawing' | 'lost' | 'failed'
  /** How much has left, from 0 to 1. */
  share: number
  fault: unknown
}

export type Prepared = { file: Blob; preview: string | null }
export type SendPhoto = (
  file: Blob,
  uploading: { signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<{ photo: Photo }>

type Ways = {
  prepare: (file: File) => Promise<Prepared>
  send: SendPhoto
  /** Waits before a picture is sent again; ends early when the line is back. */
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

/** The server takes four pictures of one person at a time. */
const atOnce = 3
/** Then it is for the person to say whether it is worth another try. */
const tries = 6

type Job = Upload & { file: File; prepared: Prepared | null; abort: AbortController; running: boolean }

const fresh = {
  preview: null,
  state: 'waiting',
  share: 0,
  fault: null,
  prepared: null,
  running: false,
} as const

/**
 * Sends pictures, a few at a time and in the order in which they were chosen. One whose line was lost is sent again by
 * itself; the server knows what it has already, so that nothing is there twice.
 */
export function openUploads({ prepare, send, pause }: Ways): Uploads {
  let jobs: Job[] = []
  let shown: readonly Upload[] = []
  let keys = 0
  const listeners = new Set<() => void>()

  function tell() {
    shown = jobs.map((job) => ({ ...job }))
    for (const listener of listeners) listener()
  }

  function change(job: Job, changes: Partial<Job>) {
    Object.assign(job, changes)
    tell()
  }

  function next() {
    const running = jobs.filter((job) => job.running).length
    const waiting = jobs.filter((job) => job.state === 'waiting' && !job.running)
    for (const job of waiting.slice(0, atOnce - running)) void run(job)
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
      tell()
      next()
    }
  }

  async function work(job: Job) {
    if (!job.prepared) {
      change(job, { state: 'preparing' })
      job.prepared = await prepare(job.file)
      change(job, { preview: job.prepared.preview })
    }
    for (let left = tries; ; left--) {
      change(job, { state: 'sending', share: 0 })
      try {
        await send(job.prepared.file, {
          signal: job.abort.signal,
          onProgress: (share) => change(job, { share, state: share < 1 ? 'sending' : 'drawing' }),
        })
        return
      } catch (fault) {
        if (job.abort.signal.aborted || left <= 1 || !isUnreachable(fault)) throw fault
        change(job, { state: 'lost' })
        await pause(pauseMs(fault, tries - left), job.abort.signal)
      }
    }
  }

  return {
    add: (files) => {
      jobs = [
        ...jobs,
        ...files.map(
          (file): Job => ({ ...fresh, key: ++keys, name: file.name, file, abort: new AbortController() }),
        ),
      ]
      tell()
      next()
    },
    retry: (key) => {
      const job = jobs.find((one) => one.key === key && one.state === 'failed')
      if (!job) return
      change(job, { state: 'waiting', fault: null })
      next()
    },
    cancel: (key) => {
      const job = jobs.find((one) => one.key === key)
      job?.abort.abort()
      jobs = jobs.filter((one) => one !== job)
      tell()
      next()
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

/** As long as the server says, else a little longer each time. */
const pauseMs = (fault: unknown, tried: number): number => {
  const asked = fault instanceof ApiError ? fault.retryAfterSeconds : undefined
  return asked === undefined ? 1000 * 2 ** tried : asked * 1000
}
