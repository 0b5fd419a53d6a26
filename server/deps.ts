import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { VinDecoder } from './integrations/vin-decoder/vin-decoder.ts'
import type { DealerDesk } from './modules/dealers/desk/desk.ts'
import type { Db, Intent } from './platform/database/open.ts'
import type { OnApiError } from './platform/http/errors.ts'
import type { Pictures } from './platform/storage/pictures.ts'

/** Of papers that only the room knows which has them drawn. */
type Printer = {
  print(paper: object, reader: string): Promise<Printed>
  /** Somebody who waits for an answer; without it, as long as it takes. */
  askersWaitMs?: number
}
type Printed = { bytes: Uint8Array<ArrayBuffer>; certificate: Uint8Array<ArrayBuffer> }

/** Everything an action may touch besides its arguments; made in `main.ts`, or by a test. */
export type Deps = {
  db: Db
  pool: pg.Pool
  config: Config
  vins: VinDecoder
  pictures: Pictures
  /** Draws and seals signed papers in a thread of its own (`modules/agreements/pdf-printer.ts`). */
  printer: Printer
  log: Logger
  /** Absent where the default dealer has a system of its own. */
  desk?: DealerDesk | undefined
  /** Of a request with an `Idempotency-Key`: the action's transaction keeps its answer with it (`http/idempotency.ts`). */
  intent?: Intent | undefined
  /** For tests: what a call answers is held against what it declares. */
  onRefusal?: OnApiError
}
