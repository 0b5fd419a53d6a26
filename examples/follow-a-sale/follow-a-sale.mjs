// Lists a car with a personal access token, prints its link, and follows its sale to the end.
// README.md says how to run it.
import { randomUUID } from 'node:crypto'

const usage = 'node follow-a-sale.mjs VIN PRICE MILEAGE COLOR [TRIM]'
const { KEYTURN_URL, KEYTURN_TOKEN } = process.env

/** An error whose message is enough for the person who runs this; printed without a stack trace. */
class UserError extends Error {}

/** Sends one request. Waits and repeats it after 429 and 503, which say how long, and lost connections. */
async function send(method, path, { body, idempotencyKey } = {}) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, KEYTURN_URL), {
      method,
      body: body && JSON.stringify(body),
      headers: {
        authorization: `Bearer ${KEYTURN_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
    }).catch((error) => {
      if (attempt === 5)
        throw new UserError(`${KEYTURN_URL} cannot be reached: ${error.cause?.code ?? error}`)
    })
    if (response?.ok) return response.json()
    const isRetryable = !response || response.status === 429 || response.status === 503
    if (!isRetryable || attempt === 5) throw await toUserError(method, path, response)
    await wait(Number(response?.headers.get('retry-after') ?? 2 ** attempt))
  }
}

async function toUserError(method, path, response) {
  const { errorCode, message, errors } = await response.json().catch(() => ({}))
  const fields = (errors ?? []).map((fault) => ` ${fault.path}: ${fault.message}`).join('')
  const error = new UserError(`${method} ${path}: ${response.status} ${errorCode}. ${message}${fields}`)
  return Object.assign(error, { errorCode })
}

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Lists the car, or returns it if it is already listed by this account. */
async function listCar(me, [vin, price, mileage, color, trim]) {
  const facts = await send('GET', `/vin/${encodeURIComponent(vin)}`)
  const chosenTrim = trim ?? facts.trim
  if (!chosenTrim) throw new UserError(`This VIN has several trims. Name one: ${facts.trims.join(', ')}`)
  const form = {
    vin: facts.vin,
    make: facts.make,
    carModel: facts.carModel,
    year: facts.year,
    trim: chosenTrim,
    mileage: Number(mileage),
    color,
    price: Number(price),
    payoff: false,
  }
  // One key for all attempts of this request: if a response is lost, the car is listed once.
  const idempotencyKey = randomUUID()
  try {
    return await send('POST', '/cars/input', { body: form, idempotencyKey })
  } catch (error) {
    if (error.errorCode !== 'VinAlreadyListed') throw error
    const own = (await send('GET', `/cars/${me._id}`)).find(
      (car) => car.vin === form.vin && car.sellerId === me._id,
    )
    if (!own) throw error
    return own
  }
}

/** One sentence for each event. An event that is missing here is printed by its name. */
const sentences = {
  started: ({ name }) => `${name} started the purchase.`,
  requested: ({ name, to }) => `${name} offers ${to}.`,
  repriced: ({ name, to }) => `${name} now offers ${to}.`,
  tradesChanged: ({ name }) => `${name} changed the trade-in.`,
  confirmed: ({ to }) =>
    `The buyer is confirmed at ${to}. Sign on the site: your signature holds the car for 72 hours.`,
  denied: () => 'The request is denied.',
  released: () => 'The buyer is released.',
  withdrawn: ({ name }) => `${name} withdrew the request.`,
  sellerSigned: ({ to }) => `${to} signed as seller.`,
  buyerSigned: ({ to }) => `${to} signed as buyer.`,
  lapsed: () => 'The 72 hours ended before both sides had signed.',
  passed: ({ to }) => `Both have signed. ${to} has the deal now.`,
  dealerAccepted: () => 'The dealer accepted the deal.',
  documentNeeded: ({ to }) => `The dealer needs a document: ${to}`,
  appointmentMade: ({ to }) => `The appointment is ${to}.`,
  sellerPaid: () => 'The dealer paid the seller.',
  titleReceived: () => 'The dealer received the title.',
  dealerCancelled: ({ to }) => `The dealer called off the sale: ${to}`,
  completed: () => 'The car is handed over, and the sale is complete.',
}
const describe = (entry) => sentences[entry.event]?.(entry) ?? `${entry.name ?? entry.actor}: ${entry.event}`

const [shortestPause, longestPause] = [2, 60]

/** Prints what is new on each deal of the car until one is complete. Polls less often when idle. */
async function followSale(me, car) {
  const printed = new Map()
  let pause = shortestPause
  for (;;) {
    pause = Math.min(pause * 1.5, longestPause)
    for (const { buyer } of await send('GET', `/cars/requests/${car._id}`)) {
      const query = new URLSearchParams({ buyerId: buyer._id })
      const newestFirst = await send('GET', `/progress/timeline/${me._id}/${car.vin}?${query}`)
      const fresh = newestFirst.slice(0, newestFirst.length - (printed.get(buyer._id) ?? 0)).reverse()
      printed.set(buyer._id, newestFirst.length)
      for (const entry of fresh) {
        pause = shortestPause
        console.log(`${entry.at} ${describe(entry)}`)
        if (entry.event === 'completed') return
      }
    }
    await wait(pause)
  }
}

async function main(args) {
  if (!KEYTURN_URL || !KEYTURN_TOKEN) throw new UserError('Set KEYTURN_URL and KEYTURN_TOKEN.')
  if (args.length < 4) throw new UserError(`Usage: ${usage}`)
  const me = await send('GET', '/user')
  const car = await listCar(me, args)
  const link = new URL('/car', KEYTURN_URL)
  link.search = new URLSearchParams({ userId: me._id, vin: car.vin })
  console.log(`Send this link to your buyer: ${link}`)
  await followSale(me, car)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
