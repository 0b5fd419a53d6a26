// Also for the frame of everybody who is signed in.
import { renewDevice } from '@keyturn/contract/notifications/push.ts'
import { useEffect } from 'react'
import { hasErrorCode } from '../../../api/errors.ts'
import { send } from '../../../api/send.ts'
import {
  deleteStoredDevice,
  isOf,
  ownSubscription,
  readStoredDevice,
  storeDevice,
  subscribe,
} from '../../../pwa/own-device.ts'
import { addressOf } from './this-device.ts'

/**
 * Once for each page that begins: what this browser subscribed as belongs to whoever is signed in now, in their present
 * session; else it is given up. Where nobody asked to be told, nothing is asked of the server.
 */
export function useDeviceRegistration(userId: string): void {
  useEffect(() => {
    // Nothing depends on it: what failed is done by the next page.
    void keepDevice(userId).catch(() => undefined)
  }, [userId])
}

async function keepDevice(userId: string): Promise<void> {
  const kept = readStoredDevice()
  const own = await ownSubscription()
  if (!kept && !own) return
  if (kept?.user !== userId) return deleteStoredDevice()
  if (Notification.permission !== 'granted' || !own) return
  await renew(userId, own, kept.endpoint)
}

async function renew(user: string, own: PushSubscription, before: string): Promise<void> {
  try {
    const { key } = await send(renewDevice, { body: { ...addressOf(own), before } })
    storeDevice({ user, endpoint: own.endpoint })
    // The server has another key since.
    if (!isOf(own, key)) await renew(user, await subscribe(key), own.endpoint)
  } catch (fault) {
    // It was switched off on another device, or there was a new password.
    if (hasErrorCode(fault, renewDevice, 'NotFound')) await deleteStoredDevice()
  }
}
