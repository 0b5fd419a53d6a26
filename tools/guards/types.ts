import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Guard, without } from './guard.ts'
import { nameAround, offsetOf, root, sourceOf } from './source.ts'

/** Only errors about values that may be missing or anything: an unused import or an unreachable branch proves nothing. */
const saysMissing =
  /error TS(?:2531|2532|2533|18046|18047|18048|18049|(?:2322|2339|2345).*\b(?:undefined|null)\b)/
const diagnostic = /^(\S+?)\((\d+),(\d+)\): (error TS\d+: .*)$/

/**
 * Guards that the compiler notices: without `if (!row) throw ...` the next line reads from a value that may be missing.
 * Each run removes one guard per declaration, so that a diagnostic can be attributed to it.
 */
export function noticedByTypes(guards: readonly Guard[]): Map<string, string> {
  const rounds: Map<string, Guard>[] = []
  const counts = new Map<string, number>()
  for (const guard of guards) {
    // Only what refuses says that a value is there.
    const mayNarrow = guard.kind === 'refusal' || (guard.kind === 'rule' && guard.path.startsWith('server/'))
    if (!mayNarrow || guard.within === 'the file') continue
    const place = placeOf(guard)
    const round = counts.get(place) ?? 0
    counts.set(place, round + 1)
    const known = rounds[round] ?? new Map<string, Guard>()
    rounds[round] = known.set(place, guard)
  }
  const scratch = copyOfSources()
  try {
    return new Map(rounds.flatMap((away) => [...compileWithout(scratch, away)]))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const placeOf = ({ path, within }: Guard) => `${path} ${within}`

function copyOfSources(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'keyturn-guards-'))
  for (const home of ['contract', 'server'])
    cpSync(join(root, home), join(scratch, home), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    })
  for (const modules of ['node_modules', 'server/node_modules', 'contract/node_modules'])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(scratch, modules))
  const { include: _, ...config } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({ ...config, include: ['contract', 'server'], exclude: ['**/*.test.ts'] }),
  )
  return scratch
}

function compileWithout(scratch: string, away: ReadonlyMap<string, Guard>): Map<string, string> {
  const paths = new Set([...away.values()].map(({ path }) => path))
  const changed = new Map(
    [...paths].map((path) => [
      path,
      without([...away.values()], path, readFileSync(join(root, path), 'utf8')),
    ]),
  )
  for (const [path, text] of changed) writeFileSync(join(scratch, path), text)
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--noEmit', '--pretty', 'false', '-p', scratch],
    {
      cwd: scratch,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  for (const path of paths) writeFileSync(join(scratch, path), readFileSync(join(root, path)))
  const noticed = new Map<string, string>()
  for (const line of stdout.split('\n').filter((text) => saysMissing.test(text))) {
    const [, path = '', row, column, said = ''] = diagnostic.exec(line) ?? []
    const text = changed.get(path)
    if (text === undefined) continue
    const guard = away.get(
      `${path} ${declarationAt(path, text, offsetOf(text, Number(row), Number(column)))}`,
    )
    if (guard) noticed.set(guard.id, said)
  }
  return noticed
}

function declarationAt(path: string, text: string, offset: number): string {
  const around = sourceOf(path, text).places.findLast(({ node }) => node.start <= offset && offset < node.end)
  return around ? nameAround(around) : 'the file'
}
