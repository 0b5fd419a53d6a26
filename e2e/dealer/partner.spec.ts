import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { keepSecret } from '../../server/test/secrets.ts'
import { aSale, ask, requests, saleOf } from '../house/ground.ts'
import { freePort } from '../house/product.ts'
import { expect, test } from '../house/test.ts'

type Dealer = { port: number; key: string }

/** A product whose dealer has a system of its own: examples/partner, a process of its own. */
const atDealer = test.extend<object, { dealer: Dealer }>({
  dealer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs
    async ({}, use) => {
      const key = `whsec_${randomBytes(32).toString('base64')}`
      keepSecret(key)
      await use({ port: await freePort(), key })
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ dealer: { port, key } }, use) => {
      await use({
        DEMO: '0',
        DEALER_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
        DEALER_WEBHOOK_SECRET: key,
        WEBHOOKS_PRIVATE: 'allow',
      })
    },
    { scope: 'worker' },
  ],
})

// R-deals-77
atDealer(
  'a sale goes through a dealer’s own system to its end, and both sides read each step',
  async ({ openProfile, product, dealer }) => {
    const partner = await startPartner(product.origin, dealer)
    const sale = await aSale(openProfile, product, '2HGFC2F59KH512347')
    const { seller, buyer, administrator, sam, bea, link } = sale
    await requests(buyer, link, 12_000)
    const { _id: buyerId } = await ask(buyer, 'GET /user')
    await ask(seller, 'PATCH /cars/buyer', { ...saleOf(link), buyerId, status: 'ACCEPTED' })
    await ask(seller, 'PATCH /progress/update', signed(link, 'SELLER', sam.name))
    await ask(buyer, 'PATCH /progress/update', signed(link, 'BUYER', bea.name))
    await partner.says(' complete')
    partner.end()

    await buyer.page.goto(`/buyer?${link}`)
    await expect(buyer.page.getByText('The dealer has completed the sale.')).toBeVisible()
    await seller.page.goto(`/car/seller?${link}`)
    await expect(
      seller.page.getByRole('heading', { name: 'Congratulations! Your deal is complete!' }),
    ).toBeVisible()
    for (const { page } of [buyer, seller]) {
      const events = page.getByRole('list', { name: 'What has happened' })
      for (const happened of ['Took the deal', '100 Main Street', 'Paid the seller', 'Received the title'])
        await expect(events).toContainText(happened)
      await expect(page.getByText('Has received the title.')).toBeVisible()
    }
    await administrator.page.goto('/dealer')
    await expect(administrator.page.getByText('Deals go to AutoNation’s own system')).toBeVisible()
  },
)

/** What a screen sends for a signature. */
function signed(link: string, userType: 'SELLER' | 'BUYER', name: string) {
  const side = userType.toLowerCase()
  const step = userType === 'SELLER' ? [0, 1, 2] : [0, 1, 2, 3, 4, 5, 6, 7]
  const words = { [`${side}Signed`]: true, [`${side}SignedName`]: name, [`${side}Signature`]: name }
  return { ...saleOf(link), data: { userType, step, agreementSigned: true, consent: true, ...words } }
}

async function startPartner(origin: string, { port, key }: Dealer) {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-partner-'))
  const program = resolve(import.meta.dirname, '../../examples/partner/partner.mjs')
  const child: ChildProcess = spawn(process.execPath, [program, '--auto'], {
    cwd: folder,
    env: { PATH: process.env.PATH, KEYTURN_URL: origin, WEBHOOK_SECRET: key, PORT: String(port) },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      output += part
    })
  const end = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  const says = (words: string) => expect.poll(() => output, { timeout: 60_000 }).toContain(words)
  await says('Listening at ')
  return { says, end }
}
