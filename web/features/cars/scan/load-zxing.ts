import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
// Served from this site; by default the library would fetch it from a third party.
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { CodeReader } from './open-reader.ts'

const options: ReaderOptions = {
  formats: ['Code39', 'Code128', 'DataMatrix', 'QRCode'],
  tryHarder: true,
  tryInvert: false,
}

/** The library compares this by identity: a new object would compile the module again. */
const overrides = { locateFile: () => wasmUrl }

/** Resolves once ZXing is loaded, so that a lost connection is noticed before scanning. */
export async function loadZxing(): Promise<CodeReader> {
  await prepareZXingModule({ overrides, fireImmediately: true })
  return {
    read: async (picture) => {
      const pixels = picture.getContext('2d')?.getImageData(0, 0, picture.width, picture.height)
      return pixels ? (await readBarcodes(pixels, options)).map(({ text }) => text) : []
    },
    // A VIN in Code 39 is eight times as long as it is high, so a level line crosses it at up to 7
    // degrees.
    tilts: [0, 10, -10, 20, -20],
  }
}
