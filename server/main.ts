import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { openEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { startJobs } from './jobs.ts'
import { openLog } from './log.ts'
import { openVinDecoder } from './outside/vin-decoder.ts'
import { seedDemo } from './seed.ts'
import { StartRefusal } from './start-refusal.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  onSignal(close)
  try {
    await open(config, closers)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(config: Config, closers: (() => Promise<unknown>)[]): Promise<void> {
  const log = openLog(config)
  const database = openDatabase(await connectionOf(config, closers))
  closers.push(database.close)
  await migrateOrRefuse(database.pool, config)
  const vins = openVinDecoder()
  closers.push(() => vins.close())
  const deps = { ...database, config, vins, log }
  const jobs = await startJobs(deps)
  closers.push(jobs.stop)
  const app = await buildApp(deps, new URL('./web/', distFolder))
  closers.push(() => app.close())
  const people = config.demo ? await seedDemo(deps, say) : null
  await listen(app, config)
  printWelcome(config, people)
}
