import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from '../build.mjs'
import { installEverything } from '../install.mjs'
import { root, run } from '../run.mjs'

const tsx = join(root, 'node_modules/.bin/tsx')
const args = process.argv.slice(2)

/** Runs a benchmark that prints its results at the end. */
export async function startBench(main) {
  await prepare()
  const { code, output } = await run(tsx, [join(root, main), ...args], {
    everyFewSeconds: () => process.stderr.write('.'),
  })
  process.stdout.write(`\n${output}`)
  process.exitCode = code
}

/** Runs a long benchmark whose output is shown as it arrives. */
export async function startLongBench(main, firstArgs = []) {
  await prepare()
  const { status } = spawnSync(tsx, [join(root, main), ...firstArgs, ...args], { stdio: 'inherit' })
  process.exitCode = status ?? 2
}

async function prepare() {
  await installEverything()
  await buildIfChanged()
}
