import { addCarPhoto } from '@keyturn/contract/cars/endpoints.ts'
import { addTradePhoto } from '@keyturn/contract/trades/endpoints.ts'
import sharp from 'sharp'
import type { Browser } from './browser.ts'

// Generated test pictures; the repository contains none.

let drawn = 0

export const aPicture = (width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: aColor() } })
    .jpeg()
    .toBuffer()

function aColor() {
  drawn++
  return { r: (drawn * 47) % 256, g: (drawn * 89) % 256, b: (drawn * 151) % 256 }
}

/** Draws a car by the road, in colors by `index`. A plain color would hide edges and crops. */
export const aScene = (index: number, width = 1600, height = 1067): Promise<Buffer> =>
  sharp(Buffer.from(drawing((index * 67) % 360, width, height)))
    .jpeg()
    .toBuffer()

const drawing = (hue: number, width: number, height: number) => `
  <svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 300 200" preserveAspectRatio="xMidYMid slice">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 78%)"/><stop offset="1" stop-color="hsl(${hue + 40} 50% 92%)"/></linearGradient></defs>
    <rect x="-300" y="-300" width="900" height="440" fill="url(#sky)"/>
    <rect x="-300" y="135" width="900" height="400" fill="hsl(${hue + 100} 12% 42%)"/>
    <path d="M60 138q4-26 34-28l26-22q34-10 70 0l22 22q30 4 32 28z" fill="hsl(${hue + 180} 55% 40%)"/>
    <path d="M104 108l20-16q24-6 30-5v21zm54-21q18-1 30 4l16 17h-46z" fill="hsl(${hue} 30% 88%)"/>
    <circle cx="100" cy="138" r="16" fill="#222"/><circle cx="204" cy="138" r="16" fill="#222"/>
    <circle cx="100" cy="138" r="7" fill="#999"/><circle cx="204" cy="138" r="7" fill="#999"/>
  </svg>`

export const asFile = (bytes: Buffer, type = 'image/jpeg') => ({ file: { bytes, type } })

type Car = { _id: string }

export const addPhoto = async (seller: Browser, car: Car, bytes?: Buffer, place?: string) =>
  seller.send(addCarPhoto, {
    params: { carId: car._id },
    ...(place !== undefined && { query: { place } }),
    ...asFile(bytes ?? (await aPicture())),
  })

export const addPhotoOfTrade = async (owner: Browser, trade: Car, bytes?: Buffer, place?: string) =>
  owner.send(addTradePhoto, {
    params: { tradeId: trade._id },
    ...(place !== undefined && { query: { place } }),
    ...asFile(bytes ?? (await aPicture())),
  })
