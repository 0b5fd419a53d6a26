import {
  captionTradePhoto,
  deleteTrade,
  deleteTradePhoto,
  listTrades,
  listTradesOfUser,
  orderTradePhotos,
} from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { addPhotoOfTrade, aPicture } from '../../../tests/support/pictures.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeAt, sendTradeMove, statusAndCode } from '../../../tests/support/trades.ts'

const server = await startTestServer()
const [owner, wholesaler] = [await aBuyer(server), await aWholesaler(server)]

test('lets only the owner order, caption and delete photos, and shows them to wholesalers', async () => {
  const trade = await aTrade(owner)
  const first = (await addPhotoOfTrade(owner, trade)).answer.photo
  const second = (await addPhotoOfTrade(owner, trade)).answer.photo
  const at = { tradeId: trade._id }
  const photoIds = [second.id, first.id]
  await owner.ask(orderTradePhotos, { params: at, body: { photoIds } })
  await owner.ask(captionTradePhoto, { params: { ...at, photoId: first.id }, body: { caption: 'Dent' } })
  const seen = (await wholesaler.ask(listTrades, { query: {} })).find(({ _id }) => _id === trade._id)
  expect(seen?.photos).toEqual([second, { ...first, caption: 'Dent' }])
  const incomplete = owner.send(orderTradePhotos, { params: at, body: { photoIds: [first.id] } })
  expect(await statusAndCode(incomplete)).toEqual([409, 'StaleVersion'])
  await owner.ask(deleteTradePhoto, { params: { ...at, photoId: second.id } })
  const [own] = await owner.ask(listTradesOfUser, { params: { userId: owner.id } })
  expect(own?.photos).toMatchObject([{ id: first.id }])
})

test('rejects an offer for a version without the newest photo, and returns the photo', async () => {
  const trade = await aTrade(owner)
  await addPhotoOfTrade(owner, trade)
  const offer = { status: 'OFFERED', price: 20_000, version: trade.version }
  expect(await statusAndCode(sendTradeMove(wholesaler, trade, offer))).toEqual([409, 'StaleVersion'])
})

test('does not add the same photo twice', async () => {
  const [trade, picture] = [await aTrade(owner), await aPicture()]
  const sent = [await addPhotoOfTrade(owner, trade, picture), await addPhotoOfTrade(owner, trade, picture)]
  expect(sent.map(({ status }) => status)).toEqual([201, 200])
  expect(sent[1]?.answer).toEqual(sent[0]?.answer)
})

// R-trades-33
test('rejects photo changes after an offer was accepted', async () => {
  const trade = await aTradeAt('OFFERED', { owner, wholesaler })
  const { photo } = (await addPhotoOfTrade(owner, trade)).answer
  await sendTradeMove(owner, trade, { status: 'ACCEPTED' })
  const params = { tradeId: trade._id, photoId: photo.id }
  const tries = [
    addPhotoOfTrade(owner, trade),
    owner.send(deleteTradePhoto, { params }),
    owner.send(captionTradePhoto, { params, body: { caption: 'Mint' } }),
    owner.send(orderTradePhotos, { params, body: { photoIds: [photo.id] } }),
  ]
  for (const sent of tries) expect(await statusAndCode(sent)).toEqual([409, 'PhotosFixed'])
})

test('deletes the photos with the trade', async () => {
  const trade = await aTrade(owner)
  const { photo } = (await addPhotoOfTrade(owner, trade)).answer
  await owner.ask(deleteTrade, { params: { vin: trade.vin } })
  expect(await server.query('select photos from trades where id = $1', [trade._id])).toEqual([{ photos: [] }])
  const left = await server.query('select sweep_after is null as stays from pictures where id = $1', [
    photo.id,
  ])
  expect(left).toEqual([{ stays: false }])
})
