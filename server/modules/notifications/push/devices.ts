import type { PushDevices, Subscription } from '@keyturn/contract/notifications/push.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { isPushEndpoint } from '../../../integrations/web-push/push-hosts.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { pushes } from '../tables.ts'
import { deviceName } from './device-name.ts'
import * as store from './device-repository.ts'

type Of = Pick<Deps, 'db' | 'config'>
/** `before`: the previous endpoint of this browser. */
type Asked = { subscription: Subscription; userAgent: string; before?: string }

export async function readDevices({ db, config }: Of, { id }: UserActor): Promise<PushDevices> {
  const rows = await store.listDevices(db, { userId: id })
  return {
    key: config.push.key.publicKey,
    devices: rows.map(({ id, addedAt, ...row }) => ({ _id: id, ...row, addedAt: addedAt.toISOString() })),
  }
}

/**
 * Starts sending pushes to this browser (R-notifications-26). With `before`, throws NotFound when
 * that device was removed: a device that was switched off must not return by itself.
 */
export async function addDevice(deps: Of, actor: UserActor, asked: Asked): Promise<PushDevices> {
  const { subscription, before } = asked
  requireReachable(deps, subscription)
  await transaction(deps.db, async (tx) => {
    await requireSession(tx, actor)
    if (before !== undefined) {
      const own = { userId: actor.id, before, endpoint: subscription.endpoint }
      if ((await store.findOwnDevice(tx, own)).length === 0) throw apiErrors.NotFound()
    }
    await keep(tx, actor, asked)
  })
  return readDevices(deps, actor)
}

export async function removeDevice(deps: Of, actor: UserActor, id: string): Promise<PushDevices> {
  const [removed] = await store.deleteOwnDevice(deps.db, { userId: actor.id, id })
  if (!removed) throw apiErrors.NotFound()
  return readDevices(deps, actor)
}

async function keep(
  tx: Db,
  { id: userId, sessionId }: UserActor,
  { subscription, userAgent, before = subscription.endpoint }: Asked,
): Promise<void> {
  const { endpoint, keys } = subscription
  await store.deleteOthers(tx, { sessionId, userId, endpoint, before })
  const name = deviceName(userAgent)
  await store.saveDevice(tx, { id: newId(), userId, sessionId, endpoint, ...keys, name })
  await store.dropOldest(tx, { userId })
}

/** Locks the active session, so that signing out at the same time also removes the new device. */
async function requireSession(tx: Db, { id: userId, sessionId }: UserActor): Promise<void> {
  await store.lockPerson(tx, { userId })
  const [session] = await store.holdSession(tx, { sessionId, userId })
  if (!session) throw apiErrors.InvalidAccessToken()
}

/**
 * Anybody can submit an endpoint, so only known push services get requests; DNS is checked on each
 * push.
 */
function requireReachable({ config }: Of, { endpoint }: Subscription): void {
  const { protocol, port, username } = new URL(endpoint)
  const isUsual = protocol === 'https:' && port === '' && username === ''
  if (!isUsual && !config.push.allowPrivate) throw unfitEndpoint(pushTexts.badSubscription)
  if (!isPushEndpoint(endpoint, config.push.hosts)) throw unfitEndpoint(pushTexts.unknownService)
}

const unfitEndpoint = (message: string) =>
  apiErrors.ValidationError({ fields: [{ path: 'endpoint', message }] })

/**
 * For a session that is replaced by another one of the same person in the same browser: detaches
 * its device, and returns a function that attaches it to the next session.
 */
export async function holdDevice(
  tx: Db,
  of: { sessionId: string; userId: string },
): Promise<(next: string) => Promise<unknown>> {
  const [device] = await store.freeOfSession(tx, of)
  return async (next) => device && store.tieToSession(tx, { id: device.id, sessionId: next })
}

/**
 * For a deleted account: deletes its devices, and pending pushes about the person to other devices.
 */
export async function forgetDevices(tx: Db, personId: string): Promise<void> {
  await store.deleteDevicesOf(tx, { userId: personId })
  await tx.delete(pushes).where(eq(pushes.aboutId, personId))
}
