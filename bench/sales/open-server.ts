import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import pg from 'pg'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import type { Deps } from '../../server/deps.ts'
import { createVinDecoder } from '../../server/integrations/vin-decoder/vin-decoder.ts'
import { agreementAttachments } from '../../server/modules/agreements/agreement-pdf-store.ts'
import { createPdfPrinter } from '../../server/modules/agreements/pdf/pdf-printer.ts'
import { createDesk } from '../../server/modules/dealers/desk/desk.ts'
import { dealerAttachments } from '../../server/modules/dealers/webhook-delivery/dealer-email.ts'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { runDueJobs } from '../../server/platform/jobs/jobs.ts'
import { createEmailTasks } from '../../server/platform/mail/email-tasks.ts'
import { createPictures } from '../../server/platform/storage/pictures.ts'
import { saleTasks } from '../../server/tasks.ts'
import { createTestClient } from '../../tests/support/browser.ts'
import type { TestServer } from '../../tests/support/test-server.ts'

export type SalesServer = Pick<TestServer, 'app' | 'deps' | 'browser' | 'query'> & {
  /** Runs all jobs, also those that wait to combine emails. */
  runJobs(): Promise<void>
  close(): Promise<void>
}

/** Serves in this process on a migrated database, with a mail server that accepts everything. */
export async function openSalesServer(databaseUrl: string, dataDir: string): Promise<SalesServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _, done) => void stream.on('end', () => done()).resume(),
  })
  const { server: listener } = smtp as unknown as { server: Server }
  smtp.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'open sesame 42',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    RATE_LIMITS: 'off',
    DEMO: '0',
  })
  const log = pino({ level: 'error' })
  const database = openDatabase({ connectionString: databaseUrl, max: 10 })
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 2, statement_timeout: 0 })
  const [vins, pictures] = [createVinDecoder(), createPictures({ config, log })]
  const long = { maxWaitMs: 120_000, maxRunMs: 120_000, callerTimeoutMs: 200_000 }
  const printer = createPdfPrinter(config, { ...long, onFault: (fault) => log.error(fault) })
  const { db, pool } = database
  const deps: Deps = { db, pool, config, vins, pictures, printer, log, desk: createDesk(config) }
  const app = await buildApp(deps, new URL('../../dist/web/', import.meta.url))
  // The built-in dealer desk is reached by HTTP.
  await app.listen({ host: '127.0.0.1', port: 0 })
  const mail = createEmailTasks(deps, {
    agreement: agreementAttachments(deps),
    delivery: dealerAttachments(deps),
  })
  const query: SalesServer['query'] = async (text, values) => (await owner.query(text, values)).rows
  return {
    app,
    deps,
    browser: () => createTestClient(app),
    query,
    runJobs: async () => {
      for (let round = 0; round < 3; round++) {
        await query(
          `update jobs set run_at = now() - interval '1 second' where name like 'send-mail%' and run_at > now()`,
        )
        await runDueJobs(deps, { ...saleTasks(deps), ...mail.tasks })
      }
    },
    close: async () => {
      mail.close()
      await app.close()
      await vins.close()
      await pictures.close()
      await printer.close()
      await database.close()
      await owner.end()
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
}
