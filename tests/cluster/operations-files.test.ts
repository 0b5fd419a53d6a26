// @module-tag full

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../support/server-process.ts'

// Checks the files for operators with the programs that read them.

const root = join(import.meta.dirname, '../..')

const secretFiles = [
  ...['.env', '.env.production', 'keyturn.env', 'operations/keyturn.env', 'seal.p12', 'seal.pfx'],
  ...['key.pem', 'certificates/privkey.pem', 'certificates/keyturn.crt', 'dkim/2026.key'],
]

test('keeps env files, keys and certificates out of git and the image', () => {
  const ignored = spawnSync('git', ['check-ignore', '--no-index', ...secretFiles, '.env.example'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(ignored.stdout.trim().split('\n')).toEqual(secretFiles)
  const isLeftOut = (path: string) =>
    readFileSync(join(root, '.dockerignore'), 'utf8')
      .trim()
      .split('\n')
      .reduce((out, line) => (dockerPattern(line).test(path) ? !line.startsWith('!') : out), false)
  expect(secretFiles.filter((path) => !isLeftOut(path))).toEqual([])
  expect(isLeftOut('.env.example')).toBe(false)
})

/**
 * Translates a line of `.dockerignore`: relative to the root, a folder includes its contents, and
 * the last match wins.
 */
const dockerPattern = (line: string) =>
  new RegExp(
    `^${line
      .replace(/^!/, '')
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(.+/)?')
      .replace(/(?<!\+)\*/g, '[^/]*')}(/|$)`,
  )

test.runIf(existsSync('/usr/bin/systemd-analyze'))('passes systemd’s own verification', () => {
  const instance = join(createTestFolder(), 'keyturn@3001.service')
  copyFileSync(join(root, 'operations/systemd/keyturn@.service'), instance)
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', instance], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
