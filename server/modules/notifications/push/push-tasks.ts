import type { PushMessage } from '@keyturn/contract/notifications/push.ts'
import type { Deps } from '../../../deps.ts'
import { type PushAttempt, sendPush } from '../../../integrations/web-push/push-service.ts'
import { type JobOutcome, retryDelayMs, type Tasks, withJitter } from '../../../platform/jobs/jobs.ts'
import { retryWrite } from '../../../shared/retry-write.ts'
import { deleteDevice } from './device-repository.ts'
import * as store from './push-repository.ts'

export const pushJob = 'send-push'

type PushDeps = Pick<Deps, 'db' | 'log' | 'config'>

/** Sends pending pushes to devices (R-notifications-25). */
export const pushTasks = (deps: PushDeps): Tasks => ({
  [pushJob]: {
    places: 6,
    isOutbound: true,
    run: ({ id, device }) => sendToDevice(deps, { id: String(id), deviceId: String(device) }),
  },
})

/** Longer than an attempt takes. */
const claimSeconds = 30

async function sendToDevice(deps: PushDeps, key: { id: string; deviceId: string }): Promise<JobOutcome> {
  const { db } = deps
  const [push] = await store.findPush(db, key)
  if (!push) return undefined
  if (push.isPast || push.secondsLeft <= 0) return void (await store.deletePush(db, key))
  // A push service that hangs must not occupy all workers.
  if (push.failures > 0) {
    const [claimed] = await store.claimRetry(db, { deviceId: push.deviceId, seconds: claimSeconds })
    if (!claimed) return { againInMs: withJitter(push.restsForMs || claimSeconds * 1000) }
  }
  return handleAttempt(deps, push, await sendPush(deps.config.push, push, messageOf(push)))
}

function messageOf({ id, body, path, tag, rings, createdAt, secondsLeft }: store.WaitingPush) {
  const message: PushMessage = { id, body, path, tag, rings, at: createdAt.toISOString() }
  return { payload: JSON.stringify(message), topic: tag, ttlSeconds: secondsLeft }
}

async function handleAttempt(
  deps: PushDeps,
  push: store.WaitingPush,
  attempt: PushAttempt,
): Promise<JobOutcome> {
  const { db, log } = deps
  const key = { id: push.id, deviceId: push.deviceId }
  const { status, because } = attempt
  const details = {
    push: push.id,
    device: push.deviceId,
    service: new URL(push.endpoint).host,
    status,
    because,
  }
  switch (attempt.outcome) {
    case 'taken':
      await retryWrite(() => store.deleteDeliveredPush(db, key))
      if (push.failures > 0) await store.resetFailures(db, key)
      return undefined
    case 'gone':
      log.info(details, 'the device was removed, because its push subscription is gone')
      await retryWrite(() => deleteDevice(db, key))
      return undefined
    case 'refused':
      log.error(details, 'the push was rejected and will not be retried')
      await retryWrite(() => store.deletePush(db, key))
      return undefined
    case 'later': {
      const ms = withJitter(Math.max(retryDelayMs(push.failures + 1), attempt.retryAfterMs ?? 0))
      await store.savePushAttempt(db, { ...key, because: because ?? `answered ${status}` })
      await store.pauseDevice(db, { deviceId: push.deviceId, seen: push.failures, ms })
      log.warn({ ...details, attempts: push.attempts + 1 }, 'the push was not sent and will be retried')
      return { againInMs: ms, because: because ?? '' }
    }
  }
}
