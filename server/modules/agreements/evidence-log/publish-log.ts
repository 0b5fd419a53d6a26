import { headText, leafText } from '@keyturn/contract/agreements/evidence-log.ts'
import { computeRoot } from '@keyturn/contract/shared/crypto/merkle.ts'
import { noteText } from '@keyturn/contract/shared/crypto/signed-note.ts'
import {
  encodeEntries,
  levelsPerTile,
  parseTilePath,
  tileWidth,
} from '@keyturn/contract/shared/crypto/tiles.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { sha256 } from '../evidence-hashes.ts'
import { deriveHeadKey, logOrigin } from './head-key.ts'
import * as store from './log-repository.ts'

/**
 * Returns the newest head as a checkpoint (c2sp.org/tlog-checkpoint): signed by the log, by the log
 * with the present time, and by the witnesses that have cosigned it. An empty log has one too, which
 * is not stored.
 */
export async function readCheckpoint({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<string> {
  const key = deriveHeadKey(config)
  const [found] = await store.findCheckpoint(db, {})
  if (!found) throw new Error('The database returned no time')
  const note = found.note ?? key.noteOf(emptyHeadText(logOrigin(config)))
  const text = noteText(note)
  const cosigned = found.lines.map((line) => `${line}\n`).join('')
  // One public key has one name (c2sp.org/tlog-cosignature): a head from before the site moved gets no time.
  const isNamed = text.startsWith(`${logOrigin(config)}\n`)
  return `${note}${isNamed ? key.timeLineOf(text, found.now) : ''}${cosigned}`
}

function emptyHeadText(origin: string): string {
  const root = computeRoot(sha256, () => new Uint8Array(), 0)
  return headText({ origin, size: 0, root: Buffer.from(root).toString('base64') })
}

type TileBytes = { bytes: Uint8Array<ArrayBuffer>; isCompressible: boolean }

/** Reads a tile (c2sp.org/tlog-tiles). Throws `NotFound` unless the log has all of it. */
export async function readTile({ db }: Pick<Deps, 'db'>, level: string, path: string): Promise<TileBytes> {
  const tile = parseTilePath(level, path)
  if (!tile) throw apiErrors.NotFound()
  const from = tile.index * tileWidth
  const range = { from, to: from + tile.width - 1 }
  if (tile.level === 'entries') {
    const leaves = await store.findLeavesBetween(db, range)
    if (leaves.length < tile.width) throw apiErrors.NotFound()
    const entries = leaves.map(({ kind, digest }) => Buffer.from(leafText(kind, digest.toString('hex'))))
    return { bytes: new Uint8Array(encodeEntries(entries)), isCompressible: true }
  }
  const nodes = await store.findNodesBetween(db, { ...range, level: tile.level * levelsPerTile })
  if (nodes.length < tile.width) throw apiErrors.NotFound()
  return { bytes: new Uint8Array(Buffer.concat(nodes.map(({ hash }) => hash))), isCompressible: false }
}
