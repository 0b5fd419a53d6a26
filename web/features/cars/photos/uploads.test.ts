import { ApiError } from '@keyturn/contract/shared/error.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { expect, test } from 'vitest'
import { createUploads, type SendPhoto } from './uploads.ts'

const photo = { id: '', width: 1, height: 1, placeholder: '', caption: '' } satisfies Photo
const file = (name: string) => new File([name], name)
const turns = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Uploads with responses controlled by the test. */
function controlledUploads() {
  const sent: {
    name: string
    end: (fault?: unknown) => void
    onProgress: (share: number) => void
    signal: AbortSignal
  }[] = []
  const pauses: number[] = []
  const send: SendPhoto = async (blob, uploading) => {
    const name = await blob.text()
    return new Promise((resolve, reject) => {
      uploading.signal.addEventListener('abort', () => reject(uploading.signal.reason))
      sent.push({ ...uploading, name, end: (fault) => (fault ? reject(fault) : resolve({ photo })) })
    })
  }
  const uploads = createUploads({
    prepare: async (one) => ({ file: one, preview: `data:${one.name}` }),
    send,
    pause: async (ms) => void pauses.push(ms),
  })
  return { uploads, sent, pauses, states: () => uploads.list().map(({ name, state }) => `${name} ${state}`) }
}

const gone = new ApiError('Offline', 0, 'away')
const busy = new ApiError('TooManyRequests', 429, 'busy', { retryAfterSeconds: 2 })
const slow = new ApiError('RequestTimeout', 408, 'slow')
const damaged = new ApiError('PhotoUnreadable', 422, 'damaged')

test('sends three photos concurrently in the chosen order, and the next when one is done', async () => {
  const { uploads, sent, states } = controlledUploads()
  uploads.add(['a', 'b', 'c', 'd', 'e'].map(file))
  await turns()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  sent[1]?.end()
  await turns()
  expect(states()).toEqual(['a sending', 'c sending', 'd sending', 'e waiting'])
})

test('reports the progress, and when only the server is still working', async () => {
  const { uploads, sent } = controlledUploads()
  uploads.add([file('a')])
  await turns()
  sent[0]?.onProgress(0.4)
  expect(uploads.list()).toMatchObject([{ share: 0.4, state: 'sending', preview: 'data:a' }])
  sent[0]?.onProgress(1)
  expect(uploads.list()).toMatchObject([{ state: 'drawing' }])
})

test('retries a picture after a lost connection, a timeout and a rate limit', async () => {
  const { uploads, sent, pauses, states } = controlledUploads()
  uploads.add([file('a')])
  await turns()
  sent[0]?.end(gone)
  await turns()
  sent[1]?.end(busy)
  await turns()
  sent[2]?.end(slow)
  await turns()
  expect([sent.length, pauses]).toEqual([4, [1000, 2000, 4000]])
  sent[3]?.end()
  await turns()
  expect(states()).toEqual([])
})

test('leaves the retry to the person after repeated failures or a rejected picture', async () => {
  const { uploads, sent, states } = controlledUploads()
  uploads.add([file('a'), file('b')])
  await turns()
  sent[1]?.end(damaged)
  for (let at = 0; at < 7; at++) {
    sent.findLast(({ name }) => name === 'a')?.end(gone)
    await turns()
  }
  expect(states()).toEqual(['a failed', 'b failed'])
  expect(uploads.list()[1]?.fault).toBe(damaged)
  const before = sent.length
  uploads.retry(uploads.list()[0]?.key ?? 0)
  await turns()
  expect([sent.length, states()]).toEqual([before + 1, ['a sending', 'b failed']])
})

test('removes a canceled upload immediately and starts the next one', async () => {
  const { uploads, sent, states } = controlledUploads()
  uploads.add(['a', 'b', 'c', 'd'].map(file))
  await turns()
  uploads.cancel(uploads.list()[0]?.key ?? 0)
  await turns()
  expect(sent[0]?.signal.aborted).toBe(true)
  expect(states()).toEqual(['b sending', 'c sending', 'd sending'])
})
