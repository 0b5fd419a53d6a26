import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { be32, chunk } from './http/color-pictures.ts'

// Pictures that attack the server.

/** Returns a black, interlaced PNG, which is decoded as a whole. 50 megapixels take 25 kB. */
export function aPng(width: number, height: number, pixels = adam7(width, height)): Buffer {
  const header = Buffer.concat([be32(width), be32(height), Buffer.from([4, 0, 0, 0, 1])])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the rows of the seven passes, each preceded by its filter byte. */
function adam7(width: number, height: number): Buffer {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const sizes = passes.map(([x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return rows * (1 + Math.ceil(columns / 2))
  })
  return Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0))
}

const script = '<script>alert(document.domain)</script>'
export const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${script}</svg>`)

/** Returns a picture of noise, in which any lost byte shows. */
export const aNoisyPicture = (format: 'jpeg' | 'png' | 'webp', width = 400): Promise<Buffer> =>
  sharp({
    create: {
      width,
      height: width,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })
    .toFormat(format)
    .toBuffer()

/** Returns a file that is valid as both a picture and an HTML page. */
export const aPolyglot = async (format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> =>
  Buffer.concat([await aNoisyPicture(format), Buffer.from(`<html><body>${script}</body></html>PK\x03\x04`)])
