import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from '../run.mjs'

/**
 * Builds an earlier version in a temporary folder. Returns its server's file, or `why` it failed.
 */
export async function buildEarlier(ref) {
  const folder = join(mkdtempSync(join(tmpdir(), 'keyturn-earlier-')), 'tree')
  const git = (...args) => run('git', args)
  const drop = async () => {
    await git('worktree', 'remove', '--force', folder)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  }
  const added = await git('worktree', 'add', '--detach', folder, ref)
  if (added.code !== 0) return { why: added.output.trim(), drop }
  const lockIn = (path) => readFileSync(join(path, 'package-lock.json'), 'utf8')
  // With a different lock file the build installs its own packages, which takes a minute.
  if (lockIn(folder) === lockIn(root)) linkPackages(folder)
  const built = await run(process.execPath, [join(folder, 'tools/build.mjs'), '--quiet'])
  if (built.code !== 0) return { why: built.output.trim(), drop }
  return { main: join(folder, 'dist/server/main.js'), drop }
}

/** Links third-party packages from this checkout and the product's own from the earlier one. */
function linkPackages(folder) {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')]
  mkdirSync(join(to, '@keyturn'), { recursive: true })
  for (const name of readdirSync(from).filter((name) => name !== '@keyturn' && name !== '.installed-from'))
    symlinkSync(join(from, name), join(to, name))
  for (const name of readdirSync(join(from, '@keyturn')))
    symlinkSync(join(folder, name), join(to, '@keyturn', name))
}
