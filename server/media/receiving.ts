import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { photoBounds } from '@keyturn/contract/kit/photo.ts'
import { photoRefusals } from '@keyturn/contract/kit/photo-texts.ts'
import { Refusal, refuse } from '@keyturn/contract/kit/refusal.ts'
import type { Upload } from '../http/body.ts'

/**
 * Writes what comes in to a file, piece by piece, and answers its digest. Refuses what is too large as soon as that is
 * known, and what does not begin as a picture does: what the file is called, or says of itself, is nobody's proof.
 */
export async function receive({ bytes, length }: Upload, path: string): Promise<string> {
  if (length !== null && length > photoBounds.bytes) throw photoRefusals.PhotoTooLarge()
  const digest = createHash('sha256')
  const file = await open(path, 'wx')
  let size = 0
  let head = Buffer.alloc(0)
  try {
    // Left alone where this ends early: the answer goes out over the same connection.
    for await (const piece of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > photoBounds.bytes) throw photoRefusals.PhotoTooLarge()
      if (head.length < headLength) {
        head = Buffer.concat([head, piece.subarray(0, headLength)])
        if (head.length >= headLength && !beginsAsPicture(head)) throw photoRefusals.NotAPhoto()
      }
      digest.update(piece)
      await file.write(piece)
    }
  } catch (error) {
    // Whoever sent it is gone in the middle, and reads no answer.
    throw error instanceof Refusal || isOfDisk(error) ? error : refuse.BadRequest()
  } finally {
    await file.close()
  }
  if (!beginsAsPicture(head)) throw photoRefusals.NotAPhoto()
  return digest.digest('base64url')
}

const headLength = 12

const isOfDisk = (error: unknown) => (error as NodeJS.ErrnoException).syscall === 'write'

/** JPEG, PNG, or WebP in its container. */
const beginsAsPicture = (head: Buffer): boolean =>
  head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  head.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) ||
  (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
