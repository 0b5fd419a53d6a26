import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Upload } from '../http/body.ts'

/** At least `bytesPerSecond` on average over each `windowMs`, the first one included. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number }
/** Counts bytes that were written to the disk, or refuses when there are too many on it. */
export type TakeBytes = (count: number) => void

/**
 * Writes what comes in to a file, piece by piece, and answers its digest. Refuses what is too large as soon as that is
 * known, what comes too slowly, and what does not begin as a picture does: what the file is called, or says of itself, is
 * nobody's proof.
 */
export async function receive(
  { bytes, length }: Upload,
  path: string,
  { rate, takeBytes, signal }: { rate: MinimumRate; takeBytes: TakeBytes; signal: AbortSignal },
): Promise<string> {
  if (length !== null && length > photoBounds.bytes) throw photoErrors.PhotoTooLarge()
  const digest = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  let head = Buffer.alloc(0)
  try {
    for await (const piece of atMinimumRate(bytes, rate, signal) as AsyncIterable<Buffer>) {
      size += piece.length
      takeBytes(piece.length)
      if (size > photoBounds.bytes) throw photoErrors.PhotoTooLarge()
      if (head.length < headLength) {
        head = Buffer.concat([head, piece.subarray(0, headLength)])
        if (head.length >= headLength && !beginsAsPicture(head)) throw photoErrors.NotAPhoto()
      }
      digest.update(piece)
      await file.write(piece)
    }
  } catch (error) {
    // Whoever sent it is gone in the middle, and reads no answer.
    throw error instanceof ApiError || isOfDisk(error) ? error : apiErrors.BadRequest()
  } finally {
    await file.close()
  }
  if (!beginsAsPicture(head)) throw photoErrors.NotAPhoto()
  return digest.digest('base64url')
}

/**
 * The same bytes, until they come too slowly (R-everywhere-11) or `signal` ends them with its reason. A stream of its own: the request itself must not be destroyed where this ends
 * early, because the answer goes out over the same connection.
 */
function atMinimumRate(
  bytes: Readable,
  { bytesPerSecond, windowMs }: MinimumRate,
  signal: AbortSignal,
): Readable {
  let received = 0
  const passed = new Transform({
    transform(piece: Buffer, _, done) {
      received += piece.length
      done(null, piece)
    },
  })
  const timer = setInterval(() => {
    const isTooSlow = received < (bytesPerSecond * windowMs) / 1000
    received = 0
    // What waits here has come in time, and is delayed by our own disk.
    if (isTooSlow && passed.readableLength === 0) passed.destroy(apiErrors.RequestTimeout())
  }, windowMs)
  passed.once('close', () => clearInterval(timer))
  signal.addEventListener('abort', () => passed.destroy(signal.reason), { once: true })
  bytes.once('error', (error) => passed.destroy(error))
  // The sender may have left before anybody read what it sent.
  const end = () => bytes.readableEnded || passed.destroy()
  if (bytes.destroyed) end()
  else bytes.once('close', end)
  return bytes.pipe(passed)
}

const headLength = 12

const isOfDisk = (error: unknown) => (error as NodeJS.ErrnoException).syscall === 'write'

/** JPEG, PNG, or WebP in its container. */
const beginsAsPicture = (head: Buffer): boolean =>
  head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) ||
  (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
