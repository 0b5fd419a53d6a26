import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContextOptions, chromium } from '@playwright/test'
import { watchContext } from '../../tests/e2e/support/page/watch.ts'
import { type Product, startProduct } from '../../tests/e2e/support/product.ts'
import type { View } from '../../tests/e2e/views/view.ts'
import { mutatingViews, readOnlyViews } from '../../tests/e2e/views/views.ts'
import { openWorld, type World } from '../../tests/e2e/views/world.ts'
import { indexPage } from './index-page.ts'
import { takeLandingPictures } from './landing-pictures.ts'
import { letters, takeLetters } from './letters.ts'
import { take } from './walk.ts'

const folder = resolve(import.meta.dirname, '../../screenshots')
const parallelWalks = 2

const { values: given } = parseArgs({ options: { only: { type: 'string' }, landing: { type: 'boolean' } } })
const isWanted = ({ name }: { name: string }) => given.only === undefined || name.includes(given.only)
const began = performance.now()
const troubles: string[] = []
let taken = 0

const first = readOnlyViews.filter(isWanted)
const then = mutatingViews.filter(isWanted)
const chosenLetters = letters.filter(isWanted)
const total = first.length + then.length
if (total + chosenLetters.length === 0 && !given.landing) end(`No screen's name contains "${given.only}".`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--use-fake-device-for-media-stream'],
})
if (!given.landing) {
  prepare()
  troubles.push(...(await takeLetters(browser, chosenLetters, folder)))
}
if (total > 0 || given.landing) await takeOfProduct()
await browser.close()
if (!given.landing) conclude()

async function takeOfProduct(): Promise<void> {
  const product = await startProduct()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void product.stop().finally(() => process.exit(1)))
  try {
    const world = await openWorld(product, (options) => openProfile(product, options))
    if (given.landing) await takeLandingPictures(world, given.only)
    else await takeViews(world)
  } finally {
    troubles.push(...product.faults().map((fault) => `the server's log: ${fault}`))
    await product.stop()
  }
}

async function openProfile({ origin }: Product, options: BrowserContextOptions) {
  const context = await browser.newContext({
    baseURL: origin,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/Denver',
    ...options,
  })
  return { context, watch: watchContext(context) }
}

/** Takes views that change other people's data last, one by one. */
async function takeViews(world: World): Promise<void> {
  await Promise.all(Array.from({ length: parallelWalks }, () => takeAll(world, first)))
  await takeAll(world, then)
}

async function takeAll(world: World, views: View[]): Promise<void> {
  for (let view = views.shift(); view; view = views.shift()) {
    const found = await take(view, world, folder)
    troubles.push(...found)
    taken++
    const mark = found.length > 0 ? ' TROUBLE' : ''
    process.stdout.write(`${String(taken).padStart(4)}/${total}  ${view.name}${mark}\n`)
  }
}

/** A full run begins with an empty folder; a partial one replaces only its own pictures. */
function prepare(): void {
  if (given.only === undefined) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

function conclude(): void {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  writeFileSync(join(folder, 'index.html'), indexPage(pictures))
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(
    `\n${total} screens walked and ${chosenLetters.length} letters opened in ${seconds} s, ${pictures.length} pictures in ${join(folder, 'index.html')}\n`,
  )
  for (const trouble of troubles) process.stdout.write(`  ${trouble}\n`)
  process.stdout.write(troubles.length === 0 ? 'No trouble on the way.\n' : `${troubles.length} troubles.\n`)
  process.exitCode = troubles.length === 0 ? 0 : 1
}

function end(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
