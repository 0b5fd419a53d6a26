import { afterAll } from 'vitest'
import { createBrowserAt } from '../support/browser-at.ts'
import { createTestFolder, serverAddress, startServerProcess } from '../support/server-process.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

export type TwoServers = TestServer & {
  /** Address of the next request, for callers without a browser. */
  address(): string
}

/**
 * Starts a test server and a second one in another process on the same database. Requests
 * alternate.
 */
export async function startTwoServers(settings: Record<string, string> = {}): Promise<TwoServers> {
  const shared = {
    SESSION_SECRET: 'one secret for both of these processes',
    RATE_LIMITS: 'off',
    DEMO: '0',
    ...settings,
  }
  const server = await startTestServer(shared)
  const secondSettings = {
    ...shared,
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: createTestFolder(afterAll),
    PORT: '0',
  }
  const second = startServerProcess(secondSettings, afterAll)
  await second.says('ready: ')
  const addresses = [await server.app.listen({ host: '127.0.0.1', port: 0 }), serverAddress(second)]
  let requests = 0
  const address = () => addresses[requests++ % addresses.length] as string
  return { ...server, address, browser: () => createBrowserAt(address) }
}
