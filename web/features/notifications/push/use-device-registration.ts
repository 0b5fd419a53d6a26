import { renewDevice } from '@keyturn/contract/notifications/push.ts'
import { useEffect } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { send } from '../../../api/send.ts'
import {
  deleteStoredDevice,
  findSubscription,
  hasKey,
  readStoredDevice,
  storeDevice,
  subscribeToPush,
} from '../../../pwa/push-device.ts'
import { subscriptionBody } from './use-this-device.ts'

/**
 * Runs once per document: binds this browser's subscription to the current session, or deletes
 * another person's subscription. Without a subscription, it sends no request.
 */
export function useDeviceRegistration(userId: string): void {
  useEffect(() => {
    // Failures are ignored, because the next page tries again.
    void registerDevice(userId).catch(() => undefined)
  }, [userId])
}

async function registerDevice(userId: string): Promise<void> {
  const stored = readStoredDevice()
  const own = await findSubscription()
  if (!stored && !own) return
  if (stored?.user !== userId) return deleteStoredDevice()
  if (Notification.permission !== 'granted' || !own) return
  await renewSubscription(userId, own, stored.endpoint)
}

async function renewSubscription(user: string, own: PushSubscription, before: string): Promise<void> {
  try {
    const { key } = await send(renewDevice, { body: { ...subscriptionBody(own), before } })
    storeDevice({ user, endpoint: own.endpoint })
    // The server's key has changed.
    if (!hasKey(own, key)) await renewSubscription(user, await subscribeToPush(key), own.endpoint)
  } catch (fault) {
    // The device was removed from another device, or by a new password.
    if (hasErrorCode(fault, renewDevice, 'NotFound')) await deleteStoredDevice()
  }
}
