import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')

/** Decodes a picture of a QR code. `edge` is the left margin as a fraction of the width. */
export async function readQrCode(file: Buffer) {
  await prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm) }, fireImmediately: true })
  const onWhite = await sharp(file).flatten({ background: '#fff' }).png().toBuffer()
  const { data, info } = await sharp(onWhite).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' }
  const [read] = await readBarcodes(pixels as ImageData, { formats: ['QRCode'] })
  const { info: trimmed } = await sharp(onWhite).trim().toBuffer({ resolveWithObject: true })
  return { text: read?.text, width, edge: -(trimmed.trimOffsetLeft ?? 0) / width }
}
