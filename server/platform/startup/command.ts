import { type Config, readConfig } from '../../config.ts'
import { openEmbedded } from '../../integrations/embedded-postgres/open.ts'
import { runningIn } from '../../integrations/embedded-postgres/running.ts'

// What commands beside the server start with: they neither sign anybody in nor make a secret.

const unused = '-'.repeat(32)
const noSecrets = {
  SESSION_SECRET: unused,
  EVIDENCE_KEY: unused,
  ADMIN_PASSWORD: unused,
  VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
}

/** Commands need sessions of their own, and go past a pooler. */
export function readCommandConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig({ ...env, ...noSecrets, NODE_ENV: undefined })
  return { ...config, databaseUrl: config.databaseDirectUrl ?? config.databaseUrl }
}

/** The database of the settings, whether the server runs or not. */
export async function connectBeside({ databaseUrl, dataDir }: Config, say: (line: string) => void) {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  const connection = runningIn(dataDir)
  return connection ? { connection, stop: async () => {} } : openEmbedded({ dataDir, onProgress: say })
}
