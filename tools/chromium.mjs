import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const aptGet = '/usr/bin/apt-get'
const macPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium that runs: from CHROMIUM, already on this machine, or, where permitted, newly installed. */
export function findChromium(say = () => {}) {
  const told = process.env.CHROMIUM
  if (told) {
    if (runs(told)) return told
    throw new Error(`CHROMIUM is ${told}, and that is no Chromium that runs.`)
  }
  const found = search() ?? (install(say) ? search() : null)
  if (found) return found
  throw new Error(
    'The journeys need a Chromium, and none was found: install it (Debian: apt-get install chromium; Fedora: dnf install chromium; macOS: brew install --cask chromium), or set CHROMIUM to the path of one.',
  )
}

function search() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...places, ...macPlaces].find((path) => existsSync(path) && runs(path)) ?? null
}

/** Some distributions install a script of this name that only prints where to get the real one. */
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
