import { addCarPhoto } from '@keyturn/contract/deals/calls.ts'
import { addTradePhoto } from '@keyturn/contract/trades/calls.ts'
import sharp from 'sharp'
import type { Browser } from './browser.ts'

// Pictures as people send them, drawn here: none of them lies in the repository.

let drawn = 0

/** A photo unlike every other one. */
export const aPicture = (width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: aColor() } })
    .jpeg()
    .toBuffer()

function aColor() {
  drawn++
  return { r: (drawn * 47) % 256, g: (drawn * 89) % 256, b: (drawn * 151) % 256 }
}

export const asFile = (bytes: Buffer, type = 'image/jpeg') => ({ file: { bytes, type } })

type Car = { _id: string }

export const addPhoto = async (seller: Browser, car: Car, bytes?: Buffer) =>
  seller.send(addCarPhoto, { params: { carId: car._id }, ...asFile(bytes ?? (await aPicture())) })

export const addPhotoOfTrade = async (owner: Browser, trade: Car, bytes?: Buffer) =>
  owner.send(addTradePhoto, { params: { tradeId: trade._id }, ...asFile(bytes ?? (await aPicture())) })
