// A dealer's system in about a hundred lines: takes deals from Keyturn and answers them. README.md says how to run it.
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

/** A call to Keyturn, signed over method, path and body as they are sent; without a body nothing follows the line feed. */
async function call(method, path, body) {
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

/** What a dealer can say, with what belongs to it: each as a command, and in this order by itself with --auto. */
const steps = {
  accepted: () => ({}),
  needsDocument: (document) => ({ document }),
  appointment: (place, time) => ({ place, time }),
  paidSeller: () => ({}),
  titleReceived: () => ({}),
  complete: () => ({}),
  cancelled: (reason) => ({ reason }),
}

async function say(step, pkgId, ...words) {
  if (step === 'complete') await call('POST', `/progress/complete/${pkgId}`, { pkgId })
  else await call('POST', `/partner/deals/${pkgId}`, { pkgId, step, ...steps[step](...words) })
  console.log(`${pkgId} ${step}`)
}

async function sayAll(pkgId) {
  const inThreeDays = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10)
  await say('accepted', pkgId)
  await say('appointment', pkgId, '100 Main Street, Detroit', `${inThreeDays}T10:00:00-05:00`)
  await say('paidSeller', pkgId)
  await say('titleReceived', pkgId)
  await say('complete', pkgId)
}

/** Ids of deliveries that were taken: each comes at least once, and the same one is to be taken only once. */
const seen = new Set(existsSync(SEEN_FILE) ? readFileSync(SEEN_FILE, 'utf8').split('\n') : [])

/** Answers 204 only once the delivery is kept: anything else, or nothing, and Keyturn sends it again. */
async function take(request, response) {
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
  if (isNew) await act(event)
}

async function act({ type, data }) {
  console.log(`${data.pkgId ?? '-'} ${type}`)
  if (type !== 'deal.passed') return
  const { car, seller, buyer, price } = data.deal
  console.log(`  ${car.year} ${car.make} ${car.carModel} ${car.trim}, VIN ${car.vin}, $${price}`)
  for (const [side, person] of Object.entries({ seller, buyer }))
    console.log(`  ${side} ${person.firstName} ${person.lastName}, ${person.phoneNumber}, ${person.email}`)
  if (process.argv.includes('--auto')) await sayAll(data.pkgId)
}

function listen() {
  const server = createServer((request, response) => {
    take(request, response).catch((error) => console.error(error.message))
  })
  server.listen(Number(PORT), HOST, () => console.log(`Listening at http://${HOST}:${server.address().port}`))
}

async function run([command = '', pkgId = '', ...words]) {
  if (command === '' || command === '--auto') return listen()
  const known = ['show', 'agreement', ...Object.keys(steps)]
  if (!known.includes(command)) throw new Error(`There is no command ${command}: ${known.join(', ')}`)
  if (pkgId === '') throw new Error(`Name a deal: node partner.mjs ${command} PKGID`)
  if (command === 'show') console.log(await (await call('GET', `/partner/deals/${pkgId}`)).text())
  else if (command === 'agreement') {
    const pdf = await call('GET', `/partner/deals/${pkgId}/agreement`)
    writeFileSync(`agreement-${pkgId}.pdf`, Buffer.from(await pdf.arrayBuffer()))
  } else await say(command, pkgId, ...words)
}

run(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
