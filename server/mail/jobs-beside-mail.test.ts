// @module-tag full

import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { dealJobs } from '../deals/actions.ts'
import { startJobs } from '../jobs/jobs.ts'
import { aSaleAt } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aReceiver } from '../test/receiver.ts'
import { tradeJobs } from '../trades/actions.ts'
import { mailJobs } from './mail-jobs.ts'
import { sendMail } from './mails.ts'
import { say } from './sentence.ts'

// A mail server that takes every connection and never says a word until it finds its voice, and what must not wait for it.

const asked: number[] = []
let voice: number | null = null
const server = createServer((socket) => {
  asked.push(performance.now())
  socket.on('error', () => {})
  if (!voice) return
  const behind = connect(voice, '127.0.0.1')
  behind.on('error', () => socket.destroy())
  socket.pipe(behind).pipe(socket)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.close()
})
const house = await openHouse({ SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` })

test('a hold ends on time while fifty mails wait for a silent mail server; later they leave, the oldest first', async () => {
  const { buyer } = await aSaleAt(house, 'sellerSigned')
  // Held for two minutes, which nobody waits for here.
  await house.query('delete from mails where kind is not null')
  const [hold] = await house.query<{ ends: string; seconds: number }>(
    `select exclusive_until::text as ends, extract(epoch from exclusive_until - keyturn_now())::int as seconds
     from deals where buyer_id = $1`,
    [buyer.id],
  )
  await house.moveClock(`${(hold?.seconds ?? 0) - 4} seconds`)
  for (let number = 0; number < 50; number++)
    await sendMail(
      house.deps,
      house.deps.db,
      { id: null, email: `person-${number}@example.com` },
      {
        subject: say`A test`,
        lines: [say`One`],
      },
    )
  const mail = mailJobs(house.deps)
  const jobs = startJobs(house.deps, { ...mail.tasks, ...tradeJobs(house.deps), ...dealJobs(house.deps) })
  try {
    const endedAfter = async () =>
      (
        await house.query<{ seconds: number; settled: boolean }>(
          `select extract(epoch from coalesce(lapsed_at, keyturn_now()) - $2::timestamptz)::float8 as seconds,
             lapsed_at is not null as settled from deals where buyer_id = $1`,
          [buyer.id, hold?.ends],
        )
      )[0] ?? { seconds: Number.NaN, settled: false }
    let end = await endedAfter()
    // A mail's try takes ten seconds: what waits for places that mails have comes later than this.
    while (!end.settled && end.seconds < 20) {
      await wait(50)
      end = await endedAfter()
    }
    expect(end).toMatchObject({ settled: true })
    expect(end.seconds).toBeLessThan(3)

    // Every place tries the mail server once; after a pause a single mail tries it again.
    await until(async () => (await mails('attempts > 0 and sent_at is null')).length === 4)
    voice = (await aReceiver()).port
    await until(async () => (await mails('sent_at is null and dead_at is null')).length === 0)
    expect((asked[4] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(15_000)
    const byAge = await mails('sent_at is not null')
    expect(byAge.length).toBeGreaterThanOrEqual(50)
    const bySending = await mails('sent_at is not null', 'sent_at')
    expect(bySending[0]).toBe(byAge[0])
    // Four are on their way at a time, and may overtake each other.
    for (const [place, id] of bySending.entries())
      expect(Math.abs(byAge.indexOf(id) - place)).toBeLessThanOrEqual(8)
  } finally {
    await jobs.stop()
    mail.close()
  }
})

const mails = async (which: string, order = 'created_at') =>
  (await house.query<{ id: string }>(`select id from mails where ${which} order by ${order}, id`)).map(
    ({ id }) => id,
  )

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('waited two minutes in vain')
    await wait(50)
  }
}
