import type { Logger as Log } from 'pino'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { createVinDecoder } from '../integrations/vin-decoder/vin-decoder.ts'
import { createPdfPrinter } from '../modules/agreements/pdf/pdf-printer.ts'
import { createDesk } from '../modules/dealers/desk/desk.ts'
import type { Database } from '../platform/database/open-database.ts'
import type { Close, Lifetime } from '../platform/startup/lifetime.ts'
import { createPictures } from '../platform/storage/pictures.ts'
import { shareKeyOf } from './share-key.ts'

/** Opens what requests and jobs depend on; `close` closes it before the process ends. */
export function openDeps(
  { onClose }: Lifetime,
  config: Config,
  log: Log,
  { db, pool }: Database,
): { deps: Deps; close: Close } {
  const vins = createVinDecoder({ onFault: (fault) => log.error({ err: fault }, 'the VIN decoder failed') })
  const pictures = createPictures({ config, log })
  const printer = createPdfPrinter(config, {
    onFault: (fault) => log.error({ err: fault }, 'an agreement PDF could not be drawn'),
    // Loaded in this thread: the key is created once for all servers, and the printer's thread only
    // parses it.
    findKey: () =>
      shareKeyOf(config, pool, 'seal.p12', async () =>
        (await import('../modules/agreements/seal/seal-key.ts')).generateSealKey(config.publicUrl.host),
      ),
  })
  const deps = { db, pool, config, vins, pictures, printer, log, desk: createDesk(config) }
  return {
    deps,
    close: onClose(async () => {
      await printer.close()
      await pictures.close()
      await vins.close()
    }),
  }
}
