import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type Readable, Transform } from 'node:stream'
import { ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'
import { photoBounds } from '@keyturn/contract/shared/photo.ts'
import { photoErrors } from '@keyturn/contract/shared/photo-texts.ts'
import type { Upload } from '../http/request-body.ts'

/** Minimum average of `bytesPerSecond` in every `windowMs`, including the first. */
export type MinimumRate = { bytesPerSecond: number; windowMs: number }
/** Counts bytes written to disk; throws when the total is too large. */
export type OnBytesWritten = (count: number) => void

/**
 * Writes an upload to a file and returns its digest. Throws early if it is too large, too slow, or
 * has no image signature. File name and content type are not trusted.
 */
export async function receiveUpload(
  { bytes, length }: Upload,
  path: string,
  { rate, countBytes, signal }: { rate: MinimumRate; countBytes: OnBytesWritten; signal: AbortSignal },
): Promise<string> {
  if (length !== null && length > photoBounds.bytes) throw photoErrors.PhotoTooLarge()
  const digest = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  let head = Buffer.alloc(0)
  try {
    for await (const piece of atMinimumRate(bytes, rate, signal) as AsyncIterable<Buffer>) {
      size += piece.length
      countBytes(piece.length)
      if (size > photoBounds.bytes) throw photoErrors.PhotoTooLarge()
      if (head.length < headLength) {
        head = Buffer.concat([head, piece.subarray(0, headLength)])
        if (head.length >= headLength && !hasImageSignature(head)) throw photoErrors.NotAPhoto()
      }
      digest.update(piece)
      await file.write(piece)
    }
  } catch (error) {
    // Any other error means that the client disconnected, so nobody reads this response.
    throw error instanceof ApiError || isDiskError(error) ? error : apiErrors.BadRequest()
  } finally {
    await file.close()
  }
  if (!hasImageSignature(head)) throw photoErrors.NotAPhoto()
  return digest.digest('base64url')
}

/**
 * Passes the bytes on until they arrive too slowly (R-everywhere-11) or `signal` aborts. Uses a
 * separate stream, because destroying the request would close the connection before the response.
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
    // Buffered bytes arrived in time and wait for the local disk.
    if (isTooSlow && passed.readableLength === 0) passed.destroy(apiErrors.RequestTimeout())
  }, windowMs)
  passed.once('close', () => clearInterval(timer))
  signal.addEventListener('abort', () => passed.destroy(signal.reason), { once: true })
  bytes.once('error', (error) => passed.destroy(error))
  // The client may have disconnected before reading began.
  const end = () => bytes.readableEnded || passed.destroy()
  if (bytes.destroyed) end()
  else bytes.once('close', end)
  return bytes.pipe(passed)
}

const headLength = 12

const isDiskError = (error: unknown) => (error as NodeJS.ErrnoException).syscall === 'write'

/** Signatures of JPEG, PNG and WebP. */
const hasImageSignature = (head: Buffer): boolean =>
  head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) ||
  (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
