import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { indexPage } from './index-page.ts'
import type { Shot } from './shot.ts'
import { changing, lasting } from './shots.ts'
import { take } from './walk.ts'
import { openWorld, type World } from './world.ts'

const folder = resolve(import.meta.dirname, '../../screenshots')
const atOnce = 2

const { values: given } = parseArgs({ options: { only: { type: 'string' } } })
const isWanted = ({ name }: Shot) => given.only === undefined || name.includes(given.only)
const began = performance.now()
const troubles: string[] = []
let taken = 0

const first = lasting.filter(isWanted)
const then = changing.filter(isWanted)
const total = first.length + then.length
requireUniqueNames([...lasting, ...changing])
if (total === 0) end(`No screen's name contains "${given.only}".`)

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM })
const world = await openWorld(browser)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void world.product.stop().finally(() => process.exit(1)))
prepare()
try {
  // What changes something for others comes after everything else, one by one.
  await Promise.all(Array.from({ length: atOnce }, () => takeAll(world, first)))
  await takeAll(world, then)
} finally {
  await browser.close()
  troubles.push(...world.product.faults().map((fault) => `the server's log: ${fault}`))
  await world.product.stop()
}
conclude()

async function takeAll(world: World, shots: Shot[]): Promise<void> {
  for (let shot = shots.shift(); shot; shot = shots.shift()) {
    const found = await take(shot, world, folder)
    troubles.push(...found)
    taken++
    const mark = found.length > 0 ? ' TROUBLE' : ''
    process.stdout.write(`${String(taken).padStart(4)}/${total}  ${shot.name}${mark}\n`)
  }
}

/** A whole walk begins with an empty folder; a part of it replaces its own pictures. */
function prepare(): void {
  if (given.only === undefined) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

function conclude(): void {
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  writeFileSync(join(folder, 'index.html'), indexPage(pictures))
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(
    `\n${total} screens walked in ${seconds} s, ${pictures.length} pictures in ${join(folder, 'index.html')}\n`,
  )
  for (const trouble of troubles) process.stdout.write(`  ${trouble}\n`)
  process.stdout.write(troubles.length === 0 ? 'No trouble on the way.\n' : `${troubles.length} troubles.\n`)
  process.exitCode = troubles.length === 0 ? 0 : 1
}

function requireUniqueNames(shots: Shot[]): void {
  const names = shots.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) end(`Two screens are called ${twice}.`)
}

function end(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
