import { type Config, readConfig } from '../../config.ts'
import { findRunningDatabase } from '../../integrations/embedded-postgres/find-running-database.ts'
import { startEmbeddedPostgres } from '../../integrations/embedded-postgres/start-embedded-postgres.ts'

// Setup of command-line tools. They neither sign users in nor create secrets.

const unused = '-'.repeat(32)
const noSecrets = {
  SESSION_SECRET: unused,
  EVIDENCE_KEY: unused,
  ADMIN_PASSWORD: unused,
  ADMIN_TOTP_SECRET: undefined,
  VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E`,
}

/**
 * Reads a command's settings. Commands need session state, so they bypass a pooler, and they work
 * without the legal texts: signed agreements have theirs.
 */
export function readCommandConfig(env: NodeJS.ProcessEnv): Config {
  const config = readConfig({ ...env, ...noSecrets, NODE_ENV: undefined, LEGAL_TEXTS_FOLDER: undefined })
  return { ...config, databaseUrl: config.databaseDirectUrl ?? config.databaseUrl }
}

/** Connects to the configured database; starts the embedded one unless the server is running it. */
export async function connectForCommand({ databaseUrl, dataDir }: Config, print: (line: string) => void) {
  if (databaseUrl) return { connection: { connectionString: databaseUrl }, stop: async () => {} }
  const connection = findRunningDatabase(dataDir)
  return connection
    ? { connection, stop: async () => {} }
    : startEmbeddedPostgres({ dataDir, onProgress: print })
}
