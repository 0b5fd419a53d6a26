import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// Checks the length of commit subjects: `node tools/commit-messages.mjs FILE` checks one message,
// as the hook does. Without a file, it checks every commit since this check was added.

const maxLength = 72
const [file] = process.argv.slice(2)
const subjects = file ? [firstLine(readFileSync(file, 'utf8'))] : subjectsSinceThisCheck()
const tooLong = subjects.filter((subject) => subject.length > maxLength)
for (const subject of tooLong)
  console.error(`Longer than ${maxLength} characters (${subject.length}): ${subject}`)
if (tooLong.length > 0) process.exit(1)

function firstLine(message) {
  return message.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
}

function subjectsSinceThisCheck() {
  const log = (...args) =>
    execFileSync('git', ['log', ...args], { encoding: 'utf8' })
      .trim()
      .split('\n')
  const [added] = log('--diff-filter=A', '--format=%H', '--', 'tools/commit-messages.mjs')
  return added ? log('--no-merges', '--format=%s', `${added}..HEAD`).filter(Boolean) : []
}
