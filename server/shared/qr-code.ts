import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

const { resolve } = createRequire(import.meta.url)
/** On its own the package would fetch its program from the web. The same each time, or it would be compiled anew. */
const overrides = { wasmBinary: readFileSync(resolve('zxing-wasm/writer/zxing_writer.wasm')) }

/** The dark squares of a code, in units of one of them, inside the white edge that a camera needs. */
export type QrCode = { size: number; squares: readonly { x: number; y: number; width: number }[] }

/** As wide as the standard asks for. */
export const codeEdge = 4

/** Of a quarter of the code it may be dirty or torn off, as a sheet in the rain is. */
export async function qrCodeOf(text: string): Promise<QrCode> {
  await prepareZXingModule({ overrides, fireImmediately: true })
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode', ecLevel: 'Q' })
  if (error || !symbol) throw new Error(`No QR code: ${error}`)
  const { data, width, height } = symbol
  const squares = Array.from({ length: height }, (_, y) =>
    runsOf(data.subarray(y * width, (y + 1) * width), y),
  )
  return { size: width + 2 * codeEdge, squares: squares.flat() }
}

/** Side by side they are one, or a printer would show the seams. */
function runsOf(row: Uint8ClampedArray, y: number): { x: number; y: number; width: number }[] {
  const runs: { x: number; y: number; width: number }[] = []
  for (const [x, shade] of row.entries()) {
    const last = runs.at(-1)
    if (shade !== 0) continue
    if (last && last.x + last.width === x + codeEdge) last.width++
    else runs.push({ x: x + codeEdge, y: y + codeEdge, width: 1 })
  }
  return runs
}
