import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as calls from '@keyturn/contract/dealers/dealer-desk.ts'
import { readPackageId, readTimeline } from '@keyturn/contract/deals/endpoints.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { createDealerKey } from '../../../../tests/support/dealers/dealer-client.ts'
import { anAdministrator } from '../../../../tests/support/people.ts'
import { aSaleAt } from '../../../../tests/support/sales/deals.ts'
import { freePort } from '../../../../tests/support/server-process.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { runDueJobs } from '../../../platform/jobs/jobs.ts'
import { saleTasks } from '../../../tasks.ts'
import { createDesk } from './desk.ts'

// Runs examples/partner in its own process, as a dealer's developers would.

const key = createDealerKey()
const port = await freePort()
const folder = mkdtempSync(join(tmpdir(), 'keyturn-partner-'))
const example = await startExample()
const server = await startTestServer({
  DEALER_WEBHOOK_URL: example.url,
  DEALER_WEBHOOK_SECRET: key,
  WEBHOOKS_PRIVATE: 'allow',
})
server.deps.desk = createDesk(server.deps.config)
await server.app.listen({ host: '127.0.0.1', port })

test('the example receiver completes a deal', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await sale.buyer.ask(readPackageId, { params: sale.at })
  await runDueJobs(server.deps, saleTasks(server.deps))
  await example.untilPrinted(`${pkgId} complete`)
  const events = await sale.seller.ask(readTimeline, { params: sale.at })
  const recorded = 'completed titleReceived sellerPaid appointmentMade dealerAccepted'
  expect(events.slice(0, 5).map(({ event }) => event)).toEqual(recorded.split(' '))
  expect(example.output()).toContain('2003 Honda Accord EX')
  expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).toMatch(/^msg_[0-9a-f]{24}\n$/)
})

test('its commands show a deal and save its signed agreement', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await sale.buyer.ask(readPackageId, { params: sale.at })
  expect(await example.run('show', pkgId)).toContain(`"pkgId":"${pkgId}"`)
  await example.run('agreement', pkgId)
  expect(readFileSync(join(folder, `agreement-${pkgId}.pdf`), 'latin1')).toMatch(/^%PDF-/)
  await example.run('cancelled', pkgId, 'No title.')
  const shown = JSON.parse(await example.run('show', pkgId))
  expect(shown.deal).toMatchObject({ cancelled: true })
  expect(shown.deal.steps.at(-1)).toMatchObject({ step: 'cancelled', reason: 'No title.' })
})

test('a failing command prints one line and exits with an error', async () => {
  const none = 'e'.repeat(24)
  await expect(example.run('sell', none)).rejects.toThrow(/^There is no command sell: show, .*cancelled\n$/)
  await expect(example.run('show')).rejects.toThrow(/^Name a deal: .* show PKGID\n$/)
  await expect(example.run('accepted', none)).rejects.toThrow(/^POST \/partner\/deals\/e+: 404 .*\n$/)
})

test('rejects an unsigned delivery', async () => {
  const answer = await fetch(example.url, { method: 'POST', body: '{"type":"test"}' })
  expect(answer.status).toBe(401)
})

// R-deals-77
test('the desk is disabled when the dealer has its own system', async () => {
  const administrator = await anAdministrator(server)
  expect(await administrator.ask(calls.readDesk)).toMatchObject({ isOn: false })
  expect(await administrator.ask(calls.listDeskDeals)).toEqual([])
  const params = { pkgId: 'e'.repeat(24) }
  expect((await administrator.send(calls.readDeskDeal, { params })).status).toBe(404)
})

async function startExample() {
  const path = new URL('../../../../examples/partner/partner.mjs', import.meta.url).pathname
  const env = {
    PATH: process.env.PATH,
    KEYTURN_URL: `http://127.0.0.1:${port}`,
    WEBHOOK_SECRET: key,
    PORT: '0',
  }
  const child = spawn(process.execPath, [path, '--auto'], { cwd: folder, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += part
    })
  const untilPrinted = (words: string) => vi.waitUntil(() => output.includes(words), { timeout: 120_000 })
  afterAll(() => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await untilPrinted('Listening at ')
  const run = async (...words: string[]) => {
    const running = promisify(execFile)(process.execPath, [path, ...words], { cwd: folder, env })
    const { stdout } = await running.catch(({ stderr }) => Promise.reject(new Error(stderr)))
    return stdout
  }
  return { url: `${/Listening at (\S+)/.exec(output)?.[1]}/`, untilPrinted, run, output: () => output }
}
