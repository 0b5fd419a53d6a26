// A dealer's system in about a hundred lines: receives deals from Keyturn and reports on them.
// README.md says how to run it.
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const { KEYTURN_URL, WEBHOOK_SECRET, PORT = '4000', HOST = '127.0.0.1', SEEN_FILE = 'seen.txt' } = process.env
if (!KEYTURN_URL || !WEBHOOK_SECRET) {
  console.error('Set KEYTURN_URL and WEBHOOK_SECRET, which is the DEALER_WEBHOOK_SECRET of Keyturn.')
  process.exit(1)
}
const webhook = new Webhook(WEBHOOK_SECRET)
const largestDelivery = 1024 * 1024

/**
 * Sends a request with a signature over its method, path and body. A missing body is signed as
 * empty.
 */
async function sendSigned(method, path, body) {
  const content = body && JSON.stringify(body)
  const signed = `${method} ${path}\n${content ?? ''}`
  const [id, at] = [`msg_${randomUUID()}`, new Date()]
  const response = await fetch(new URL(path, KEYTURN_URL), {
    method,
    body: content,
    headers: {
      ...(content && { 'content-type': 'application/json' }),
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': webhook.sign(id, at, signed),
    },
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

/** The steps that a dealer can report, with their details. Each is a command. */
const steps = {
  accepted: () => ({}),
  needsDocument: (document) => ({ document }),
  appointment: (place, time) => ({ place, time }),
  paidSeller: () => ({}),
  titleReceived: () => ({}),
  complete: () => ({}),
  cancelled: (reason) => ({ reason }),
}

async function report(step, pkgId, ...words) {
  if (step === 'complete') await sendSigned('POST', `/progress/complete/${pkgId}`, { pkgId })
  else await sendSigned('POST', `/partner/deals/${pkgId}`, { pkgId, step, ...steps[step](...words) })
  console.log(`${pkgId} ${step}`)
}

async function reportAll(pkgId) {
  const inThreeDays = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  await report('accepted', pkgId)
  await report('appointment', pkgId, '100 Main Street, Detroit', `${inThreeDays}T10:00:00-05:00`)
  await report('paidSeller', pkgId)
  await report('titleReceived', pkgId)
  await report('complete', pkgId)
}

/** Ids of processed deliveries: each arrives at least once and must be processed only once. */
const seen = new Set(existsSync(SEEN_FILE) ? readFileSync(SEEN_FILE, 'utf8').split('\n') : [])

/**
 * Returns 204 only once the delivery is stored. After any other response Keyturn sends it again.
 */
async function receiveDelivery(request, response) {
  const parts = []
  let size = 0
  for await (const part of request) {
    parts.push(part)
    size += part.length
    if (size > largestDelivery) return response.writeHead(413).end()
  }
  let event
  try {
    event = webhook.verify(Buffer.concat(parts), request.headers)
  } catch {
    return response.writeHead(401).end()
  }
  const id = request.headers['webhook-id']
  const isNew = !seen.has(id)
  if (isNew) appendFileSync(SEEN_FILE, `${id}\n`)
  seen.add(id)
  response.writeHead(204).end()
  if (isNew) await handleEvent(event)
}

async function handleEvent({ type, data }) {
  console.log(`${data.pkgId ?? '-'} ${type}`)
  if (type !== 'deal.passed') return
  const { car, seller, buyer, price } = data.deal
  console.log(`  ${car.year} ${car.make} ${car.carModel} ${car.trim}, VIN ${car.vin}, $${price}`)
  for (const [side, person] of Object.entries({ seller, buyer }))
    console.log(`  ${side} ${person.firstName} ${person.lastName}, ${person.phoneNumber}, ${person.email}`)
  if (process.argv.includes('--auto')) await reportAll(data.pkgId)
}

function listen() {
  const server = createServer((request, response) => {
    receiveDelivery(request, response).catch((error) => console.error(error.message))
  })
  server.listen(Number(PORT), HOST, () => console.log(`Listening at http://${HOST}:${server.address().port}`))
}

async function run([command = '', pkgId = '', ...words]) {
  if (command === '' || command === '--auto') return listen()
  const known = ['show', 'agreement', ...Object.keys(steps)]
  if (!known.includes(command)) throw new Error(`There is no command ${command}: ${known.join(', ')}`)
  if (pkgId === '') throw new Error(`Name a deal: node partner.mjs ${command} PKGID`)
  if (command === 'show') console.log(await (await sendSigned('GET', `/partner/deals/${pkgId}`)).text())
  else if (command === 'agreement') {
    const pdf = await sendSigned('GET', `/partner/deals/${pkgId}/agreement`)
    writeFileSync(`agreement-${pkgId}.pdf`, Buffer.from(await pdf.arrayBuffer()))
  } else await report(command, pkgId, ...words)
}

run(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
