import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { logProof, proveLogConsistency, readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import {
  type GrowthProof,
  type HistoryVerdict,
  judgeHistory,
  type LogSize,
  parseCheckpoint,
} from '@keyturn/contract/agreements/verification/log-history.ts'
import { openFile } from '@keyturn/contract/agreements/verification/open-file.ts'
import { verificationTexts } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { logHead1 } from '@keyturn/contract/frozen/log-1/evidence-log.ts'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import {
  type Bytes,
  computeRoot,
  consistencyProof,
  consistencyProofNodes,
  rootNodes,
} from '@keyturn/contract/shared/crypto/merkle.ts'
import { fromBase64, parseVerifier, type SignedNote } from '@keyturn/contract/shared/crypto/signed-note.ts'
import {
  nodesOfTiles,
  type Tile,
  tileOfNode,
  tilePath,
  tileWidth,
} from '@keyturn/contract/shared/crypto/tiles.ts'
import { z } from 'zod'
import { sha256 } from '../evidence-hashes.ts'
import { verifyNote } from '../evidence-log/head-key.ts'

const { heads: texts } = verificationTexts

/** Everything that was saved: heads in any form, keys, and consistency proofs. */
type Saved = { note: string | null; keys: string[]; witnesses: string[]; growth: Growth[] }
type Growth = z.output<typeof proveLogConsistency.response>
/** `keys`: those of the log that signed it. */
type Head = LogSize & { name: string; origin: string; keys: string[]; signed: SignedNote }
type Print = (line: string) => void

/**
 * Proves or refutes that two heads of the log are of one history (R-deals-110). Returns 0, 1, or 2
 * when neither is proven. Uses the network only for tiles at a URL.
 */
export async function verifyHeads(argv: readonly string[], print: Print): Promise<0 | 1 | 2> {
  const { paths, keyPaths, tiles } = parseArguments(argv)
  const [files, given] = await Promise.all([paths, keyPaths].map((some) => Promise.all(some.map(readSaved))))
  if (files?.length !== 2 || !given) throw new Error(texts.twoHeads)
  const hasKeys = given.some(({ keys }) => keys.length > 0)
  const all = [...files, ...given]
  const keys = (hasKeys ? given : files).flatMap((one) => one.keys)
  const witnesses = all.flatMap((one) => one.witnesses)
  const openHead = async (name: string, note: string | null) => {
    const signed = note === null ? null : await verifyNote([...new Set([...keys, ...witnesses])], note)
    const head = signed && parseCheckpoint(signed.text)
    if (!head || !signed) return null
    const ofLog = keys.filter((key) => parseVerifier(sha256, key)?.name === head.origin)
    const signers = ofLog.filter((key) => signed.signatures.some(({ verifier }) => verifier === key))
    return signers.length > 0 ? { ...head, name, keys: signers, signed } : null
  }
  // Two logs have two histories. Anyone can add a key to a file, so its name alone proves no log.
  const isSameLog = (one: Head, other: Head) =>
    one.origin === other.origin && (hasKeys || one.keys.some((key) => other.keys.includes(key)))
  const heads = await Promise.all(files.map(({ note }, at) => openHead(basename(paths[at] ?? ''), note)))
  for (const [at, head] of heads.entries())
    if (head) printHead(head, print)
    else print(texts.unsigned(basename(paths[at] ?? '')))
  if (!hasKeys && keys.length > 0) print(texts.ownKeys)
  const [older, newer] = heads.flatMap((head) => head ?? []).sort((one, other) => one.size - other.size)
  if (!older || !newer) return 2
  const source = tiles === null ? null : openTiles(tiles)
  const growth = all.flatMap((one) => one.growth)
  // Two heads are of one history, too, when both are the beginning of a third.
  const others = [
    ...growth.map(({ head }) => openHead(texts.headOfProof, head.note)),
    ...(source ? [openHead(texts.headOfTiles, await source.checkpoint())] : []),
  ]
  const later = (await Promise.all(others)).flatMap((head) => (head && head.size >= newer.size ? [head] : []))
  for (const end of [newer, ...later]) {
    const [first, second] = [await judge(older, end), await judge(newer, end)]
    if (first === 'one' && second === 'one') {
      print(texts.one(older, newer))
      return 0
    }
    const other = first === 'two' ? older : second === 'two' ? newer : null
    if (other) {
      print(texts.two(other, end))
      return 1
    }
  }
  if (isSameLog(older, newer)) print(texts.unproven(older))
  else if (older.origin === newer.origin) print(texts.differentKeys)
  else print(texts.differentLogs(older, newer))
  for (const tile of source?.missing ?? []) print(`  ${tile}`)
  return 2

  async function judge(from: Head, to: Head): Promise<HistoryVerdict> {
    const ofTiles =
      source && from.size > 0 && from.size < to.size ? await source.prove(from.size, to.size) : null
    const proofs = [
      { hashes: [] },
      ...growth.flatMap((one) => decodeProof(one) ?? []),
      ...(ofTiles ? [ofTiles] : []),
    ]
    const verdicts = proofs.map((proof) => judgeHistory(sha256, from, to, proof))
    const verdict = verdicts.find((one) => one !== 'unproven') ?? 'unproven'
    return verdict === 'two' && !isSameLog(from, to) ? 'unproven' : verdict
  }
}

function parseArguments(argv: readonly string[]) {
  const valuesOf = (option: string) => argv.flatMap((word, at) => (argv[at - 1] === option ? [word] : []))
  const [keyPaths, [tiles = null]] = [valuesOf('--keys'), valuesOf('--tiles')]
  const isPath = (word: string, at: number) =>
    !word.startsWith('--') && !['--keys', '--tiles'].includes(argv[at - 1] ?? '')
  return { paths: argv.filter(isPath), keyPaths, tiles }
}

function printHead({ name, size, root, signed }: Head, print: Print): void {
  print(texts.head({ name, size, root: Buffer.from(root).toString('base64') }))
  for (const { verifier, time } of signed.signatures) {
    const signer = parseVerifier(sha256, verifier)?.name ?? ''
    print(`  ${texts.signature(signer, time === null ? null : new Date(time * 1000).toISOString())}`)
  }
}

function decodeProof({ proof }: Growth): GrowthProof | null {
  const hashes = proof.map(fromBase64)
  return hashes.every((one) => one !== null) ? { hashes } : null
}

const packed = z.object({ head: logHead1 })

/** Reads a checkpoint, keys, a saved response about the log, or a PDF or its attached proof. */
async function readSaved(path: string): Promise<Saved> {
  const bytes = new Uint8Array(await readFile(path))
  const saved: Saved = { note: null, keys: [], witnesses: [], growth: [] }
  const opened = await openFile(bytes, webCryptography)
  if (opened.kind === 'agreement' && opened.proven)
    return { ...saved, note: opened.proven.head.note, keys: [opened.proven.key] }
  const text = new TextDecoder().decode(bytes)
  const json = parseJson(text)
  if (json === undefined) {
    const keys = text.split('\n').filter((line) => parseVerifier(sha256, line) !== null)
    return keys.length > 0 ? { ...saved, keys } : { ...saved, note: text }
  }
  const [log, proven, growth, status, head] = [
    readEvidenceLog.response.safeParse(json),
    logProof.safeParse(json),
    proveLogConsistency.response.safeParse(json),
    verifyAgreement.response.safeParse(json),
    z.union([packed.transform((one) => one.head), logHead1]).safeParse(json),
  ]
  if (log.success)
    return {
      ...saved,
      note: log.data.head?.note ?? null,
      keys: log.data.keys,
      witnesses: log.data.witnesses ?? [],
    }
  const proof = proven.success ? proven.data : status.success ? status.data.proven : null
  if (proof) return { ...saved, note: proof.head.note, keys: [proof.key] }
  if (growth.success) return { ...saved, note: growth.data.head.note, growth: [growth.data] }
  return { ...saved, note: head.success ? head.data.note : null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads tiles from a folder or a URL with the paths of c2sp.org/tlog-tiles. */
function openTiles(place: string) {
  const read = /^https?:\/\//.test(place) ? readUrl(place) : readFolder(place)
  const missing = new Set<string>()
  return {
    missing,
    checkpoint: async () => {
      const bytes = await read('checkpoint')
      return bytes && new TextDecoder().decode(bytes)
    },
    /** Null unless all tiles of the proof exist; the missing ones are listed. */
    async prove(before: number, size: number): Promise<GrowthProof | null> {
      const nodes = [...consistencyProofNodes(before, size), ...rootNodes(before)]
      const tiles = new Map(
        nodes.map((node) => tileOfNode(node, size)).map((tile) => [tilePath(tile), tile] as const),
      )
      const bytes = new Map<string, Bytes>()
      for (const [path, tile] of tiles) {
        const found =
          (await read(`tile/${path}`)) ?? (await read(`tile/${tilePath({ ...tile, width: tileWidth })}`))
        if (found) bytes.set(path, found)
        else missing.add(`tile/${path}`)
      }
      if (bytes.size < tiles.size) return null
      const of = nodesOfTiles(sha256, size, (tile: Tile) => bytes.get(tilePath(tile)) ?? new Uint8Array())
      return { hashes: consistencyProof(sha256, of, before, size), start: computeRoot(sha256, of, before) }
    },
  }
}

type ReadFile = (path: string) => Promise<Bytes | null>

/** Reads the file, or a wider tile that contains it. */
const readFolder =
  (folder: string): ReadFile =>
  async (path) => {
    const [, partial, width] = /^(.*\.p)\/(\d+)$/.exec(path) ?? []
    const saved = partial ? await readdir(join(folder, partial)).catch(() => []) : []
    const wider = saved.find((name) => Number(name) >= Number(width))
    return readFile(join(folder, partial && wider ? join(partial, wider) : path)).catch(() => null)
  }

const readUrl =
  (prefix: string): ReadFile =>
  async (path) => {
    const response = await fetch(`${prefix.replace(/\/+$/, '')}/${path}`)
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
