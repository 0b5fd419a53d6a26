import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const aptGet = '/usr/bin/apt-get'
const macPaths = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Returns the path of a Chromium that runs: CHROMIUM, an installed one, or, as root on Debian, a
 * new one.
 */
export function findChromium(say = () => {}) {
  const chosen = process.env.CHROMIUM
  if (chosen) {
    if (runs(chosen)) return chosen
    throw new Error(`CHROMIUM is ${chosen}, which is no Chromium that runs.`)
  }
  const found = search() ?? (install(say) ? search() : null)
  if (found) return found
  throw new Error(
    'Browser tests need a Chromium, and none was found: install it (Debian: apt-get install chromium; Fedora: dnf install chromium; macOS: brew install --cask chromium), or set CHROMIUM to the path of one.',
  )
}

function search() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, ...macPaths].find((path) => existsSync(path) && runs(path)) ?? null
}

/** Some distributions install a script of this name that only prints how to install Chromium. */
function runs(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 })
  return /Chrom(e|ium) \d/.test(stdout ?? '')
}

function install(say) {
  if (process.getuid?.() !== 0 || !existsSync(aptGet)) return false
  say('Installing Chromium from the packages of this distribution')
  const apt = (...args) =>
    spawnSync(aptGet, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update', '-q') && apt('install', '-y', '-q', '--no-install-recommends', 'chromium')
}
