import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { EnvironmentModuleNode, Plugin } from 'vite'
import { createVitest, type TestCase, type TestModule } from 'vitest/node'
import { type Database, openDatabase } from '../../server/db/open.ts'
import { onDatabase } from '../../server/test/database.ts'
import { type Guard, without } from './guard.ts'
import { openKeptWorker } from './kept-worker.ts'
import { marked } from './marks.ts'
import { assertReadable, isProduct, root, sourceOf } from './source.ts'

export type Laboratory = {
  /** Runs tests of one file without this guard, or, given null, with all guards. */
  run(guard: Guard | null, asked: Asked): Promise<Outcome>
  /** Runs a whole file with all guards and tells which functions each of its tests calls. */
  reachOf(testFile: string): Promise<FileReach>
  /** Queries the tests' migrated database. */
  query<Row>(text: string): Promise<Row[]>
  close(): Promise<void>
}
/** Some tests of a file by vitest's ids, or all of them. */
export type Asked = { file: string; tests?: string[] | undefined }
type Outcome = {
  /** What failed first; null if everything passed. */
  failed: { kind: FailureKind; id: string | null; name: string; said: string } | null
  /** Whether the guard's file was loaded at all; always true for guards of the database. */
  reached: boolean
  ms: number
}
/** Of a test itself; of the file or a hook, before or after its tests; of the clock or the machine. */
type FailureKind = 'test' | 'start' | 'time'
type TestReach = { id: string; name: string; ms: number; passed: boolean; calls: string[] }
/** `ms` and `calls` are those outside of the tests. */
export type FileReach = { ms: number; calls: string[]; tests: TestReach[] }

/** A test that hangs proves nothing; no test takes this long otherwise, but for races, which have their own limits. */
const patienceMs = 60_000
/** While nothing is away only a machine that is busy with other things makes a test slow. */
const longestMs = 400_000

/**
 * A long-lived vitest with one database cluster and one process. A guard is removed as its file is loaded, so nothing
 * is written into the checkout and an interrupted run leaves nothing behind. A laboratory that is `noting` notes which
 * functions are called instead.
 */
export async function openLaboratory({
  database: withDatabase = true,
  noting = false,
} = {}): Promise<Laboratory> {
  let away: Guard | null = null
  let reached = false
  let changed: readonly string[] = []
  const otherwise: Plugin = {
    name: 'otherwise',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(root, id.split('?', 1)[0] ?? id)
      if (noting) return isProduct(path) ? { code: marked(sourceOf(path, code)), map: null } : null
      if (!away?.edits.some((edit) => edit.path === path)) return null
      reached = true
      return { code: without([away], path, code), map: null }
    },
  }
  const worker = openKeptWorker(() => importersOf(changed))
  const vitest = await createVitest(
    'test',
    {
      root,
      // One project for every file, because the lanes of the suite have their own settings.
      config: false,
      watch: false,
      bail: noting ? 0 : 1,
      reporters: [{}],
      silent: true,
      pool: worker.pool,
      maxWorkers: 1,
      isolate: false,
      testTimeout: noting ? longestMs : patienceMs,
      hookTimeout: noting ? longestMs : patienceMs,
      teardownTimeout: 60_000,
      setupFiles: ['contract/kit/field-sentences.ts', ...(noting ? ['tools/guards/noting.ts'] : [])],
      globalSetup: withDatabase ? ['server/test/cluster.ts'] : [],
    },
    { plugins: [otherwise] },
  )
  const project = vitest.getRootProject()
  await vitest.standalone()
  // Creates the database, which must exist before its guards are listed.
  await runFile({ file: 'contract/kit/dates.test.ts' })
  const { database, template } = project.getProvidedContext()

  async function runFile({ file, tests }: Asked): Promise<{ module: TestModule | null; faults: unknown[] }> {
    const moduleId = join(root, file)
    const spec = project.createSpecification(moduleId, tests && { testIds: tests })
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([spec])
    const module = testModules.find((one) => one.moduleId === moduleId) ?? null
    return { module, faults: [...(module?.errors() ?? []), ...unhandledErrors] }
  }

  async function run(guard: Guard | null, asked: Asked): Promise<Outcome> {
    const began = performance.now()
    const paths = [...new Set(guard?.edits.map(({ path }) => path))]
    for (const path of paths) {
      if (guard) assertReadable(without([guard], path, readFileSync(join(root, path), 'utf8')))
      vitest.invalidateFile(join(root, path))
    }
    // What the last run loaded without its guard is loaded anew as well.
    changed = [...new Set([...changed, ...paths])]
    away = guard
    reached = paths.length === 0
    const remade = guard?.sql.length ? await withoutInDatabase(database, template, guard.sql) : null
    if (remade) project.provide('template', remade.name)
    try {
      const { module, faults } = await runFile(asked)
      return { failed: failureOf(module, faults), reached, ms: performance.now() - began }
    } finally {
      away = null
      changed = paths
      for (const path of paths) vitest.invalidateFile(join(root, path))
      if (remade) {
        project.provide('template', template)
        await remade.drop()
      }
    }
  }

  async function reachOf(file: string): Promise<FileReach> {
    const began = performance.now()
    const { module } = await runFile({ file })
    const took = performance.now() - began
    const tests = module ? [...module.children.allTests()].map(reachOfTest) : []
    const inTests = tests.reduce((sum, { ms }) => sum + ms, 0)
    return { ms: Math.round(took - inTests), calls: module?.meta().reached ?? [], tests }
  }

  /** These files and all that import them, in whatever form vitest knows them. */
  function importersOf(paths: readonly string[]): string[] {
    const found = new Set<string>()
    const visit = (module: EnvironmentModuleNode) => {
      if (!module.file || found.has(module.file)) return
      found.add(module.file)
      for (const { moduleGraph } of Object.values(project.vite.environments))
        for (const one of moduleGraph.getModulesByFile(module.file) ?? [])
          for (const importer of one.importers) visit(importer)
    }
    for (const { moduleGraph } of Object.values(project.vite.environments))
      for (const path of paths)
        for (const module of moduleGraph.getModulesByFile(join(root, path)) ?? []) visit(module)
    return [...found]
  }

  return {
    run,
    reachOf,
    query: (text) => onServer(onDatabase(database, template), async (pool) => (await pool.query(text)).rows),
    close: async () => {
      await worker.end()
      await vitest.close()
    },
  }
}

const reachOfTest = (test: TestCase): TestReach => ({
  id: test.id,
  name: test.fullName,
  ms: Math.round(test.diagnostic()?.duration ?? 0),
  passed: test.result().state === 'passed',
  calls: test.meta().reached ?? [],
})

const ofTime = /timed? ?out|terminat|ECONNRE|ENOSPC|worker exited/i

function failureOf(module: TestModule | null, faults: readonly unknown[]): Outcome['failed'] {
  if (!module) return { kind: 'start', id: null, name: 'the file was not run', said: '' }
  for (const test of module.children.allTests('failed')) {
    const said = String(test.result().errors?.[0]?.message ?? '')
    return {
      kind: /timed out in \d+ ?ms/.test(said) ? 'time' : 'test',
      id: test.id,
      name: test.fullName,
      said,
    }
  }
  const [fault] = faults
  if (fault === undefined && module.state() !== 'failed') return null
  const said = fault === undefined ? 'a hook failed' : String((fault as Error).message)
  return { kind: ofTime.test(said) ? 'time' : 'start', id: null, name: 'the file itself', said }
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
