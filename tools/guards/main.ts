import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { findGuards, type Guard } from './find-guards.ts'

// `npm run guards [-- --file server/modules/deals/ --kind owner]`: disables each guard, runs the
// tests that vitest relates to its file, and restores the file. Prints the guards whose removal no
// test noticed. Checking all guards takes hours, one folder takes minutes.

const { values: options } = parseArgs({
  options: { file: { type: 'string', default: '' }, kind: { type: 'string' } },
})

const files = git('ls-files', 'contract', 'server').filter(
  (path) => path.includes(options.file) && /(?<!\.test|\.d)\.ts$/.test(path),
)
const found = files.flatMap((path) => {
  const source = readFileSync(path, 'utf8')
  return findGuards(path, source)
    .filter(({ kind }) => kind === (options.kind ?? kind))
    .map((guard) => ({ path, source, guard }))
})
const changed = git('diff', '--name-only').filter((path) => found.some((one) => one.path === path))
if (changed.length > 0)
  throw new Error(`Commit these files first, because they will be changed: ${changed.join(', ')}`)

console.log(`${found.length} guards in ${new Set(found.map(({ path }) => path)).size} files`)
const unnoticed = found.filter(({ path, source, guard }) => {
  const isNoticed = isNoticedWithout(path, source, guard)
  console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}  ${path}:${guard.line}  ${guard.kind}  ${guard.text}`)
  return !isNoticed
})
console.log(`${found.length} guards disabled, ${unnoticed.length} not noticed`)
process.exitCode = unnoticed.length > 0 ? 1 : 0

function isNoticedWithout(path: string, source: string, { start, end, replacement }: Guard): boolean {
  writeFileSync(path, source.slice(0, start) + replacement + source.slice(end))
  try {
    // The fastest check runs first: the compiler, then the tests in the same folder.
    return (
      fails('tsc', '--noEmit') ||
      fails('vitest', 'run', '--bail=1', '--passWithNoTests', dirname(path)) ||
      fails('vitest', 'related', '--run', '--bail=1', '--passWithNoTests', path)
    )
  } finally {
    writeFileSync(path, source)
  }
}

function fails(program: string, ...args: string[]): boolean {
  const { status, signal } = spawnSync(`node_modules/.bin/${program}`, args, { stdio: 'ignore' })
  if (signal) throw new Error(`${program} was stopped by ${signal}`)
  return status !== 0
}

function git(...args: string[]): string[] {
  const { stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean)
}
