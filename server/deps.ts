import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { VinDecoder } from './outside/vin-decoder.ts'

/** Everything an action may touch besides its arguments; made in `main.ts`, or by a test. */
export type Deps = {
  db: Db
  pool: pg.Pool
  config: Config
  vins: VinDecoder
  log: Logger
}
