import { expect, test } from 'vitest'
import { aNewcomer } from '../../../../tests/support/people.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { findUser, lockUser, lockUserForShare } from './user-repository.ts'

const server = await startTestServer()
const { db } = server.deps

test('does not find or lock a deleted person', async () => {
  const { id } = await aNewcomer(server, 'SELLER')
  const found = () =>
    Promise.all([findUser, lockUser, lockUserForShare].map(async (find) => (await find(db, { id })).length))
  expect(await found()).toEqual([1, 1, 1])
  await server.query('update users set deleted_at = keyturn_now() where id = $1', [id])
  expect(await found()).toEqual([0, 0, 0])
})
