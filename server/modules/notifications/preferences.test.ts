import { login } from '@keyturn/contract/accounts/endpoints.ts'
import { readPreferences, setPreference } from '@keyturn/contract/notifications/preferences.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import { expect, test } from 'vitest'
import { createEmailSender } from '../../../tests/support/jobs/mail-server.ts'
import { aSeller, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { startSmtpReceiver } from '../../../tests/support/smtp-receiver.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import { unsubscribeLink } from '../../platform/mail/unsubscribe-link.ts'
import { notify } from './notify.ts'

const server = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:3000' })
const car = '2003 Honda Accord'
const aboutCar = { carId: newId(), vin: '1HGCM82633A004352', buyerId: newId() }

const asked = ({ id }: TestPerson, dealId = newId()) =>
  notify(server.deps, server.deps.db, 'tradeInRemoved', {
    about: { ...aboutCar, dealId, sellerId: id },
    facts: { car, buyer: 'Ben Buyer' },
  })
const withdrew = ({ id }: TestPerson, dealId = newId()) =>
  notify(server.deps, server.deps.db, 'requestWithdrawn', {
    about: { ...aboutCar, dealId, sellerId: id },
    facts: { car, buyer: 'Ben Buyer', wasConfirmed: false },
    others: [],
  })
const kindsOf = async ({ id }: TestPerson) => {
  const mails = await server.query<{ kind: string | null }>('select kind from mails where user_id = $1', [id])
  return mails.map(({ kind }) => kind)
}

async function aReader(): Promise<TestPerson> {
  const person = await aSeller(server)
  await server.query('delete from jobs')
  await server.query('delete from mails')
  return person
}

const pathOf = (url: string) => url.replace(new URL(url).origin, '')
/** Unsubscribes with one click as an email program does, without cookies. */
const clickOnce = (url: string) =>
  server.app.inject({
    method: 'POST',
    url: pathOf(url),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
const open = (url: string) => server.app.inject({ url: pathOf(url), headers: { accept: 'text/html' } })
const offOf = async (person: TestPerson) =>
  (await person.ask(readPreferences)).switches.filter(({ mail, push }) => !mail || !push)

// R-notifications-22
test('sends each kind until it is switched off, and always sends what the account needs', async () => {
  const person = await aReader()
  const { switches } = await person.ask(readPreferences)
  const kinds = ['requests', 'answers', 'messages', 'signing', 'dealer', 'offers', 'reminders']
  expect(switches).toEqual(kinds.map((kind) => ({ kind, mail: true, push: true })))
  await person.ask(setPreference, { body: { kind: 'requests', channel: 'mail', isOn: false } })
  await withdrew(person)
  await asked(person)
  expect(await kindsOf(person)).toEqual([null])
  // Notifications in the app are unaffected, and other people still get their emails.
  const other = await aSeller(server)
  await withdrew(other)
  expect(await kindsOf(other)).toContain('requests')
  await person.ask(setPreference, { body: { kind: 'requests', channel: 'mail', isOn: true } })
  expect(await offOf(person)).toEqual([])
  await withdrew(person)
  expect(await kindsOf(person)).toEqual([null, 'requests'])
})

test('shows a wholesaler the preferences for wholesalers', async () => {
  const { switches } = await (await aWholesaler(server)).ask(readPreferences)
  expect(switches.map(({ kind }) => kind)).toEqual(['ownOffers', 'newTrades', 'reminders'])
})

// R-notifications-22
test('includes an unsubscribe link: only its button and one-click requests change anything, not opening its page', async () => {
  const person = await aReader()
  const receiver = await startSmtpReceiver()
  await withdrew(person)
  await asked(person)
  await server.moveClock('3 minutes')
  await createEmailSender(server, receiver.url)()
  await server.moveClock('0')
  const bodies = receiver.received.map(({ body }) => body)
  const [optional = '', needed = ''] = ['withdrew', 'took a trade'].map((words) =>
    bodies.find((body) => body.replaceAll(/\r\n\s/g, ' ').includes(words)),
  )
  expect(optional).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(needed).not.toContain('List-Unsubscribe')
  const link = /^List-Unsubscribe:\s+<([^>]+)>/im.exec(optional.replaceAll(/\r\n[ \t]+/g, ''))?.[1] ?? ''
  expect(link).toBe(unsubscribeLink(server.deps.config, person.id, ['requests']))
  expect(optional.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(
    `Stop emails like this one: ${link}`,
  )

  const page = await open(link)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.body).toContain(preferencesTexts.kinds.requests.label)
  expect(await offOf(person)).toEqual([])
  const stopped = await clickOnce(link)
  expect([stopped.statusCode, (await clickOnce(link)).statusCode]).toEqual([200, 200])
  expect(stopped.body).toContain(preferencesTexts.stop.done)
  expect(await offOf(person)).toEqual([{ kind: 'requests', mail: false, push: true }])
})

// R-notifications-22
test('accepts only signed unsubscribe links, for their own person and kinds', async () => {
  const person = await aReader()
  const other = await aSeller(server)
  const link = new URL(unsubscribeLink(server.deps.config, person.id, ['requests']))
  for (const [name, value] of [
    ['to', other.id],
    ['kinds', 'signing'],
    ['kinds', 'requests,signing'],
    ['proof', 'x'.repeat(43)],
    ['proof', ''],
  ] as const) {
    const wrong = new URL(link)
    wrong.searchParams.set(name, value)
    for (const ask of [clickOnce, open]) expect((await ask(wrong.href)).statusCode).toBe(404)
  }
  for (const one of [person, other]) expect(await offOf(one)).toEqual([])
  const both = unsubscribeLink(server.deps.config, person.id, ['signing', 'requests', 'signing'])
  expect((await clickOnce(both)).statusCode).toBe(200)
  expect((await offOf(person)).map(({ kind }) => kind)).toEqual(['requests', 'signing'])
})

// R-notifications-23
test('shows times in the zone of the reader’s latest sign-in', async () => {
  const person = await aReader()
  const credentials = { email: person.email, password: person.password }
  const until = '2026-11-24T20:04:00.000Z'
  const held = async () => {
    await notify(server.deps, server.deps.db, 'holdEndsSoon', {
      about: { ...aboutCar, dealId: newId(), sellerId: newId(), buyerId: person.id },
      facts: { car, until },
    })
    const [mail] = await server.query<{ text: string }>(
      'select text from mails where user_id = $1 order by created_at desc, id desc limit 1',
      [person.id],
    )
    return mail?.text
  }
  expect(await held()).toContain('3:04 PM EST')
  for (const [zone, time] of [
    ['America/Denver', '1:04 PM MST'],
    ['Nowhere/At-All', '1:04 PM MST'],
    ['America/Los_Angeles', '12:04 PM PST'],
  ] as const) {
    await server.moveClock('1 minute')
    await server.browser().ask(login, { body: credentials }, { 'time-zone': zone })
    expect(await held()).toContain(time)
  }
  await server.moveClock('0')
})
