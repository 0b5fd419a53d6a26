import { photoAddress } from '@keyturn/contract/shared/photo-files.ts'
import { expect } from 'vitest'
import type { TestPerson, TestServerLike } from '../support/people.ts'
import { aPicture } from '../support/pictures.ts'
import { aCarForm } from '../support/sales/deals.ts'
import { createProxyClient, type ProxyClient } from './proxy-client.ts'

export async function signIn(
  tlsPort: number,
  { email, password }: TestPerson,
  headers: Record<string, string> = {},
): Promise<ProxyClient> {
  const client = createProxyClient(tlsPort)
  const response = await client.send('POST', '/auth/login', { body: { email, password }, headers })
  expect(response.status, response.text).toBe(200)
  return client
}

/** Uploads a photo through the proxy, and reads it there and from each server. */
export async function expectSharedPhoto(
  client: ProxyClient,
  query: TestServerLike['query'],
  servers: readonly number[],
): Promise<void> {
  const car = await client.send('POST', '/cars/input', { body: aCarForm() })
  const path = `/cars/photos/${car.json._id}`
  const added = await client.send('POST', path, { file: await aPicture(900, 600) })
  expect(added.status, added.text).toBe(201)
  const [photo] = await query<{ id: string }>(`select photos -> 0 ->> 'id' as id from cars where id = $1`, [
    car.json._id,
  ])
  const address = photoAddress({ id: photo?.id ?? '' }, 320, 'jpg')
  for (const port of [0, ...servers])
    expect((await client.send('GET', address, {}, port)).status, `at ${port}`).toBe(200)
}
