import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { createVitest, type TestModule } from 'vitest/node'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { onDatabase } from '../../server/test/database.ts'
import { type Guard, without } from './guard.ts'
import { assertReadable, root } from './source.ts'

export type Laboratory = {
  /** Runs one test file without this guard, or, given null, with all guards. */
  run(guard: Guard | null, testFile: string): Promise<Outcome>
  /** Queries the tests' migrated database. */
  query<Row>(text: string): Promise<Row[]>
  close(): Promise<void>
}
type Outcome = {
  /** The first test that failed, or why the file could not be run; null if everything passed. */
  noticedBy: string | null
  /** Whether the guard's file was loaded at all; always true for guards of the database. */
  reached: boolean
  ms: number
}

/** A test that hangs has noticed something; none of our tests takes this long otherwise. */
const patienceMs = 150_000

/**
 * A long-lived vitest with one database cluster. A guard is removed as its file is loaded, so nothing is written into
 * the checkout and an interrupted run leaves nothing behind.
 */
export async function openLaboratory({ database: withDatabase = true } = {}): Promise<Laboratory> {
  let away: Guard | null = null
  let reached = false
  const withoutGuard: Plugin = {
    name: 'without-a-guard',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(root, id.split('?', 1)[0] ?? id)
      if (!away?.edits.some((edit) => edit.path === path)) return null
      reached = true
      return { code: without([away], path, code), map: null }
    },
  }
  const vitest = await createVitest(
    'test',
    {
      root,
      // One project for every file, because the lanes of the suite have their own settings.
      config: false,
      watch: false,
      bail: 1,
      reporters: [{}],
      silent: true,
      maxWorkers: 1,
      testTimeout: patienceMs,
      hookTimeout: patienceMs,
      teardownTimeout: 60_000,
      globalSetup: withDatabase ? ['server/test/cluster.ts'] : [],
    },
    { plugins: [withoutGuard] },
  )
  const project = vitest.getRootProject()
  await vitest.standalone()
  // Creates the database, which must exist before its guards are listed.
  await runFile('contract/kit/dates.test.ts')
  const { database, template } = project.getProvidedContext()

  async function runFile(testFile: string): Promise<string | null> {
    const moduleId = join(root, testFile)
    const specs = [project.createSpecification(moduleId)]
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs)
    const tested = testModules.find((module) => module.moduleId === moduleId)
    if (!tested) return 'the file was not run'
    const [fault] = [...tested.errors(), ...unhandledErrors]
    if (fault) return `the file itself: ${String((fault as Error).message).slice(0, 200)}`
    return failedTest(tested)
  }

  async function run(guard: Guard | null, testFile: string): Promise<Outcome> {
    const began = performance.now()
    const paths = new Set(guard?.edits.map(({ path }) => path))
    for (const path of paths) {
      if (guard) assertReadable(without([guard], path, readFileSync(join(root, path), 'utf8')))
      vitest.invalidateFile(join(root, path))
    }
    away = guard
    reached = paths.size === 0
    const remade = guard?.sql.length ? await withoutInDatabase(database, template, guard.sql) : null
    if (remade) project.provide('template', remade.name)
    try {
      const noticedBy = await runFile(testFile)
      return { noticedBy, reached, ms: performance.now() - began }
    } finally {
      away = null
      for (const path of paths) vitest.invalidateFile(join(root, path))
      if (remade) {
        project.provide('template', template)
        await remade.drop()
      }
    }
  }

  return {
    run,
    query: (text) => onServer(onDatabase(database, template), async (pool) => (await pool.query(text)).rows),
    close: () => vitest.close(),
  }
}

function failedTest(module: TestModule): string | null {
  for (const test of module.children.allTests('failed')) return test.fullName
  return module.state() === 'failed' ? 'what all tests of the file begin with' : null
}

/** Makes another template, without what these statements drop, for the test files to copy their databases from. */
async function withoutInDatabase(database: string, template: string, statements: readonly string[]) {
  const name = `without_${randomBytes(6).toString('hex')}`
  await onServer(database, (pool) => pool.query(`create database ${name} template ${template}`))
  await onServer(onDatabase(database, name), async (pool) => {
    for (const statement of statements) await pool.query(statement)
  })
  const drop = () => onServer(database, (pool) => pool.query(`drop database if exists ${name} with (force)`))
  return { name, drop }
}

async function onServer<T>(
  connectionString: string,
  work: (pool: Database['pool']) => Promise<T>,
): Promise<T> {
  const { pool, close } = openDatabase({ connectionString, max: 1 })
  try {
    return await work(pool)
  } finally {
    await close()
  }
}
