import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { describeReport } from '@keyturn/contract/agreements/verification/describe-report.ts'
import {
  type AgreementStatus,
  verifyAgreement as statusEndpoint,
} from '@keyturn/contract/agreements/verification/endpoints.ts'
import {
  noPublishedEvidence,
  type PublishedEvidence,
} from '@keyturn/contract/agreements/verification/evidence.ts'
import { type OpenedFile, openFile } from '@keyturn/contract/agreements/verification/open-file.ts'
import { runChecks, type VerificationOutcome } from '@keyturn/contract/agreements/verification/run-checks.ts'
import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { z } from 'zod'
import { sha256 } from '../evidence-hashes.ts'
import { verificationTools } from './verification-tools.ts'
import { verifyHeads } from './verify-heads.ts'

// `npm run verify -- FILE...` verifies signed agreements without a server or a network.

const usage = `npm run verify -- [--keys FILE]... FILE...

Verifies signed agreements: the PDF, or the package as JSON. Photos of the car (JPEG) can be added.
The command uses no network. It reads the site's published data from files:
  curl -o log.json  SITE/.well-known/keyturn-log
  curl -o seal.json SITE/.well-known/keyturn-seal
  npm run verify -- --keys log.json --keys seal.json agreement.pdf

A package as JSON contains no proof. Save SITE/verify/NUMBER and pass it with --keys, too.

Exit codes: 0 if all are valid, 1 if one was altered, 2 if one could not be verified, or if
something was added to it.

npm run verify -- [--keys FILE]... [--tiles FOLDER|URL] --heads HEAD HEAD

Proves or refutes that two heads of the log are of one history. A head is a file with a saved
SITE/log/checkpoint, SITE/.well-known/keyturn-log, a proof, or a signed PDF. What proves it:
  curl -o growth.json SITE/log/consistency/SIZE     (the size of the older head)
  npm run verify -- --keys log.json --keys growth.json --heads older.txt newer.txt
or the tiles, in a folder with the paths of SITE/log, or fetched from a URL such as SITE/log.

Exit codes: 0 if they are of one history, 1 if not, 2 if neither is proven.`

type Arguments = { keys: string[]; files: string[] }

function parseArguments(argv: readonly string[]): Arguments {
  const parsed: Arguments = { keys: [], files: [] }
  for (const [at, word] of argv.entries()) {
    if (word === '--keys') continue
    if (argv[at - 1] === '--keys') parsed.keys.push(word)
    else parsed.files.push(word)
  }
  return parsed
}

const exitCodes: Record<VerificationOutcome, 0 | 1 | 2> = {
  valid: 0,
  extended: 2,
  altered: 1,
  voided: 1,
  superseded: 1,
  unknown: 2,
  unproven: 2,
}

/** Prints the findings line by line and returns the exit code. */
export async function verifyFiles(
  argv: readonly string[],
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  if (argv.includes('--heads')) return verifyHeads(argv, print)
  const parsed = parseArguments(argv)
  if (parsed.files.length === 0) {
    print(usage)
    return 2
  }
  const { statuses, ...published } = await readPublished(parsed.keys)
  const files = await Promise.all(parsed.files.map(readAgreementFile))
  const pictures = files.filter(({ opened }) => opened.kind === 'picture').map(({ digest }) => digest)
  const codes = new Set<0 | 1 | 2>()
  for (const file of files) {
    // Counted with the agreement it belongs to.
    if (file.opened.kind === 'picture' && files.some(({ opened }) => opened.kind === 'agreement')) continue
    const status = statusOf(file.opened, files, statuses)
    codes.add(await printReport(file, { ...published, status }, pictures, print))
  }
  if (published.keys === null || published.certificates === null)
    print(
      '\nThe keys were not compared with the published ones: pass their files with --keys (see npm run verify).',
    )
  return codes.has(1) ? 1 : codes.has(2) ? 2 : 0
}

type File = { name: string; digest: string; opened: OpenedFile }

async function readAgreementFile(path: string): Promise<File> {
  const bytes = new Uint8Array(await readFile(path))
  const digest = sha256(bytes).toString('hex')
  return { name: basename(path), digest, opened: await openFile(bytes, webCryptography) }
}

/** A status that was saved earlier has no number, and applies only to a single file. */
function statusOf(
  opened: OpenedFile,
  files: readonly File[],
  statuses: readonly AgreementStatus[],
): AgreementStatus | null {
  const number = opened.kind === 'agreement' ? opened.number : null
  const [only, ...others] = statuses.filter((status) => status.number === undefined)
  const isOnly = others.length === 0 && files.filter((file) => file.opened.kind === 'agreement').length === 1
  return statuses.find((status) => status.number === number) ?? (isOnly ? only : null) ?? null
}

async function printReport(
  { name, opened }: File,
  published: PublishedEvidence,
  pictures: readonly string[],
  print: (line: string) => void,
): Promise<0 | 1 | 2> {
  if (opened.kind !== 'agreement') {
    print(`${name}: ${texts.notAnAgreement[opened.kind]}`)
    return 2
  }
  const { contents, seal } = opened
  const { status } = published
  const proven = opened.proven ?? (status && status !== 'unknown' ? status.proven : null)
  const evidence = { ...published, contents, proven, seal, pictures }
  const report = await runChecks(evidence, verificationTools)
  const { title, text, notes } = describeReport(report, evidence)
  print(`${name}: ${title}. ${text}`)
  for (const note of notes) print(note)
  for (const check of report.checked) print(`  ${marks[check.verdict]} ${texts.checks[check.name]}`)
  return exitCodes[report.outcome]
}

const marks = { good: '[ok]   ', bad: '[WRONG]', unchecked: '[ -- ] ' }

const sealFile = z.object({ certificates: z.array(z.object({ certificate: z.string() })) })

/** Reads saved responses: log keys, seal certificates, proofs of growth, agreement statuses. */
async function readPublished(
  paths: readonly string[],
): Promise<PublishedEvidence & { statuses: AgreementStatus[] }> {
  const published = { ...noPublishedEvidence, statuses: [] as AgreementStatus[] }
  for (const path of paths) {
    const saved: unknown = JSON.parse(await readFile(path, 'utf8'))
    const [log, seal, consistency, status] = [
      readEvidenceLog.response.safeParse(saved),
      sealFile.safeParse(saved),
      proveLogConsistency.response.safeParse(saved),
      statusEndpoint.response.safeParse(saved),
    ]
    if (log.success) published.keys = [...(published.keys ?? []), ...log.data.keys]
    else if (seal.success)
      published.certificates = [
        ...(published.certificates ?? []),
        ...seal.data.certificates.map(fingerprintOf),
      ]
    else if (consistency.success) published.growth = consistency.data
    else if (status.success) published.statuses.push(status.data)
    else throw new Error(`${path} is not a file that the site publishes about its agreements`)
  }
  return published
}

/** Computed here, because the file's own claim proves nothing. */
const fingerprintOf = ({ certificate }: { certificate: string }) =>
  sha256(new X509Certificate(certificate).raw).toString('hex')
