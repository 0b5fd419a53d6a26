import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

const { resolve } = createRequire(import.meta.url)
/** One object, so that WebAssembly is compiled once, and never fetched from the web. */
const overrides = { wasmBinary: readFileSync(resolve('zxing-wasm/writer/zxing_writer.wasm')) }

/** The dark squares of a code, in modules, inside the quiet zone that a camera needs. */
export type QrCode = { size: number; squares: readonly { x: number; y: number; width: number }[] }

/** The quiet zone in modules, as the standard requires. */
export const quietZoneModules = 4

/** Returns a QR code that is readable with a quarter of it dirty or torn off. */
export async function createQrCode(text: string): Promise<QrCode> {
  await prepareZXingModule({ overrides, fireImmediately: true })
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode', ecLevel: 'Q' })
  if (error || !symbol) throw new Error(`No QR code: ${error}`)
  const { data, width, height } = symbol
  const squares = Array.from({ length: height }, (_, y) =>
    runsOf(data.subarray(y * width, (y + 1) * width), y),
  )
  return { size: width + 2 * quietZoneModules, squares: squares.flat() }
}

/** Joins adjacent squares, or a printer would show the seams. */
function runsOf(row: Uint8ClampedArray, y: number): { x: number; y: number; width: number }[] {
  const runs: { x: number; y: number; width: number }[] = []
  for (const [x, shade] of row.entries()) {
    const last = runs.at(-1)
    if (shade !== 0) continue
    if (last && last.x + last.width === x + quietZoneModules) last.width++
    else runs.push({ x: x + quietZoneModules, y: y + quietZoneModules, width: 1 })
  }
  return runs
}
