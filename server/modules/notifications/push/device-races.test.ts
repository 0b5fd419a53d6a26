import { login } from '@keyturn/contract/accounts/endpoints.ts'
import { addDevice, renewDevice } from '@keyturn/contract/notifications/push.ts'
import { expect, test } from 'vitest'
import { raceRounds } from '../../../../tests/cluster/rounds.ts'
import { aSeller, type TestPerson } from '../../../../tests/support/people.ts'
import { startPushService } from '../../../../tests/support/push/push-service.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

const server = await startTestServer({ PUSH_PRIVATE: 'allow', PUSH_HOSTS: '127.0.0.1' })
const key = server.deps.config.push.key.publicKey

const devicesOf = ({ id }: TestPerson) =>
  server.query<{ session_id: string }>('select session_id from push_devices where user_id = $1', [id])

// R-notifications-26
test('adds one device for concurrent requests of one browser, without errors', async () => {
  const service = await startPushService()
  for (let round = 0; round < raceRounds; round++) {
    const person = await aSeller(server)
    const asked = await Promise.all(
      [...Array(4)].map((_, i) => {
        const { endpoint, keys } = service.subscribe(key)
        const body = { endpoint, keys, before: endpoint }
        return i % 2 ? person.send(addDevice, { body }) : person.send(renewDevice, { body })
      }),
    )
    for (const { status, body } of asked) expect([200, 404], body).toContain(status)
    expect(await devicesOf(person)).toHaveLength(1)
  }
})

// R-notifications-26
test('stores ten devices for twelve concurrent browsers', async () => {
  const service = await startPushService()
  const person = await aSeller(server)
  const browsers = await Promise.all(
    [...Array(12)].map(async () => {
      const browser = server.browser()
      await browser.ask(login, { body: { email: person.email, password: person.password } })
      return browser
    }),
  )
  for (let round = 0; round < 3; round++) {
    await server.query('delete from push_devices')
    await Promise.all(
      browsers.map((browser) => {
        const { endpoint, keys } = service.subscribe(key)
        return browser.ask(addDevice, { body: { endpoint, keys } })
      }),
    )
    expect(await devicesOf(person)).toHaveLength(10)
  }
})
