import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { withTimeLimit } from '../../../shared/with-time-limit.ts'
import { bearerToken } from '../../http/authorization.ts'
import type { Db } from '../open-database.ts'
import { type Lsn, parseLsn } from './lsn.ts'
import type { Standbys } from './standbys.ts'

/** Runs a read on a standby, or on the primary; after a failure or an error again on the primary. */
export type RunRead = <T>(request: FastifyRequest, read: (db: Db) => T | Promise<T>) => Promise<T>

/** The database that answered a read: `both` if a standby failed or found nothing. */
type ReadNode = 'standby' | 'primary' | 'both'

type ReadOptions = {
  db: Db
  config: Config
  standbys: Standbys | null
  onRead?: ((node: ReadNode) => void) | undefined
}

/** A hanging standby delays a read by this much. */
const readTimeoutMs = 2_000

/** Chooses the database of each read that may be a second old (R-everywhere-76, decision 90). */
export function createReadRouter({ db, config, standbys, onRead = () => {} }: ReadOptions): RunRead {
  if (!standbys) return async (_, read) => read(db)
  return async (request, read) => {
    const standby = mustBeCurrent(request) ? null : standbys.choose(lsnIn(request, config))
    if (!standby) {
      onRead('primary')
      return read(db)
    }
    try {
      const done = await withTimeLimit(readTimeoutMs, readFrom(standby.db, read))
      if (!done) throw new Error('The standby is slow')
      onRead('standby')
      return done.result
    } catch {
      // It may fail, lack a new row, or have found something to write.
      onRead('both')
      return read(db)
    }
  }
}

/** Wrapped, so that a result of null differs from a timeout. */
const readFrom = async <T>(db: Db, read: (db: Db) => T | Promise<T>) => ({ result: await read(db) })

/**
 * After an event, a page asks for rows that include the change (R-everywhere-77). A program with a
 * token has no cookies, so its LSN is unknown.
 */
const mustBeCurrent = (request: FastifyRequest): boolean =>
  request.headers['read-current'] !== undefined || bearerToken(request) !== null

/**
 * Stores the LSN after a change in the browser, so that its next reads include the
 * change on every server (R-everywhere-77).
 */
export function rememberLsn(app: FastifyInstance, config: Config, standbys: Standbys): void {
  app.addHook('onSend', async (request, reply) => {
    if (!isChange(request) || bearerToken(request) !== null || reply.statusCode === 429) return
    // Something may have been committed, and the primary may be away.
    const isUnknown = reply.statusCode >= 500
    const written = isUnknown ? null : await standbys.flushLsn().catch(() => null)
    setLsn(reply, config, written ?? unknownLsn)
  })
}

/** Requests below /auth change sessions and people, some of them by GET. */
const isChange = ({ method, routeOptions }: FastifyRequest): boolean =>
  method !== 'GET' || (routeOptions.url ?? '').startsWith('/auth/')

/** After every LSN, so that only the primary has it. */
const unknownLsn = 'f'.repeat(16)
/** Longer than a standby that is read can be behind. */
const rememberedSeconds = 60

const isHttps = ({ publicUrl }: Config) => publicUrl.protocol === 'https:'
const cookieName = (config: Config) => `${isHttps(config) ? '__Host-' : ''}lp`

function setLsn(reply: FastifyReply, config: Config, lsn: Lsn): void {
  const secure = isHttps(config) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${cookieName(config)}=${lsn}; Max-Age=${rememberedSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`,
  )
}

/** A forged value only decides which database answers this browser. */
function lsnIn({ headers: { cookie = '' } }: FastifyRequest, config: Config): Lsn | null {
  const start = `${cookieName(config)}=`
  const pair = cookie.split(/; */).find((one) => one.startsWith(start))
  return pair === undefined ? null : (parseLsn(pair.slice(start.length)) ?? unknownLsn)
}
