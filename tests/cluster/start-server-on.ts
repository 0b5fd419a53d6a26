import { minimalSettings, type ServerProcess, startServerProcess } from '../support/server-process.ts'
import type { TestServer } from '../support/test-server.ts'

type Settings = Record<string, string>

/** Starts a server in a separate process, and waits until it is ready. */
export async function startServerOn(
  testServer: Pick<TestServer, 'databaseUrl'>,
  settings?: Settings,
): Promise<ServerProcess> {
  const server = startServerProcess({ ...minimalSettings(testServer.databaseUrl), ...settings })
  await server.says('Keyturn is ready')
  return server
}
