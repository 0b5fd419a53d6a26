import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openEmbedded } from '../../embedded-postgres/open.ts'
import { Refused } from '../../faults/ledger.ts'
import { openOutside } from '../../faults/outside.ts'
import { openReaders } from '../live/readers.ts'
import { startSteadily } from '../live/steady.ts'
import { run } from '../server-process.ts'
import { processorOf } from './processor.ts'
import { waitForRest } from './rest.ts'
import { changesASale, sellOne } from './sale.ts'
import { coupleOf, fillTown, type Town, wholesalerCookie, wholesalers } from './town.ts'
import { type Visitors, visitorsOf } from './visitors.ts'

// `npm run bench:day [-- --minutes 10]`: a day of a national group, compressed. 20,000 sellers and 100,000 buyers are
// there; in the busiest part 3,000 sales are under way at once, from the listing to both signatures; wholesalers'
// desks are open and offers are made; mails leave, deals are handed over. Whatever went wrong or was left over fails it.

const { values: given } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(given.minutes)
const dayMs = minutes * 60_000
/** So many that, begun as they are below, 3,000 are under way at once. */
const sales = Math.round(360 * minutes)
/** Of the day, from a sale's listing to its end; the others begin before that. */
const saleShare = 0.4
const pagesOpen = 1_000
const strangersASecond = 20
const listsASecond = 4
const offersASecond = 2

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-day-'))
const embedded = await openEmbedded({ dataDir })
const closing: (() => unknown)[] = []
const readers = openReaders()
let wrong: string[] = ['it was cut short']
try {
  wrong = await liveTheDay()
} finally {
  await readers.close()
  for (const close of closing.reverse()) await close()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
for (const line of wrong.slice(0, 20)) console.log(line)
process.exit(wrong.length > 0 ? 1 : 0)

async function liveTheDay(): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: embedded.connectionString })
  closing.push(() => pool.end())
  const town = await fillTown(pool, embedded.connectionString, Math.ceil((dayMs / 1000) * offersASecond))
  const outside = await openOutside()
  closing.push(outside.close)
  const server = await run('dist/server/main.js', '/health/ready', {
    ...outside.settings,
    DATABASE_URL: embedded.connectionString,
    DATA_DIR: join(dataDir, 'server'),
    ADMIN_PASSWORD: 'open sesame 42',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEMO: '0',
  })
  closing.push(server.stop)
  const visitors = visitorsOf(server.port)
  await readers.open(server.port, [
    ...Array.from({ length: wholesalers }, (_, n) => viewer(wholesalerCookie(n))),
    ...Array.from({ length: pagesOpen }, (_, n) => viewer(coupleOf(n).buyer.cookie)),
  ])
  const { rows } = await pool.query<{ now: Date }>('select now()')
  const used = meter(server.pid)
  const day = await visitAll(visitors, town)
  const [serverCores, databaseCores] = used()
  const rest = await waitForRest(pool, rows[0]?.now ?? new Date(0))
  console.log(`
${visitors.table().join('\n')}

${day.sold} of ${sales} sales signed in ${(day.seconds / 60).toFixed(1)} minutes, at most ${day.most} under way at once; ${readers.size} pages open
calls ${visitors.calls()}, ${(visitors.calls() / day.seconds).toFixed(0)} a second; errors ${visitors.errors.length}
mails ${rest.mails}; the mail server has ${outside.letters.size}
hand-over ${rest.deliveries}; the dealer has ${outside.taken.size}; all left ${rest.seconds.toFixed(0)} s after the day
processor: server ${serverCores} %, database ${databaseCores} % of one core; server ${server.usage().rssMb.toFixed(0)} MB`)
  return [
    ...visitors.errors,
    ...rest.left,
    ...(day.sold < sales ? [`${sales - day.sold} sales came to nothing`] : []),
  ]
}

/** Everything that people do; ends when the last of them is done. */
async function visitAll(visitors: Visitors, { trades, listed }: Town) {
  const began = performance.now()
  let [now, most, sold] = [0, 0, 0]
  const sell = async (n: number) => {
    // As people come to a day: most in its middle.
    await pause(((Math.random() + Math.random()) / 2) * (1 - saleShare) * dayMs)
    most = Math.max(most, ++now)
    const thinking = visitors.thinking((dayMs * saleShare) / changesASale)
    await sellOne(thinking, coupleOf(n)).then(() => sold++, onlyRefused)
    now--
  }
  const isOn = () => performance.now() - began < dayMs
  const steadily = (perSecond: number, ask: (i: number) => Promise<unknown>) =>
    startSteadily(perSecond, isOn, (i) => ask(i).catch(onlyRefused))
  await Promise.all([
    ...Array.from({ length: sales }, (_, n) => sell(n)),
    steadily(strangersASecond, (i) => {
      const { sellerId, vin } = at(listed, i)
      return visitors.send('GET /cars/public/:id/:vin', get(`/cars/public/${sellerId}/${vin}`))
    }),
    steadily(listsASecond, (i) =>
      visitors.send('GET /trades of a wholesaler', get('/trades', wholesalerCookie(i))),
    ),
    steadily(offersASecond, (i) => offer(visitors, at(trades, i), wholesalerCookie(i))),
  ])
  return { seconds: (performance.now() - began) / 1000, most, sold }
}

/** What was refused is kept with the errors already. */
function onlyRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error
}

/** Gives, when asked, how much of a core server and database have used since. */
function meter(serverPid: number): () => [string, string] {
  const postgres = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const spent = () => [processorOf(serverPid), processorOf(postgres)] as const
  const [began, before] = [performance.now(), spent()]
  return () => {
    const seconds = (performance.now() - began) / 1000
    const [server, database] = spent()
    const share = (one: number) => ((one / seconds) * 100).toFixed(0)
    return [share(server - before[0]), share(database - before[1])]
  }
}

function at<One>(these: readonly One[], i: number): One {
  const one = these[i % these.length]
  if (one === undefined) throw new Error('the town is empty')
  return one
}

function viewer(cookie: string) {
  return { id: '', carId: '', vin: '', cookie }
}

function get(path: string, cookie?: string) {
  return { method: 'GET', path, headers: { ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }) } }
}

function offer(visitors: Visitors, tradeId: string, cookie: string) {
  return visitors.send('PATCH /trades/:id', {
    method: 'PATCH',
    path: `/trades/${tradeId}`,
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ status: 'OFFERED', price: 4000 }),
  })
}
