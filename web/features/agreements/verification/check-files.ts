import { sealCertificates } from '@keyturn/contract/agreements/endpoints.ts'
import { evidenceLog, logConsistency } from '@keyturn/contract/agreements/evidence-log.ts'
import { type AgreementStatus, verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import {
  nothingPublished,
  type Published,
  type Tools,
} from '@keyturn/contract/agreements/verification/evidence.ts'
import { type Opened, openFile } from '@keyturn/contract/agreements/verification/open.ts'
import { verificationTexts as texts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import {
  verifyAgreement as makeChecks,
  type Outcome,
  type Report,
} from '@keyturn/contract/agreements/verification/verify.ts'
import { cryptographyHere } from '@keyturn/contract/shared/crypto/cryptography.ts'
import { hexOf } from '@keyturn/contract/shared/crypto/signed-note.ts'
import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import canonicalize from 'canonicalize'
import { hasErrorCode } from '../../../api/errors.ts'
import { send } from '../../../api/send.ts'

/** Larger than any signed agreement. */
const mostBytes = 50 * 1024 * 1024

type Agreement = Extract<Opened, { kind: 'agreement' }>
type Found = { name: string; digest: string; opened: Opened | { kind: 'tooLarge' } }

/** Checks each file in the browser; the server receives only its number. */
export async function checkFiles(files: readonly File[]): Promise<void> {
  const found = await Promise.all(files.map(read))
  const pictures = found.filter(({ opened }) => opened.kind === 'picture').map(({ digest }) => digest)
  const hasAgreement = found.some(({ opened }) => opened.kind === 'agreement')
  const cards: HTMLElement[] = []
  for (const { name, opened } of found) {
    if (opened.kind === 'agreement') cards.push(await cardOf(name, opened, pictures))
    else if (opened.kind !== 'picture' || !hasAgreement)
      cards.push(
        card(name, {
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

async function read(file: File): Promise<Found> {
  if (file.size > mostBytes) return { name: file.name, digest: '', opened: { kind: 'tooLarge' } }
  const bytes = new Uint8Array(await file.arrayBuffer())
  return {
    name: file.name,
    digest: hexOf(tools.hash(bytes)),
    opened: await openFile(bytes, cryptographyHere()),
  }
}

async function cardOf(name: string, opened: Agreement, pictures: readonly string[]): Promise<HTMLElement> {
  const { contents, number, seal } = opened
  const published = await askAbout(opened).catch(() => null)
  const standing = published?.standing
  const proven = opened.proven ?? (standing && standing !== 'unknown' ? standing.proven : null)
  const report = await makeChecks(
    { ...(published ?? nothingPublished), contents, proven, seal, pictures },
    tools,
  )
  const aside = published
    ? report.leavesOut && report.outcome === 'unproven'
      ? texts.leavesOut
      : null
    : texts.notAsked
  return card(name, { kind: kinds[report.outcome], ...texts.outcomes[report.outcome], aside, report }, number)
}

const kinds: Record<Outcome, Kind> = {
  valid: 'good',
  altered: 'bad',
  voided: 'bad',
  superseded: 'bad',
  unknown: 'unsure',
  unproven: 'unsure',
}

/** Fetches the published facts about an agreement's number; sends nothing of the file. */
async function askAbout({ number, proven }: Agreement): Promise<Published> {
  const isNumber = number !== null && /^[0-9a-f]{24}$/.test(number)
  const [standing, log, seals] = await Promise.all([
    isNumber ? standingOf(number) : null,
    send(evidenceLog, {}),
    send(sealCertificates, {}),
  ])
  const head = proven?.head ?? standing?.proven?.head
  const present = log.head ?? { size: 0, root: '', note: '' }
  const hasLess = head !== undefined && head.size > present.size
  // A log that has become shorter proves nothing, and the result says so.
  const growth = hasLess
    ? { proof: [], head: present }
    : head && (await send(logConsistency, { params: { size: head.size } }))
  return {
    standing: standing ?? 'unknown',
    keys: log.keys,
    certificates: seals.certificates.map(({ fingerprint }) => fingerprint),
    growth: growth ?? null,
  }
}

async function standingOf(agreement: string): Promise<AgreementStatus | null> {
  try {
    return await send(verifyAgreement, { params: { agreement } })
  } catch (fault) {
    if (hasErrorCode(fault, verifyAgreement, 'NotFound')) return null
    throw fault
  }
}

type Kind = 'good' | 'bad' | 'unsure'
type Card = { kind: Kind; title: string; text: string; aside?: string | null; report?: Report }

function card(
  name: string,
  { kind, title, text, aside = null, report }: Card,
  number: string | null = null,
): HTMLElement {
  const copy = copyOf('[data-verify-result]')
  const part = (named: string) => copy.querySelector<HTMLElement>(`[data-part="${named}"]`)
  const put = (named: string, words: string) => {
    const element = part(named)
    if (element) element.textContent = words
  }
  copy.dataset.kind = kind
  put('name', number ? `${name} · ${number}` : name)
  put('title', title)
  put('text', text)
  put('aside', aside ?? '')
  part('name')?.setAttribute('tabindex', '-1')
  part('aside')?.toggleAttribute('hidden', aside === null)
  const checked = report?.checked ?? []
  put('summary', texts.summary(checked.filter(({ verdict }) => verdict === 'good').length, checked.length))
  part('details')?.toggleAttribute('hidden', checked.length === 0)
  part('details')?.toggleAttribute('open', kind === 'bad')
  part('checks')?.append(...checked.map(checkLine))
  return copy
}

function checkLine({ name, verdict }: Report['checked'][number]): HTMLElement {
  const line = copyOf('[data-verify-check]')
  const [label, word] = [
    line.querySelector('[data-part="label"]'),
    line.querySelector('[data-part="verdict"]'),
  ]
  line.dataset.verdict = verdict
  if (label) label.textContent = texts.checks[name]
  if (word) word.textContent = texts.verdicts[verdict]
  return line
}

function copyOf(selector: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template${selector}`)
  return template?.content.firstElementChild?.cloneNode(true) as HTMLElement
}

// The browser's own crypto is asynchronous, supports Ed25519 only in recent versions, and is
// missing without TLS.
hashes.sha512 = (message) => new Uint8Array(sha512(new Uint8Array(message)))

const tools: Tools = {
  hash: (...parts) => {
    const hash = sha256.create()
    for (const part of parts) hash.update(new Uint8Array(part))
    return hash.digest()
  },
  canonical: (json) => canonicalize(json) ?? '',
  isSignedByEd25519: async (publicKey, signature, text) =>
    verify(new Uint8Array(signature), new Uint8Array(text), new Uint8Array(publicKey)),
}
