import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { evidenceLog, logConsistency } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement as standingCall } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { nothingPublished, type Published } from '@keyturn/contract/agreements/verification/evidence.ts'
import { type Opened, openFile } from '@keyturn/contract/agreements/verification/open.ts'
import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { type Outcome, verifyAgreement } from '@keyturn/contract/agreements/verification/verify.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { z } from 'zod'
import { sha256 } from '../evidence.ts'
import { tools } from './tools.ts'

// `npm run verify -- FILE...` verifies signed agreements without a server or a network.

const usage = `npm run verify -- [--keys FILE]... FILE...

Checks signed agreements: the PDF, or the package as JSON. Photos of the car (JPEG) can be named beside them.
Nothing is sent anywhere. What the site publishes is taken from files:
  curl -o log.json  SITE/.well-known/keyturn-log
  curl -o seal.json SITE/.well-known/keyturn-seal
  npm run verify -- --keys log.json --keys seal.json agreement.pdf

A package as JSON brings no proof along: SITE/verify/NUMBER, saved and named with --keys too, holds it.

Ends with 0 if all are valid, 1 if one was altered, 2 if one could not be told.`

type Wanted = { keys: string[]; files: string[] }

function wantedOf(given: readonly string[]): Wanted {
  const wanted: Wanted = { keys: [], files: [] }
  for (const [at, word] of given.entries()) {
    if (word === '--keys') continue
    if (given[at - 1] === '--keys') wanted.keys.push(word)
    else wanted.files.push(word)
  }
  return wanted
}

const exitCodes: Record<Outcome, 0 | 1 | 2> = {
  valid: 0,
  altered: 1,
  voided: 1,
  superseded: 1,
  unknown: 2,
  unproven: 2,
}

/** Prints the findings line by line and returns the exit code. */
export async function verifyFiles(given: readonly string[], say: (line: string) => void): Promise<0 | 1 | 2> {
  const wanted = wantedOf(given)
  if (wanted.files.length === 0) {
    say(usage)
    return 2
  }
  const published = await publishedIn(wanted.keys)
  const files = await Promise.all(wanted.files.map(readOne))
  const pictures = files.filter(({ opened }) => opened.kind === 'picture').map(({ digest }) => digest)
  const codes = new Set<0 | 1 | 2>()
  for (const file of files) {
    // Counted with the agreement it belongs to.
    if (file.opened.kind === 'picture' && files.some(({ opened }) => opened.kind === 'agreement')) continue
    codes.add(await sayOne(file, published, pictures, say))
  }
  if (published.keys === null || published.certificates === null)
    say('\nThe keys were not compared with published ones: name the files with --keys (see npm run verify).')
  return codes.has(1) ? 1 : codes.has(2) ? 2 : 0
}

type File = { name: string; digest: string; opened: Opened }

async function readOne(path: string): Promise<File> {
  const bytes = new Uint8Array(await readFile(path))
  const digest = sha256(bytes).toString('hex')
  return { name: basename(path), digest, opened: await openFile(bytes, webCryptography) }
}

async function sayOne(
  { name, opened }: File,
  published: Published,
  pictures: readonly string[],
  say: (line: string) => void,
): Promise<0 | 1 | 2> {
  if (opened.kind !== 'agreement') {
    say(`${name}: ${texts.notAnAgreement[opened.kind]}`)
    return 2
  }
  const { contents, seal } = opened
  const { standing } = published
  const proven = opened.proven ?? (standing && standing !== 'unknown' ? standing.proven : null)
  const report = await verifyAgreement({ ...published, contents, proven, seal, pictures }, tools)
  say(`${name}: ${texts.outcomes[report.outcome].title}. ${texts.outcomes[report.outcome].text}`)
  if (report.leavesOut) say(texts.leavesOut)
  for (const check of report.checked) say(`  ${marks[check.verdict]} ${texts.checks[check.name]}`)
  return exitCodes[report.outcome]
}

const marks = { good: '[ok]   ', bad: '[WRONG]', unchecked: '[ -- ] ' }

const sealFile = z.object({ certificates: z.array(z.object({ certificate: z.string() })) })

/**
 * Reads saved copies of the log's keys, the seal's certificates, or a proof of the log's growth.
 */
async function publishedIn(paths: readonly string[]): Promise<Published> {
  const published = { ...nothingPublished }
  for (const path of paths) {
    const saved: unknown = JSON.parse(await readFile(path, 'utf8'))
    const [log, seal, growth, standing] = [
      evidenceLog.response.safeParse(saved),
      sealFile.safeParse(saved),
      logConsistency.response.safeParse(saved),
      standingCall.response.safeParse(saved),
    ]
    if (log.success) published.keys = [...(published.keys ?? []), ...log.data.keys]
    else if (seal.success)
      published.certificates = [
        ...(published.certificates ?? []),
        ...seal.data.certificates.map(fingerprintOf),
      ]
    else if (growth.success) published.growth = growth.data
    else if (standing.success) published.standing = standing.data
    else throw new Error(`${path} is nothing that a site publishes about its agreements`)
  }
  return published
}

/** Computed here, because the file's own claim proves nothing. */
const fingerprintOf = ({ certificate }: { certificate: string }) =>
  sha256(new X509Certificate(certificate).raw).toString('hex')
