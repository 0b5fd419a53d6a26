import { pino } from 'pino'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import { openVinDecoder } from '../../server/outside/vin-decoder.ts'

// The product as it runs, on a given database; request limits off, so that the load is not what is refused.

const config = readConfig({ ...process.env, RATE_LIMITS: 'off', DEMO: '0' })
const database = openDatabase({ connectionString: config.databaseUrl ?? '' })
const log = pino({ level: 'info' }, pino.destination('/dev/null'))
const deps = { db: database.db, pool: database.pool, config, vins: openVinDecoder(), log }
const app = await buildApp(deps, new URL('../../dist/web/', import.meta.url))
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: (app.server.address() as { port: number }).port })
process.on('message', (message) => {
  if (message === 'usage') process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss })
})
