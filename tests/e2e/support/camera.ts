import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer'
import { test as base } from './test.ts'

export { expect } from './test.ts'

/** A code in front of a camera. */
type CameraCode = {
  format: WriteInputBarcodeFormat
  text: string
  /** Of the code in the picture, in pixels. */
  width: number
  degrees?: number
  /** Blur radius in pixels. */
  blur?: number
}

type Camera = {
  /** Takes effect the next time the camera is turned on. */
  show: (...codes: CameraCode[]) => Promise<void>
  /** A photo to choose as a file. */
  photograph: (
    code: Pick<CameraCode, 'format' | 'text'>,
  ) => Promise<{ name: string; mimeType: string; buffer: Buffer }>
}

/** A phone, whose owner may have allowed the camera. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Chromium with a camera that shows what the test holds before it. */
export const test = base.extend<{ camera: Camera }, { film: string }>({
  film: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it what is needed.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'keyturn-camera-'))
      const film = join(folder, 'film.y4m')
      writeFileSync(film, encodeVideo(new Uint8Array(frameWidth * frameHeight).fill(backgroundGray)))
      await use(film)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],

  launchOptions: [
    async ({ launchOptions, film }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--use-file-for-fake-video-capture=${film}`],
      }),
    { scope: 'worker' },
  ],

  camera: async ({ film }, use) => {
    prepareZXingModule({ overrides: { wasmBinary } })
    await use({
      show: async (...codes) => writeFileSync(film, encodeVideo(await renderFrame(codes))),
      photograph: async ({ text, format }) => {
        const { image, error } = await writeBarcode(text, { format, scale: 4 })
        if (!image) throw new Error(error)
        return { name: 'label.png', mimeType: 'image/png', buffer: Buffer.from(await image.arrayBuffer()) }
      },
    })
  },
})

const frameWidth = 1280
const frameHeight = 720
const backgroundGray = 190
/** Of white paper around a code, in its narrowest lines. */
const margin = 4

/** One repeated frame: a brightness plane, then two neutral color planes. */
const encodeVideo = (gray: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${frameWidth} H${frameHeight} F10:1 Ip A1:1 C420jpeg\nFRAME\n`),
    gray,
    Buffer.alloc((frameWidth * frameHeight) / 2, 128),
  ])

async function renderFrame(codes: CameraCode[]): Promise<Uint8Array> {
  const gray = new Float32Array(frameWidth * frameHeight).fill(backgroundGray)
  for (const [i, code] of codes.entries()) {
    const { symbol, error } = await writeBarcode(code.text, { format: code.format, scale: 1 })
    if (error) throw new Error(error)
    drawCode(gray, symbol, code, (frameHeight * (i + 0.5)) / codes.length)
  }
  const blurred = blur(gray, Math.max(0, ...codes.map((code) => code.blur ?? 0)))
  // Paper is not white before a camera, nor ink black.
  return Uint8Array.from(blurred, (value) => 45 + value * 0.65)
}

type Symbol = Awaited<ReturnType<typeof writeBarcode>>['symbol']

/** Each pixel is the mean of nine samples. */
function drawCode(
  gray: Float32Array,
  symbol: Symbol,
  { width, degrees = 0 }: CameraCode,
  middle: number,
): void {
  const scale = width / symbol.width
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const brightnessAt = (x: number, y: number) => {
    const column = Math.floor((x * cos + y * sin) / scale + symbol.width / 2)
    const row = Math.floor((y * cos - x * sin) / scale + symbol.height / 2)
    const isOnPaper =
      Math.abs(column - symbol.width / 2) < symbol.width / 2 + margin &&
      Math.abs(row - symbol.height / 2) < symbol.height / 2 + margin
    const isInside = column >= 0 && row >= 0 && column < symbol.width && row < symbol.height
    return isInside ? (symbol.data[row * symbol.width + column] ?? null) : isOnPaper ? 255 : null
  }
  const parts = [1 / 6, 1 / 2, 5 / 6]
  for (let y = 0; y < frameHeight; y++)
    for (let x = 0; x < frameWidth; x++) {
      const at = y * frameWidth + x
      const under = gray[at] ?? 0
      let sum = 0
      for (const dy of parts)
        for (const dx of parts) sum += brightnessAt(x + dx - frameWidth / 2, y + dy - middle) ?? under
      gray[at] = sum / 9
    }
}

/** Box blur along rows and then columns, twice, which approximates an unfocused lens. */
function blur(gray: Float32Array, by: number): Float32Array {
  let from = gray
  if (by > 0) for (const step of [1, frameWidth, 1, frameWidth]) from = blurAlong(from, step, by)
  return from
}

const blurAlong = (from: Float32Array, step: number, by: number): Float32Array =>
  from.map((own, at) => {
    let sum = 0
    for (let i = -by; i <= by; i++) sum += from[at + i * step] ?? own
    return sum / (2 * by + 1)
  })

const wasmBinary = Uint8Array.from(
  readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))),
).buffer
