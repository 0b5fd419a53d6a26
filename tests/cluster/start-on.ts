import { aFolder, type Started, start } from '../support/start.ts'
import type { TestServer } from '../support/test-server.ts'

type Settings = Record<string, string>

/** Settings for this server's database and a free port, without the demo. */
export const settingsOn = (
  { databaseUrl }: Pick<TestServer, 'databaseUrl'>,
  settings: Settings = {},
): Settings => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: settings.DATA_DIR ?? aFolder(),
  PORT: '0',
  DEMO: '0',
  ...settings,
})

/** Starts a server in a separate process, and waits until it is ready. */
export async function startOn(
  testServer: Pick<TestServer, 'databaseUrl'>,
  settings?: Settings,
): Promise<Started> {
  const server = start(settingsOn(testServer, settings))
  await server.says('Keyturn is ready')
  return server
}
