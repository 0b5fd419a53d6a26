import { listSealCertificates } from '@keyturn/contract/agreements/endpoints.ts'
import { proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { describeReport } from '@keyturn/contract/agreements/verification/describe-report.ts'
import { type AgreementStatus, verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import {
  noPublishedEvidence,
  type PublishedEvidence,
  type VerificationTools,
} from '@keyturn/contract/agreements/verification/evidence.ts'
import { type OpenedFile, openFile } from '@keyturn/contract/agreements/verification/open-file.ts'
import {
  runChecks,
  type VerificationOutcome,
  type VerificationReport,
} from '@keyturn/contract/agreements/verification/run-checks.ts'
import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { availableCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { toHex } from '@keyturn/contract/shared/crypto/signed-note.ts'
import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import canonicalize from 'canonicalize'
import { hasErrorCode } from '../../../api/errors.ts'
import { send } from '../../../api/send.ts'

/** More than any signed agreement has. */
const maxFileBytes = 50 * 1024 * 1024

type Agreement = Extract<OpenedFile, { kind: 'agreement' }>
type ReadFile = { name: string; digest: string; opened: OpenedFile | { kind: 'tooLarge' } }

/**
 * Checks each file in the browser. The server receives only the agreement's number and the log size
 * in its proof.
 */
export async function checkFiles(files: readonly File[]): Promise<void> {
  const read = await Promise.all(files.map(readFile))
  const pictures = read.filter(({ opened }) => opened.kind === 'picture').map(({ digest }) => digest)
  const hasAgreement = read.some(({ opened }) => opened.kind === 'agreement')
  const cards: HTMLElement[] = []
  for (const { name, opened } of read) {
    if (opened.kind === 'agreement') cards.push(await createAgreementCard(name, opened, pictures))
    else if (opened.kind !== 'picture' || !hasAgreement)
      cards.push(
        createCard(name, {
          kind: 'unsure',
          title: texts.outcomes.unproven.title,
          text: texts.notAnAgreement[opened.kind],
        }),
      )
  }
  const results = document.querySelector('[data-verify-results]')
  results?.replaceChildren(...cards)
  cards[0]?.querySelector<HTMLElement>('h3')?.focus()
}

async function readFile(file: File): Promise<ReadFile> {
  if (file.size > maxFileBytes) return { name: file.name, digest: '', opened: { kind: 'tooLarge' } }
  const bytes = new Uint8Array(await file.arrayBuffer())
  return {
    name: file.name,
    digest: toHex(tools.hash(bytes)),
    opened: await openFile(bytes, availableCryptography()),
  }
}

async function createAgreementCard(
  name: string,
  opened: Agreement,
  pictures: readonly string[],
): Promise<HTMLElement> {
  const { contents, number, seal } = opened
  const published = await fetchPublished(opened).catch(() => null)
  const status = published?.status
  const proven = opened.proven ?? (status && status !== 'unknown' ? status.proven : null)
  const evidence = { ...(published ?? noPublishedEvidence), contents, proven, seal, pictures }
  const report = await runChecks(evidence, tools)
  const { title, text, notes } = describeReport(report, evidence)
  const aside = published ? notes : [...notes, texts.notAsked]
  return createCard(name, { kind: kinds[report.outcome], title, text, aside, report }, number)
}

const kinds: Record<VerificationOutcome, Kind> = {
  valid: 'good',
  extended: 'unsure',
  altered: 'bad',
  voided: 'bad',
  superseded: 'bad',
  unknown: 'unsure',
  unproven: 'unsure',
}

/**
 * Fetches what is published about an agreement. Sends only its number and the log size in its
 * proof.
 */
async function fetchPublished({ number, proven }: Agreement): Promise<PublishedEvidence> {
  const isNumber = number !== null && /^[0-9a-f]{24}$/.test(number)
  const [status, log, seals] = await Promise.all([
    isNumber ? fetchStatus(number) : null,
    send(readEvidenceLog, {}),
    send(listSealCertificates, {}),
  ])
  const head = proven?.head ?? status?.proven?.head
  const currentHead = log.head ?? { size: 0, root: '', note: '' }
  const hasLogShrunk = head !== undefined && head.size > currentHead.size
  // A log that is now shorter than when it proved the agreement is reported as inconsistent.
  const growth = hasLogShrunk
    ? { proof: [], head: currentHead }
    : head && (await send(proveLogConsistency, { params: { size: head.size } }))
  return {
    status: status ?? 'unknown',
    keys: log.keys,
    certificates: seals.certificates.map(({ fingerprint }) => fingerprint),
    growth: growth ?? null,
  }
}

async function fetchStatus(agreement: string): Promise<AgreementStatus | null> {
  try {
    return await send(verifyAgreement, { params: { agreement } })
  } catch (fault) {
    if (hasErrorCode(fault, verifyAgreement, 'NotFound')) return null
    throw fault
  }
}

type Kind = 'good' | 'bad' | 'unsure'
type Card = {
  kind: Kind
  title: string
  text: string
  aside?: readonly string[]
  report?: VerificationReport
}

function createCard(
  name: string,
  { kind, title, text, aside = [], report }: Card,
  number: string | null = null,
): HTMLElement {
  const card = cloneTemplate('[data-verify-result]')
  const part = (named: string) => card.querySelector<HTMLElement>(`[data-part="${named}"]`)
  const setText = (named: string, words: string) => {
    const element = part(named)
    if (element) element.textContent = words
  }
  card.dataset.kind = kind
  setText('name', number ? `${name} · ${number}` : name)
  setText('title', title)
  setText('text', text)
  part('aside')?.replaceChildren(...aside.map(createParagraph))
  part('name')?.setAttribute('tabindex', '-1')
  part('aside')?.toggleAttribute('hidden', aside.length === 0)
  const checked = report?.checked ?? []
  const count = (verdict: VerificationReport['checked'][number]['verdict']) =>
    checked.filter((one) => one.verdict === verdict).length
  setText('summary', texts.summary({ good: count('good'), bad: count('bad'), unchecked: count('unchecked') }))
  part('details')?.toggleAttribute('hidden', checked.length === 0)
  part('details')?.toggleAttribute('open', kind === 'bad')
  part('checks')?.append(...checked.map(createCheckLine))
  return card
}

function createParagraph(text: string): HTMLElement {
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  return paragraph
}

function createCheckLine({ name, verdict }: VerificationReport['checked'][number]): HTMLElement {
  const line = cloneTemplate('[data-verify-check]')
  const [label, word] = [
    line.querySelector('[data-part="label"]'),
    line.querySelector('[data-part="verdict"]'),
  ]
  line.dataset.verdict = verdict
  if (label) label.textContent = texts.checks[name]
  if (word) word.textContent = texts.verdicts[verdict]
  return line
}

function cloneTemplate(selector: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template${selector}`)
  return template?.content.firstElementChild?.cloneNode(true) as HTMLElement
}

// Replaces the browser's own implementation, which is asynchronous, supports Ed25519 only in recent
// versions, and is missing without TLS.
hashes.sha512 = (message) => new Uint8Array(sha512(new Uint8Array(message)))

const tools: VerificationTools = {
  hash: (...parts) => {
    const hash = sha256.create()
    for (const part of parts) hash.update(new Uint8Array(part))
    return hash.digest()
  },
  canonical: (json) => canonicalize(json) ?? '',
  isSignedByEd25519: async (publicKey, signature, text) =>
    verify(new Uint8Array(signature), new Uint8Array(text), new Uint8Array(publicKey)),
}
