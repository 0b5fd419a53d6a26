import { afterAll } from 'vitest'
import { browserAt } from '../support/at-address.ts'
import { addressOf, aFolder, start } from '../support/start.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

export type TwoServers = TestServer & {
  /** Address of the next request, for callers without a browser. */
  address(): string
}

/**
 * Starts a test server and a second one in another process on the same database. Requests
 * alternate.
 */
export async function startTwoServers(wishes: Record<string, string> = {}): Promise<TwoServers> {
  const shared = {
    SESSION_SECRET: 'one secret for both of these processes',
    RATE_LIMITS: 'off',
    DEMO: '0',
    ...wishes,
  }
  const house = await startTestServer(shared)
  const settings = { ...shared, DATABASE_URL: house.databaseUrl, DATA_DIR: aFolder(afterAll), PORT: '0' }
  const second = start(settings, afterAll)
  await second.says('ready: ')
  const addresses = [await house.app.listen({ host: '127.0.0.1', port: 0 }), addressOf(second)]
  let asked = 0
  const address = () => addresses[asked++ % addresses.length] as string
  return { ...house, address, browser: () => browserAt(address) }
}
