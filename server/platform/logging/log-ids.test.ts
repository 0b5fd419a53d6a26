import { decideRequest, getProgress, readTimeline } from '@keyturn/contract/deals/endpoints.ts'
import { readMessages, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createTestClient } from '../../../tests/support/browser.ts'
import { createEmailSender } from '../../../tests/support/jobs/mail-server.ts'
import { aSaleAt, readProgressOf, type Sale } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { saleTasks } from '../../tasks.ts'
import { addJob, runDueJobs } from '../jobs/jobs.ts'

// The log can be searched by request, user and deal id.

const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  DEALER_WEBHOOK_URL: 'http://127.0.0.1:1/',
  DEALER_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  WEBHOOKS_PRIVATE: 'allow',
})

type Line = Record<string, unknown>

async function logged() {
  const lines: Line[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const deps = { ...server.deps, log }
  const app = await buildApp(deps, new URL('../../../dist/web', import.meta.url))
  onTestFinished(() => app.close())
  const here = { ...server, app, deps, browser: () => createTestClient(app) }
  const linesOf = ({ headers }: { headers: Line }) =>
    lines.filter(({ reqId }) => reqId === headers['x-request-id'])
  const said = (msg: string) => lines.filter((line) => line.msg === msg)
  return { deps, here, lines, linesOf, said }
}

test('logs the request, the user and the deal for changes, errors and faults, but no deal for reads', async () => {
  const { here, lines, linesOf } = await logged()
  const sale = await aSaleAt(here, 'requested')
  const { seller, buyer, at } = sale
  const { _id: deal } = await readProgressOf(sale)
  const decide = (said: object) =>
    seller.send(decideRequest, { body: { ...at, buyerId: buyer.id, status: 'ACCEPTED', ...said } })
  const refused = await decide({ price: 8999 })
  expect(refused.status).toBe(409)
  expect(linesOf(refused)).toMatchObject([
    { msg: 'answered', level: 30, user: seller.id, deal, status: 409, refused: 'PriceChanged' },
  ])
  const accepted = await decide({ price: 9000 })
  expect(linesOf(accepted)).toMatchObject([{ user: seller.id, deal, status: 200 }])

  const write = () => buyer.send(sendMessage, { params: { dealId: deal }, body: { text: 'A bicycle' } })
  expect(linesOf(await write())).toMatchObject([{ user: buyer.id, deal, status: 201 }])
  await server.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
  )
  await server.query('create trigger broken before insert on deal_messages execute function fail()')
  const broken = await write().finally(() => server.query('drop trigger broken on deal_messages'))
  expect(broken.status).toBe(500)
  expect(linesOf(broken)).toMatchObject([
    { msg: 'unexpected error', level: 50, user: buyer.id, deal },
    { msg: 'answered', level: 40, user: buyer.id, deal, status: 500, refused: 'InternalError' },
  ])

  for (const looked of [
    await seller.send(getProgress, { params: at }),
    await seller.send(readTimeline, { params: at }),
    await seller.send(readMessages, { params: { dealId: deal } }),
  ]) {
    const [look, ...more] = linesOf(looked)
    expect([look?.user, look && 'deal' in look, more]).toEqual([seller.id, false, []])
  }
  // An invalid id from the URL is not logged either.
  const odd = await buyer.send(sendMessage, { params: { dealId: 'ann@example.com' }, body: { text: 'x' } })
  expect(linesOf(odd)).toMatchObject([{ user: buyer.id }])
  expectNothingOf(lines, sale, 'A bicycle', 'ann@example.com')
})

test('logs the deal when a background job fails', async () => {
  const { deps, here, lines, said } = await logged()
  const sale = await aSaleAt(here, 'passed')
  const { _id: deal } = await readProgressOf(sale)
  const none = 'f'.repeat(24)
  await addJob(server.deps.db, 'remind-of-hold', { dealId: none })
  await runDueJobs(deps, saleTasks(deps))
  expect(said('the job failed')).toMatchObject([{ job: 'remind-of-hold', deal: none }])
  expect(said('dealer did not accept the delivery')).toMatchObject([{ deal }])

  // The queue pauses after the first failure.
  await server.query('delete from mails where thread is distinct from $1', [deal])
  await server.moveClock('5 minutes')
  await createEmailSender(here, 'smtp://127.0.0.1:1')()
  expect(said('the email was not sent and will be retried')[0]).toMatchObject({ thread: deal })
  expectNothingOf(lines, sale)
})

function expectNothingOf(lines: Line[], { buyer, seller, at }: Sale, ...words: string[]): void {
  const all = JSON.stringify(lines)
  for (const personal of [buyer.email, seller.email, 'Basil', 'Selma', at.vin, ...words])
    expect(all).not.toContain(personal)
}
