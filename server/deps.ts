import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { VinDecoder } from './integrations/vin-decoder/vin-decoder.ts'
import type { DealerDesk } from './modules/dealers/desk/desk.ts'
import type { Db, Intent } from './platform/database/open-database.ts'
import type { OnApiError } from './platform/http/error-handlers.ts'
import type { Pictures } from './platform/storage/pictures.ts'

/** Prints documents whose shape only the calling module knows. */
type Printer = {
  print(paper: object, reader: string): Promise<Printed>
  /** Time limit in ms for a waiting caller; no limit if omitted. */
  callerTimeoutMs?: number
}
type Printed = { bytes: Uint8Array<ArrayBuffer>; certificate: Uint8Array<ArrayBuffer> }

/** Dependencies of a use case; created in `start/open-deps.ts` or by a test. */
export type Deps = {
  db: Db
  pool: pg.Pool
  config: Config
  vins: VinDecoder
  pictures: Pictures
  /** Draws and seals signed papers in a thread of its own (`modules/agreements/pdf-printer.ts`). */
  printer: Printer
  log: Logger
  /** Absent if the default dealer has its own system. */
  desk?: DealerDesk | undefined
  /**
   * The intent of a request with an `Idempotency-Key`: its response is stored in the transaction.
   */
  intent?: Intent | undefined
  /** For tests: checks errors against those that the endpoint declares. */
  onApiError?: OnApiError
}
