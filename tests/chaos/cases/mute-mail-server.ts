import { createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../support/start.ts'
import { whileSelling } from '../case.ts'
import { sellUntilHeld } from '../sales.ts'
import type { Ground } from '../setup.ts'

/** Maximum delay in ms of the end of a hold while email waits. */
const latestMs = 5000

/** The mail server accepts connections and never responds. Scheduled jobs must not wait for it. */
export const muteMailServer = whileSelling('mail server mute', async (stage) => {
  const { ground, broken } = stage
  const port = await freePort()
  stage.atEnd((await openMute(port)).end)
  const { crowd } = await stage.open({
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    heard: { ...ground.outside, letters: null },
  })
  await stage.eachRound(async () => {
    const [couple] = crowd.couples
    if (!couple) return
    const { carId } = await sellUntilHeld(crowd.where, crowd.ledger, couple)
    const ms = await timeLapse(ground, carId)
    if (ms > latestMs) broken.push(`a hold was settled ${ms} ms late`)
  })
})

/** Starts a server that accepts connections at this port and never responds. */
export async function openMute(port: number) {
  const sockets = new Set<Socket>()
  const mute = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => mute.listen(port, '127.0.0.1', resolve))
  return {
    end() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => mute.close(resolve))
    },
  }
}

/** Moves the end of a car's hold close, and returns the ms between it and the lapse. */
async function timeLapse({ database: { pool } }: Ground, carId: string): Promise<number> {
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
