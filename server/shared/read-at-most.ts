/** Reads the body of a response; throws when it has more bytes. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > limit) throw new Error(`The response has more than ${limit} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
