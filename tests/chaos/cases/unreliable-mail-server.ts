import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../../server/config.ts'
import { newId } from '../../../server/platform/database/new-id.ts'
import { enqueueEmail } from '../../../server/platform/mail/email-queue.ts'
import { sentence } from '../../../server/platform/mail/sentence.ts'
import { freePort } from '../../support/server-process.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../../support/smtp-receiver.ts'
import { type Case, emptyResult } from '../case.ts'
import { setClock } from '../clock.ts'
import { bodiesByMessage } from '../external-systems.ts'
import { startServer } from '../server.ts'
import { countRows, type Environment } from '../setup.ts'
import { startHangingServer } from './hanging-mail-server.ts'

/**
 * Half are required emails, each to a different address. The others are groups of five about one
 * deal, which may be batched.
 */
const emailCount = 1000
const batchSize = 5
const withinMs = 300_000

/**
 * A thousand emails to a mail server that is closed, hangs, rejects temporarily and permanently, is
 * slow, or is down for an hour, from a server killed between sending and recording. None is lost,
 * and emails with the same Message-ID are byte-identical (R-notifications-10).
 */
export const unreliableMailServer: Case = {
  name: 'mail server unreliable',
  async run(environment, rounds) {
    const mailServer = await openMailServer()
    const server = await startServer({ ...environment.settings, SMTP_URL: mailServer.url })
    const began = performance.now()
    const tokens = await enqueueEmails(environment)
    const clock = openClock(environment)
    const violations: string[] = []
    // The port is closed at first, then it hangs.
    await wait(3000)
    const hang = await mailServer.hang()
    await clock.advance(130)
    await wait(13_000)
    await hang.end()
    // An hour later the server is up, but slow and often rejecting temporarily.
    await clock.advance(3600)
    await mailServer.open()
    while (mailServer.received().length < emailCount / 4) await step()
    const early = countRepeats(mailServer.received())
    if (early > 0) violations.push(`${early} mails came twice before the first kill`)
    for (let round = 0; round < rounds; round++) {
      await wait(300 + Math.random() * 500)
      await server.killAndRestart()
    }
    while ((await countWaiting(environment)) > 0 && performance.now() - began < withinMs) await step()
    const { code } = await server.stop()
    if (code !== 0) violations.push(`SIGTERM ended it with ${code}`)
    await mailServer.close()

    const found = compare(tokens, mailServer.received())
    const failed = await countRows(environment, 'mails where dead_at is not null')
    if (failed !== tokens.undeliverable.length)
      violations.push(`${failed} were given up, not ${tokens.undeliverable.length}`)
    const mails = new Set(mailServer.received().map(({ messageId }) => messageId)).size
    console.log(
      `${emailCount} mails enqueued, ${mails} sent (${emailCount - mails - failed} joined into others), ${countRepeats(mailServer.received())} came twice under ${rounds} kills, ${failed} rejected permanently, ${mailServer.later()} temporarily`,
    )
    const recoveryMs = Math.round(performance.now() - began)
    return { ...emptyResult, ...found, acknowledged: emailCount, rounds, recoveryMs, violations }

    async function step() {
      await clock.advance(45)
      await wait(500)
    }
  },
}

type Received = { messageId: string; body: string }
type Tokens = { deliverable: string[]; undeliverable: string[] }

/**
 * Counts tokens that did not arrive as lost. Tokens in two emails, different emails with one
 * Message-ID, and emails to unknown recipients count as doubled.
 */
function compare({ deliverable, undeliverable }: Tokens, received: readonly Received[]) {
  const mailsOf = new Map<string, Set<string>>()
  for (const { messageId, body } of received) {
    for (const [token] of body.replaceAll('=\r\n', '').matchAll(/token[0-9]{4}x/g))
      mailsOf.set(token, (mailsOf.get(token) ?? new Set()).add(messageId))
  }
  const lost = deliverable.filter((token) => !mailsOf.has(token)).length
  const strays = undeliverable.filter((token) => mailsOf.has(token)).length
  const unlike = [...bodiesByMessage(received).values()].filter((each) => each.size > 1).length
  const twice = [...mailsOf.values()].filter((ids) => ids.size > 1).length
  return { lost, doubled: unlike + twice + strays }
}

const countRepeats = (received: readonly Received[]): number =>
  received.length - new Set(received.map(({ messageId }) => messageId)).size

async function enqueueEmails({ database: { db, pool }, settings }: Environment): Promise<Tokens> {
  const config = {
    smtpUrl: settings.SMTP_URL ?? 'smtp://elsewhere',
    publicUrl: new URL('https://keyturn.example'),
    sessionSecret: settings.SESSION_SECRET,
  } as Config
  const deps = { config }
  const tokens: Tokens = { deliverable: [], undeliverable: [] }
  for (let number = 0; number < emailCount; ) {
    const [id, thread] = [newId(), newId()]
    await pool.query(
      `insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash)
       values ($1, $2, 'BUYER', 'Bea', 'Buyer', '5551234567', '')`,
      [id, `reader-${number}@example.com`],
    )
    const isNeeded = number < emailCount / 2
    for (let each = 0; each < (isNeeded ? 1 : batchSize); each++, number++) {
      const token = `token${String(number).padStart(4, '0')}x`
      // One recipient in fifty does not exist.
      const isGone = isNeeded && number % 50 === 7
      tokens[isGone ? 'undeliverable' : 'deliverable'].push(token)
      const email = `${isGone ? 'gone' : 'reader'}-${isNeeded ? number : id}@example.com`
      const wishes = isNeeded ? {} : { kind: 'offers', thread }
      await enqueueEmail(
        deps,
        db,
        { id, email },
        { subject: sentence`News`, lines: [sentence`${token}`] },
        wishes,
      )
    }
  }
  return tokens
}

/** Advances the database's clock by seconds. */
function openClock(environment: Environment) {
  let seconds = 0
  return {
    advance(by: number) {
      seconds += by
      return setClock(environment, seconds)
    },
  }
}

const countWaiting = (environment: Environment) =>
  countRows(environment, 'mails where sent_at is null and dead_at is null and joined_into is null')

/** Opens a port that is closed, hangs, or serves a mail server with failures. */
async function openMailServer() {
  const port = await freePort()
  const ends: (() => void | Promise<void>)[] = []
  const seen = new Set<string>()
  let later = 0
  let mails: SmtpReceiver | null = null
  return {
    received: (): readonly Received[] => mails?.received ?? [],
    later: () => later,
    url: `smtp://127.0.0.1:${port}`,
    hang: () => startHangingServer(port),
    async open() {
      mails = await startSmtpReceiver({
        port,
        answer(_, address) {
          if (address.startsWith('gone')) return 550
          const isFirst = !seen.has(address)
          seen.add(address)
          if (!isFirst || address.length % 3 !== 0) return undefined
          later++
          return 451
        },
        // Most kills happen here, between acceptance and acknowledgment.
        beforeAccepting: () => wait(Math.random() * 300),
        addCleanup: (end) => void ends.push(end),
      })
    },
    async close() {
      for (const end of ends) await end()
    },
  }
}
