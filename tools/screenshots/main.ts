import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContextOptions, chromium } from '@playwright/test'
import { watchContext } from '../../tests/e2e/support/page/watch-context.ts'
import { type RunningApp, startProduct } from '../../tests/e2e/support/product.ts'
import type { View } from '../../tests/e2e/views/view.ts'
import { mutatingViews, readOnlyViews } from '../../tests/e2e/views/views.ts'
import { openWorld, type World } from '../../tests/e2e/views/world.ts'
import { captureView } from './capture-view.ts'
import { captureEmails, emails } from './emails.ts'
import { renderIndexPage } from './index-page.ts'
import { captureLandingPictures } from './landing-pictures.ts'

const folder = resolve(import.meta.dirname, '../../screenshots')
const concurrency = 2

const { values: options } = parseArgs({ options: { only: { type: 'string' }, landing: { type: 'boolean' } } })
const isSelected = ({ name }: { name: string }) =>
  options.only === undefined || options.only.split(',').some((part) => name.includes(part))
const began = performance.now()
const problems: string[] = []
let viewsDone = 0

const readOnly = readOnlyViews.filter(isSelected)
const mutating = mutatingViews.filter(isSelected)
const selectedEmails = emails.filter(isSelected)
const total = readOnly.length + mutating.length
if (total + selectedEmails.length === 0 && !options.landing)
  exitWith(`No screen's name contains "${options.only}".`)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--use-fake-device-for-media-stream'],
})
if (!options.landing) {
  prepareFolder()
  problems.push(...(await captureEmails(browser, selectedEmails, folder)))
}
if (total > 0 || options.landing) await takeOfProduct()
await browser.close()
if (!options.landing) writeIndex()

async function takeOfProduct(): Promise<void> {
  const product = await startProduct()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void product.stop().finally(() => process.exit(1)))
  try {
    const world = await openWorld(product, (options) => openProfile(product, options))
    if (options.landing) await captureLandingPictures(world, options.only)
    else await takeViews(world)
  } finally {
    problems.push(...product.faults().map((fault) => `the server's log: ${fault}`))
    await product.stop()
  }
}

async function openProfile({ origin }: RunningApp, options: BrowserContextOptions) {
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

/** Captures the views that change data last, and one at a time. */
async function takeViews(world: World): Promise<void> {
  await Promise.all(Array.from({ length: concurrency }, () => takeAll(world, readOnly)))
  await takeAll(world, mutating)
}

async function takeAll(world: World, views: View[]): Promise<void> {
  for (let view = views.shift(); view; view = views.shift()) {
    const found = await captureView(view, world, folder)
    problems.push(...found)
    viewsDone++
    const mark = found.length > 0 ? ' PROBLEM' : ''
    process.stdout.write(`${String(viewsDone).padStart(4)}/${total}  ${view.name}${mark}\n`)
  }
}

/** A full run begins with an empty folder; a partial one replaces only its own pictures. */
function prepareFolder(): void {
  if (options.only === undefined) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

function writeIndex(): void {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  writeFileSync(join(folder, 'index.html'), renderIndexPage(pictures))
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(
    `\n${total} screens and ${selectedEmails.length} emails in ${seconds} s, ${pictures.length} pictures in ${join(folder, 'index.html')}\n`,
  )
  for (const problem of problems) process.stdout.write(`  ${problem}\n`)
  process.stdout.write(problems.length === 0 ? 'No problems.\n' : `${problems.length} problems.\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

function exitWith(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
