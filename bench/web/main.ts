import { getUser, login } from '@keyturn/contract/accounts/endpoints.ts'
import { readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { demoCars } from '../../server/commands/seed/demo-cars.ts'
import { demoPeople } from '../../server/commands/seed/demo-people.ts'
import { startProduct } from '../../tests/e2e/support/product.ts'
import { createBrowserAt } from '../../tests/support/browser-at.ts'
import { addPhoto } from '../../tests/support/pictures.ts'
import { drawNoise } from './draw-noise.ts'
import { measureOnPhone, type PhoneMeasurements } from './measure-on-phone.ts'
import { serveStatic } from './static-page.ts'

const rounds = 5

const product = await startProduct()
const photo = await (await drawNoise(1200, 800)).jpeg({ quality: 80 }).toBuffer()
const link = await addFirstPhoto(demoCars.camry.vin, photo)
const staticServer = await serveStatic({
  '/car': { html: await textOf(`/car${link}`), photo },
  '/': { html: await textOf('/') },
})
const pages = {
  'static text of /car': `${staticServer.origin}/car`,
  '/car': `${product.origin}/car${link}`,
  'static text of /': `${staticServer.origin}/`,
  '/': `${product.origin}/`,
  '/login': `${product.origin}/login`,
  '/buy-this-car': `${product.origin}/buy-this-car${link}`,
}
type Name = keyof typeof pages
const baseOf: Record<Name, Name> = {
  'static text of /car': 'static text of /car',
  '/car': 'static text of /car',
  'static text of /': 'static text of /',
  '/': 'static text of /',
  '/login': 'static text of /',
  '/buy-this-car': 'static text of /car',
}

try {
  const measured = new Map<Name, PhoneMeasurements[]>()
  // Alternates between the pages, so that other load affects them equally.
  for (let round = 0; round < rounds; round++)
    for (const [name, url] of Object.entries(pages) as [Name, string][])
      measured.set(name, [
        ...(measured.get(name) ?? []),
        await measureOnPhone(url, process.env.CHROMIUM ?? ''),
      ])
  console.log(report(measured))
} finally {
  await staticServer.close()
  await product.stop()
}

function report(measured: Map<Name, PhoneMeasurements[]>): string {
  const medianOf = (name: Name, pick: (one: PhoneMeasurements) => number) =>
    median((measured.get(name) ?? []).map(pick))
  const rows = [...measured.keys()].map((name) =>
    line(
      name,
      medianOf(name, ({ lcp }) => lcp).toFixed(0),
      (medianOf(name, ({ lcp }) => lcp) / medianOf(baseOf[name], ({ lcp }) => lcp)).toFixed(2),
      medianOf(name, ({ fcp }) => fcp).toFixed(0),
      medianOf(name, ({ score }) => score).toFixed(0),
      medianOf(name, ({ tbt }) => tbt).toFixed(0),
      medianOf(name, ({ cls }) => cls).toFixed(3),
      medianOf(name, ({ scriptKb }) => scriptKb).toFixed(1),
    ),
  )
  return [
    `Lighthouse with its default phone, medians of ${rounds} alternating rounds`,
    '',
    line('', 'LCP ms', 'x static', 'FCP ms', 'score', 'TBT ms', 'CLS', 'script kB'),
    ...rows,
    '',
    'Goals: /car and / at most 1.30 times static, score 98, TBT below 50 ms, no shift, 15 kB of script;',
    '/login and /buy-this-car at most 2.00 times static, score 95.',
  ].join('\n')
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('')
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

async function textOf(path: string): Promise<string> {
  return (await fetch(product.origin + path, { headers: { accept: 'text/html' } })).text()
}

/** Adds the photo to the seller's car and returns the shared link's path after `/car`. */
async function addFirstPhoto(vin: string, photo: Buffer): Promise<string> {
  const seller = createBrowserAt(() => product.origin)
  const { email, password } = demoPeople.maya
  await seller.ask(login, { body: { email, password } })
  const { _id: userId } = await seller.ask(getUser)
  const { car } = await seller.ask(readPublicCar, { params: { userId, vin } })
  const { status } = await addPhoto(seller, car, photo)
  if (status !== 201) throw new Error(`The photo got status ${status}`)
  return `?${new URLSearchParams({ userId, vin })}`
}
