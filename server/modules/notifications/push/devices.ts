import type { PushDevicesResponse, Subscription } from '@keyturn/contract/notifications/push.ts'
import { pushTexts } from '@keyturn/contract/notifications/push-texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { isPushEndpoint } from '../../../integrations/web-push/push-hosts.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { pushes } from '../tables.ts'
import { deviceName } from './device-name.ts'
import * as store from './device-repository.ts'

type DevicesDeps = Pick<Deps, 'db' | 'config'>
/** `before`: the previous endpoint of this browser. */
type DeviceRequest = { subscription: Subscription; userAgent: string; before?: string }

export async function readDevices(
  { db, config }: DevicesDeps,
  { id }: UserActor,
): Promise<PushDevicesResponse> {
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
export async function addDevice(
  deps: DevicesDeps,
  actor: UserActor,
  input: DeviceRequest,
): Promise<PushDevicesResponse> {
  const { subscription, before } = input
  requireReachable(deps, subscription)
  await transaction(deps.db, async (tx) => {
    await requireSession(tx, actor)
    if (before !== undefined) {
      const own = { userId: actor.id, before, endpoint: subscription.endpoint }
      if ((await store.findOwnDevice(tx, own)).length === 0) throw apiErrors.NotFound()
    }
    await storeDevice(tx, actor, input)
  })
  return readDevices(deps, actor)
}

export async function removeDevice(
  deps: DevicesDeps,
  actor: UserActor,
  id: string,
): Promise<PushDevicesResponse> {
  const [removed] = await store.deleteOwnDevice(deps.db, { userId: actor.id, id })
  if (!removed) throw apiErrors.NotFound()
  return readDevices(deps, actor)
}

async function storeDevice(
  tx: Db,
  { id: userId, sessionId }: UserActor,
  { subscription, userAgent, before = subscription.endpoint }: DeviceRequest,
): Promise<void> {
  const { endpoint, keys } = subscription
  await store.deleteOtherDevices(tx, { sessionId, userId, endpoint, before })
  const name = deviceName(userAgent)
  await store.saveDevice(tx, { id: newOwnedId(userId), userId, sessionId, endpoint, ...keys, name })
  await store.deleteOldestDevices(tx, { userId })
}

/** Locks the active session, so that a concurrent sign-out also removes the new device. */
async function requireSession(tx: Db, { id: userId, sessionId }: UserActor): Promise<void> {
  await store.lockDeviceOwner(tx, { userId })
  const [session] = await store.lockActiveSession(tx, { sessionId, userId })
  if (!session) throw apiErrors.InvalidAccessToken()
}

/**
 * Anybody can submit an endpoint, so only those of known push services are accepted. Each push also
 * checks the resolved address.
 */
function requireReachable({ config }: DevicesDeps, { endpoint }: Subscription): void {
  const { protocol, port, username } = new URL(endpoint)
  const isUsual = protocol === 'https:' && port === '' && username === ''
  if (!isUsual && !config.push.allowPrivate) throw invalidEndpoint(pushTexts.badSubscription)
  if (!isPushEndpoint(endpoint, config.push.hosts)) throw invalidEndpoint(pushTexts.unknownService)
}

const invalidEndpoint = (message: string) =>
  apiErrors.ValidationError({ fields: [{ path: 'endpoint', message }] })

/**
 * Detaches the device of a session that is replaced by another session of the same person in the
 * same browser. Returns a function that attaches the device to the next session.
 */
export async function detachDevice(
  tx: Db,
  of: { sessionId: string; userId: string },
): Promise<(next: string) => Promise<unknown>> {
  const [device] = await store.detachFromSession(tx, of)
  return async (next) => device && store.attachToSession(tx, { id: device.id, sessionId: next })
}

/** Deletes the devices of a deleted account, and pushes to other people about the person. */
export async function deleteDevices(tx: Db, personId: string): Promise<void> {
  await store.deleteDevicesOfUser(tx, { userId: personId })
  await tx.delete(pushes).where(eq(pushes.aboutId, personId))
}
