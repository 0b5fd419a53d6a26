import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type Ground, startCrowd } from '../ground.ts'
import { sellUntilHeld } from '../sales.ts'
import { startServer } from '../server.ts'
import type { Case } from './case.ts'

/** A hold that ends while mails wait may be told this late, in milliseconds. */
const latestMs = 5000

/** The mail server takes every call and never says a word: what is due by the clock must not wait for it. */
export const muteMailServer: Case = {
  name: 'mail server mute',
  async run(ground, rounds) {
    const sockets = new Set<Socket>()
    const mute = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as AddressInfo
    const server = await startServer({ ...ground.settings, SMTP_URL: `smtp://127.0.0.1:${port}` })
    const crowd = await startCrowd(ground, server.baseUrl, 6)
    const broken: string[] = []
    for (let round = 0; round < rounds; round++) {
      const [couple] = crowd.couples
      if (!couple) break
      const { carId } = await sellUntilHeld(crowd.where, crowd.ledger, couple)
      const ms = await timeLapse(ground, carId)
      if (ms > latestMs) broken.push(`a hold was settled ${ms} ms late`)
    }
    const outcome = await crowd.settle({ ...ground.outside, letters: null })
    const { code } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
    for (const socket of sockets) socket.destroy()
    mute.close()
    return { ...outcome, rounds, recoveryMs: crowd.ledger.longestSilenceMs(), broken }
  },
}

/** Brings the end of a car's hold near, and gives how long after it the deal has fallen back. */
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
