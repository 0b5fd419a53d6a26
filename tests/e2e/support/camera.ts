import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer'
import { test as base } from './test.ts'

export { expect } from './test.ts'

type CameraCode = {
  format: WriteInputBarcodeFormat
  text: string
  /** Width of the code in the frame, in pixels. */
  width: number
  degrees?: number
  /** Blur radius in pixels. */
  blur?: number
}

type Camera = {
  /** Shows these codes as soon as the camera is next turned on. */
  show: (...codes: CameraCode[]) => Promise<void>
  /** Returns a photo of the code for a file input. */
  photograph: (
    code: Pick<CameraCode, 'format' | 'text'>,
  ) => Promise<{ name: string; mimeType: string; buffer: Buffer }>
}

/** Context options of a phone. */
export const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Runs Chromium with a fake camera that shows the given codes. */
export const test = base.extend<{ camera: Camera }, { videoFile: string }>({
  videoFile: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructured parameter.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'keyturn-camera-'))
      const videoFile = join(folder, 'video.y4m')
      writeFileSync(videoFile, encodeVideo(new Uint8Array(frameWidth * frameHeight).fill(backgroundGray)))
      await use(videoFile)
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],

  launchOptions: [
    async ({ launchOptions, videoFile }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--use-file-for-fake-video-capture=${videoFile}`],
      }),
    { scope: 'worker' },
  ],

  camera: async ({ videoFile }, use) => {
    prepareZXingModule({ overrides: { wasmBinary } })
    await use({
      show: async (...codes) => writeFileSync(videoFile, encodeVideo(await renderFrame(codes))),
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
/** White paper around a code, in modules. */
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
  // A camera shows neither pure white nor pure black.
  return Uint8Array.from(blurred, (value) => 45 + value * 0.65)
}

type Symbol = Awaited<ReturnType<typeof writeBarcode>>['symbol']

/** Each pixel is the mean of nine samples. */
function drawCode(
  gray: Float32Array,
  symbol: Symbol,
  { width, degrees = 0 }: CameraCode,
  centerY: number,
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
      const background = gray[at] ?? 0
      let sum = 0
      for (const dy of parts)
        for (const dx of parts) sum += brightnessAt(x + dx - frameWidth / 2, y + dy - centerY) ?? background
      gray[at] = sum / 9
    }
}

/** Box blur along rows and then columns, twice, which approximates an unfocused lens. */
function blur(gray: Float32Array, radius: number): Float32Array {
  let from = gray
  if (radius > 0)
    for (const step of [1, frameWidth, 1, frameWidth]) from = blurInDirection(from, step, radius)
  return from
}

const blurInDirection = (from: Float32Array, step: number, radius: number): Float32Array =>
  from.map((value, at) => {
    let sum = 0
    for (let i = -radius; i <= radius; i++) sum += from[at + i * step] ?? value
    return sum / (2 * radius + 1)
  })

const wasmBinary = Uint8Array.from(
  readFileSync(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))),
).buffer
