import { expect, test } from 'vitest'
import {
  aNewcomer,
  anUnapprovedWholesaler,
  aWholesaler,
  type TestPerson,
} from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { findActor } from './actor-repository.ts'
import { hashToken } from './cookies.ts'

// Tests each condition of the query for the caller alone, because ending a session changes several
// of them together.

const server = await startTestServer()
const whoIs = (person: TestPerson) =>
  findActor(server.deps.db, { hash: hashToken(person.cookies.get('at') ?? '') })

test('reads from the row whether the caller is verified and approved', async () => {
  const people = [
    await aNewcomer(server, 'WHOLESALER'),
    await anUnapprovedWholesaler(server),
    await aWholesaler(server),
  ]
  const rights = (await Promise.all(people.map(whoIs))).map(([row]) => [row?.verified, row?.approved])
  expect(rights).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
})

test.each([
  ['an access token that has expired', 'update access_tokens set expires_at = keyturn_now()'],
  ['a session that was ended', 'update sessions set ended_at = keyturn_now()'],
  ['an expired session whose access token is still valid', 'update sessions set expires_at = keyturn_now()'],
  ['a deleted person whose session has not ended', 'update users set deleted_at = keyturn_now()'],
])('finds nobody for %s', async (_, change) => {
  const person = await aNewcomer(server, 'SELLER')
  expect(await whoIs(person)).toMatchObject([{ id: person.id }])
  await server.query(change)
  expect(await whoIs(person)).toEqual([])
})
