import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../support/server-process.ts'
import { defineCase } from '../case.ts'
import { sellUntilHold } from '../sales.ts'
import type { Environment } from '../setup.ts'

/** Maximum delay in ms of the end of a hold while emails wait. */
const latestMs = 5000

/** The mail server accepts connections and never responds. Scheduled jobs must not wait for it. */
export const hangingMailServer = defineCase('mail server hangs', async (context) => {
  const { environment, violations } = context
  const port = await freePort()
  context.onCleanup((await startHangingServer(port)).end)
  const { workload } = await context.open({
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    received: { ...environment.external, emails: null },
  })
  await context.eachRound(async () => {
    const [traders] = workload.groups
    if (!traders) return
    const { carId } = await sellUntilHold(workload.target, workload.ledger, traders)
    const ms = await measureLapse(environment, carId)
    if (ms > latestMs) violations.push(`a hold was settled ${ms} ms late`)
  })
})

/** Starts a server that accepts connections at this port and never responds. */
export async function startHangingServer(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    end() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Moves the end of a car's hold to one second from now. Returns the delay of the lapse in ms. */
async function measureLapse({ database: { pool } }: Environment, carId: string): Promise<number> {
  await pool.query(
    `with held as (
       update deals set exclusive_until = keyturn_now() + interval '1 second' where car_id = $1 returning id
     )
     update jobs set run_at = keyturn_now() + interval '1 second' from held where key = 'hold of ' || held.id`,
    [carId],
  )
  await wait(1000)
  const before = performance.now()
  for (;;) {
    const { rows } = await pool.query<{ status: string }>('select status from deals where car_id = $1', [
      carId,
    ])
    const ms = Math.round(performance.now() - before)
    if (rows[0]?.status === 'PENDING' || ms > 60_000) return ms
    await wait(50)
  }
}
