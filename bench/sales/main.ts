import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { retentionTasks } from '../../server/platform/retention/remove-old-rows.ts'
import { createRetentionRules } from '../../server/tasks.ts'
import { migrateDatabase, withCluster } from '../database.ts'
import { makeSale, photosASale } from './make-sale.ts'
import { openSalesServer, type SalesServer } from './open-server.ts'
import { repeatRows } from './repeat-rows.ts'
import { digestEvidence, readSizes, type TableSize, totalOf } from './sizes.ts'

// `npm run bench:sales [-- --sales 2000]`: makes real sales, measures their bytes, repeats their
// rows over a year, and lets retention run. Fails if evidence changed, or if the database is larger
// afterwards than docs/scaling.md says.

const { values: given } = parseArgs({ options: { sales: { type: 'string', default: '2000' } } })
const names = ['Sanders', 'Соколова']
/** The bound of docs/scaling.md, for the database without the files. */
const maxBytesASale = 45_000

await withCluster(async ({ dataDir, connectionString }) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('create database sales')
  await client.end()
  const url = new URL(connectionString)
  url.pathname = '/sales'
  await migrateDatabase(url.href)
  const server = await openSalesServer(url.href, join(dataDir, 'server'))
  await measure(server, url.href, join(dataDir, 'server')).catch((error) => {
    console.error(error)
    process.exit(1)
  })
  await server.close()
})

async function measure(server: SalesServer, url: string, dataDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [number, name] of names.entries()) await makeSale(server, name, number * photosASale)
  // Each delivery failed once before the dealer accepted it.
  await client.query(`insert into delivery_tries (delivery_id, at, number, ms, status, because)
    select delivery_id, at, number + 1, ms, 502, 'The dealer''s system returned 502' from delivery_tries`)
  await printFiles(server, dataDir)
  const times = Math.ceil(Number(given.sales) / names.length)
  await repeatRows(client, times)
  const sales = (times + 1) * names.length
  const before = await readSizes(client)
  const evidence = await digestEvidence(client, server.deps.db)
  await removeEverythingOld(server)
  await client.query('vacuum')
  const vacuumed = totalOf(await readSizes(client))
  await client.query('vacuum full')
  const after = await readSizes(client)
  printSizes(before, after, sales)
  const bound = maxBytesASale * sales
  console.log(
    `${sales} sales of a year: ${mb(totalOf(before))} MB, ${mb(vacuumed)} MB after retention and VACUUM (space to reuse), ` +
      `${mb(totalOf(after))} MB after VACUUM FULL; the bound is ${mb(bound)} MB`,
  )
  const isSame = JSON.stringify(evidence) === JSON.stringify(await digestEvidence(client, server.deps.db))
  console.log(isSame ? 'Evidence: same rows, same digests' : 'Evidence has changed')
  if (!isSame || totalOf(after) > bound) process.exit(1)
  await client.end()
}

/** Several runs, because a run reads a bounded number of notifications that stay. */
async function removeEverythingOld({ deps }: SalesServer): Promise<void> {
  const [task] = Object.values(retentionTasks(deps, createRetentionRules()))
  const began = performance.now()
  for (let hour = 0; hour < 10; ) {
    const outcome = await task?.run({}, { attempts: 1, stopping: new AbortController().signal })
    if (outcome && 'againInMs' in outcome && outcome.againInMs > 0) hour++
  }
  console.log(`Retention ran for ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

async function printFiles(server: SalesServer, dataDir: string): Promise<void> {
  const photos = join(dataDir, 'photos')
  const files = readdirSync(photos, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const sizes = files
    .filter(({ parentPath }) => !parentPath.includes('documents'))
    .map((file) => statSync(join(file.parentPath, file.name)).size)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  console.log(
    `Photos: ${photosASale} a sale, ${Math.round(bytes / names.length)} bytes in ${sizes.length / names.length} files`,
  )
  const documents = await server.query<{ size: number }>(
    'select byte_count as size from documents order by stored_at',
  )
  console.log(`PDFs: ${documents.map(({ size }, index) => `${names[index]} ${size} bytes`).join(', ')}`)
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function printSizes(before: readonly TableSize[], after: readonly TableSize[], sales: number): void {
  const perSale = (value: number) => String(Math.round(value / sales)).padStart(8)
  console.log('Bytes a sale: rows, heap and indexes; then the same after retention')
  for (const one of before) {
    const later = after.find(({ name }) => name === one.name)
    if (one.rows < sales / 4 || !later) continue
    const cells = [one, later].map(
      ({ rows, live, heap, indexes }) =>
        `${(rows / sales).toFixed(1).padStart(7)} rows${perSale(live)}${perSale(heap)}${perSale(indexes)}`,
    )
    console.log(`${one.name.padEnd(22)}${cells.join('  ')}`)
  }
  for (const [what, sizes] of [
    ['before', before],
    ['after', after],
  ] as const)
    console.log(`${what}: ${perSale(totalOf(sizes))} bytes a sale`)
}
