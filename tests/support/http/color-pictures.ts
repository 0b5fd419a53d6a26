import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

// Pictures of one color in a color space that their ICC profile names, written byte by byte.

export const be32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}

/** Encodes a chunk of a PNG. */
export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([be32(data.length), named, be32(crc32(named))])
}

type Matrix = readonly [Color, Color, Color]
export type Color = readonly [number, number, number]
/** The columns are the XYZ of red, green and blue under D50; a gray space has none. */
type ColorSpace = { matrix?: Matrix; gamma: number | 'sRGB' }

export const colorSpaces = {
  sRGB: {
    matrix: [
      [0.4360747, 0.3850649, 0.1430804],
      [0.2225045, 0.7168786, 0.0606169],
      [0.0139322, 0.0971045, 0.7141733],
    ],
    gamma: 'sRGB',
  },
  'Display P3': {
    matrix: [
      [0.5151187, 0.291977, 0.1571046],
      [0.241196, 0.6922455, 0.0665741],
      [-0.0010505, 0.0418854, 0.7840729],
    ],
    gamma: 'sRGB',
  },
  'Adobe RGB': {
    matrix: [
      [0.6097559, 0.2052401, 0.149224],
      [0.3111242, 0.625656, 0.0632197],
      [0.0194811, 0.0608902, 0.7448387],
    ],
    gamma: 2.19921875,
  },
  gray: { gamma: 2.2 },
} as const satisfies Record<string, ColorSpace>

const xyzToLinear: Matrix = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
]
const multiply = (matrix: Matrix, [x, y, z]: Color) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Color
const each = (color: Color, change: (value: number) => number) => color.map(change) as unknown as Color

/** The color, from 0 to 255 in this space, as sRGB from 0 to 255. */
export function toSrgb({ matrix, gamma }: ColorSpace, color: Color): Color {
  const linear = each(color, (value) =>
    gamma !== 'sRGB'
      ? (value / 255) ** gamma
      : value / 255 <= 0.04045
        ? value / 255 / 12.92
        : ((value / 255 + 0.055) / 1.055) ** 2.4,
  )
  const rgb = matrix ? multiply(xyzToLinear, multiply(matrix, linear)) : linear
  return each(rgb, (value) => 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
}

const fixed = (value: number) => be32(Math.round(value * 65536))

/** Encodes an ICC profile with a matrix, or of gray, and one curve. */
function iccProfile({ matrix, gamma }: ColorSpace): Buffer {
  const xyz = (values: readonly number[]) =>
    Buffer.concat([Buffer.from('XYZ \0\0\0\0'), ...values.map(fixed)])
  const curve = gamma === 'sRGB' ? [3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] : [0, gamma]
  const [type = 0, ...parameters] = curve
  const para = Buffer.concat([
    Buffer.from('para\0\0\0\0'),
    Buffer.from([0, type, 0, 0]),
    ...parameters.map(fixed),
  ])
  const white = [0.9642, 1, 0.8249]
  const column = (index: 0 | 1 | 2) => xyz(matrix?.map((row) => row[index]) ?? [])
  const tags: [string, Buffer][] = matrix
    ? [
        ['wtpt', xyz(white)],
        ['rXYZ', column(0)],
        ['gXYZ', column(1)],
        ['bXYZ', column(2)],
        ['rTRC', para],
        ['gTRC', para],
        ['bTRC', para],
      ]
    : [
        ['wtpt', xyz(white)],
        ['kTRC', para],
      ]
  let offset = 128 + 4 + 12 * tags.length
  const table = tags.map(([name, { length }]) => {
    const row = Buffer.concat([Buffer.from(name), be32(offset), be32(length)])
    offset += length
    return row
  })
  const header = Buffer.alloc(128)
  be32(offset).copy(header, 0)
  be32(0x04300000).copy(header, 8)
  header.write(`mntr${matrix ? 'RGB ' : 'GRAY'}XYZ `, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat(white.map(fixed)).copy(header, 68)
  return Buffer.concat([header, be32(tags.length), ...table, ...tags.map(([, data]) => data)])
}

type Kind = { depth: 8 | 16; space?: ColorSpace; hasAlpha?: boolean }
const [width, height] = [64, 48]

/** A PNG of one color, given from 0 to 255 in its space. Gray takes the first value. */
export function aColoredPng(color: Color, { depth, space, hasAlpha = false }: Kind): Buffer {
  const isGray = space !== undefined && !space.matrix
  const values = [...(isGray ? color.slice(0, 1) : color), ...(hasAlpha ? [255] : [])]
  const pixel = Buffer.concat(
    values.map((value) => (depth === 8 ? Buffer.from([value]) : be32(value * 257).subarray(2))),
  )
  const row = Buffer.concat([Buffer.from([0]), ...Array<Buffer>(width).fill(pixel)])
  const type = (isGray ? 0 : 2) + (hasAlpha ? 4 : 0)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([be32(width), be32(height), Buffer.from([depth, type, 0, 0, 0])])),
    space
      ? chunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(iccProfile(space))]))
      : Buffer.alloc(0),
    chunk('IDAT', deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same as JPEG. */
export async function aColoredJpeg([r, g, b]: Color, space: ColorSpace): Promise<Buffer> {
  const plain = await sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const data = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), iccProfile(space)])
  const app2 = Buffer.concat([Buffer.from([0xff, 0xe2]), be32(data.length + 2).subarray(2), data])
  return Buffer.concat([plain.subarray(0, 2), app2, plain.subarray(2)])
}
