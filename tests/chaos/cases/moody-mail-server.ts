import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../../server/config.ts'
import { newId } from '../../../server/platform/database/new-id.ts'
import { sendMail } from '../../../server/platform/mail/mails.ts'
import { sentence } from '../../../server/platform/mail/sentence.ts'
import { aReceiver, type Receiver } from '../../support/smtp-receiver.ts'
import { freePort } from '../../support/start.ts'
import { type Case, nothingFound } from '../case.ts'
import { setClock } from '../clock.ts'
import { bodiesByMessage } from '../outside.ts'
import { startServer } from '../server.ts'
import { countRows, type Ground } from '../setup.ts'
import { openMute } from './mute-mail-server.ts'

/**
 * Half are required email, each to its own address. The other half come in groups of five about one
 * deal, which may be batched.
 */
const written = 1000
const together = 5
const withinMs = 300_000

/**
 * A thousand emails to a mail server that is closed, hangs, rejects temporarily and permanently, is
 * slow, or is down for an hour, from a server killed between sending and recording. None is lost,
 * and emails with the same Message-ID are byte-identical (R-notifications-10).
 */
export const moodyMailServer: Case = {
  name: 'mail server moody',
  async run(ground, rounds) {
    const postOffice = await openPostOffice()
    const server = await startServer({ ...ground.settings, SMTP_URL: postOffice.url })
    const began = performance.now()
    const tokens = await writeMails(ground)
    const clock = openClock(ground)
    const broken: string[] = []
    // First closed, then hanging: no email is accepted.
    await wait(3000)
    const hang = await postOffice.hang()
    await clock.goOn(130)
    await wait(13_000)
    await hang.end()
    // Down for an hour, then up, but slow and often rejecting temporarily.
    await clock.goOn(3600)
    await postOffice.open()
    while (postOffice.received().length < written / 4) await step()
    const early = doublesOf(postOffice.received())
    if (early > 0) broken.push(`${early} mails came twice before anything was killed`)
    for (let round = 0; round < rounds; round++) {
      await wait(300 + Math.random() * 500)
      await server.killAndRestart()
    }
    while ((await waiting(ground)) > 0 && performance.now() - began < withinMs) await step()
    const { code } = await server.end()
    if (code !== 0) broken.push(`SIGTERM ended it with ${code}`)
    await postOffice.close()

    const found = compare(tokens, postOffice.received())
    const failed = await countRows(ground, 'mails where dead_at is not null')
    if (failed !== tokens.refused.length) broken.push(`${failed} were given up, not ${tokens.refused.length}`)
    const mails = new Set(postOffice.received().map(({ messageId }) => messageId)).size
    console.log(
      `${written} mails written, ${mails} left (${written - mails - failed} joined into others), ${doublesOf(postOffice.received())} came twice under ${rounds} kills, ${failed} refused for good, ${postOffice.later()} times "later"`,
    )
    const recoveryMs = Math.round(performance.now() - began)
    return { ...nothingFound, ...found, acknowledged: written, rounds, recoveryMs, broken }

    async function step() {
      await clock.goOn(45)
      await wait(500)
    }
  },
}

type Received = { messageId: string; body: string }
type Tokens = { kept: string[]; refused: string[] }

/**
 * A token that did not arrive is lost. A token in two emails is doubled, and so are two emails with
 * one Message-ID.
 */
function compare({ kept, refused }: Tokens, received: readonly Received[]) {
  const mailsOf = new Map<string, Set<string>>()
  for (const { messageId, body } of received) {
    for (const [token] of body.replaceAll('=\r\n', '').matchAll(/token[0-9]{4}x/g))
      mailsOf.set(token, (mailsOf.get(token) ?? new Set()).add(messageId))
  }
  const lost = kept.filter((token) => !mailsOf.has(token)).length
  const strays = refused.filter((token) => mailsOf.has(token)).length
  const unlike = [...bodiesByMessage(received).values()].filter((each) => each.size > 1).length
  const twice = [...mailsOf.values()].filter((ids) => ids.size > 1).length
  return { lost, doubled: unlike + twice + strays }
}

const doublesOf = (received: readonly Received[]): number =>
  received.length - new Set(received.map(({ messageId }) => messageId)).size

async function writeMails({ database: { db, pool }, settings }: Ground): Promise<Tokens> {
  const config = {
    smtpUrl: settings.SMTP_URL ?? 'smtp://elsewhere',
    publicUrl: new URL('https://keyturn.example'),
    sessionSecret: settings.SESSION_SECRET,
  } as Config
  const deps = { config }
  const tokens: Tokens = { kept: [], refused: [] }
  for (let number = 0; number < written; ) {
    const [id, thread] = [newId(), newId()]
    await pool.query(
      `insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash)
       values ($1, $2, 'BUYER', 'Bea', 'Buyer', '5551234567', '')`,
      [id, `reader-${number}@example.com`],
    )
    const isNeeded = number < written / 2
    for (let each = 0; each < (isNeeded ? 1 : together); each++, number++) {
      const token = `token${String(number).padStart(4, '0')}x`
      // One recipient in fifty does not exist.
      const isGone = isNeeded && number % 50 === 7
      tokens[isGone ? 'refused' : 'kept'].push(token)
      const email = `${isGone ? 'gone' : 'reader'}-${isNeeded ? number : id}@example.com`
      const wishes = isNeeded ? {} : { kind: 'offers', thread }
      await sendMail(
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

/** Moves the database's clock, to avoid waiting for hours. */
function openClock(ground: Ground) {
  let seconds = 0
  return {
    goOn(by: number) {
      seconds += by
      return setClock(ground, seconds)
    },
  }
}

const waiting = (ground: Ground) =>
  countRows(ground, 'mails where sent_at is null and dead_at is null and joined_into is null')

/** Opens one port that can be closed, hang, or serve a mail server with random failures. */
async function openPostOffice() {
  const port = await freePort()
  const ends: (() => void | Promise<void>)[] = []
  const seen = new Set<string>()
  let later = 0
  let mails: Receiver | null = null
  return {
    received: (): readonly Received[] => mails?.received ?? [],
    later: () => later,
    url: `smtp://127.0.0.1:${port}`,
    hang: () => openMute(port),
    async open() {
      mails = await aReceiver({
        port,
        answer(_, address) {
          if (address.startsWith('gone')) return 550
          const isFirst = !seen.has(address)
          seen.add(address)
          if (!isFirst || address.length % 3 !== 0) return undefined
          later++
          return 451
        },
        // Accepted but not yet acknowledged: kills happen here.
        beforeTaking: () => wait(Math.random() * 300),
        whenOver: (end) => void ends.push(end),
      })
    },
    async close() {
      for (const end of ends) await end()
    },
  }
}
