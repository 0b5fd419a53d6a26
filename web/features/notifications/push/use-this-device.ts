import {
  addDevice,
  type PushDevicesResponse,
  readDevices,
  removeDevice,
  type Subscription,
} from '@keyturn/contract/notifications/push.ts'
import { ApiError } from '@keyturn/contract/shared/error.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { endpointQuery } from '../../../api/queries.ts'
import { send } from '../../../api/send.ts'
import { useMyId } from '../../../auth/session.tsx'
import {
  computeDeviceDigest,
  deleteStoredDevice,
  type PushSupport,
  pushSupport,
  storeDevice,
  subscribeToPush,
} from '../../../pwa/push-device.ts'

export const devicesQuery = endpointQuery(readDevices, ['notifications', 'devices'])

const ownDigestQuery = queryOptions({
  queryKey: ['notifications', 'own-device'],
  queryFn: computeDeviceDigest,
})

/** `notAllowed` means that the person dismissed the browser's prompt without a decision. */
export type DeviceFault = Exclude<PushSupport, 'ready'> | 'notAllowed' | 'couldNot' | 'notSaved'

export function useThisDevice() {
  const user = useMyId()
  const client = useQueryClient()
  const own = useQuery(ownDigestQuery).data
  // No request is needed if this browser has no subscription.
  const { data } = useQuery({ ...devicesQuery, enabled: typeof own === 'string' })
  const device = own ? data?.devices.find(({ digest }) => digest === own) : undefined
  const [trouble, setTrouble] = useState<DeviceFault | null>(null)
  const [isWorking, setWorking] = useState(false)

  async function setDevices(devices: PushDevicesResponse): Promise<void> {
    client.setQueryData(devicesQuery.queryKey, devices)
    await client.invalidateQueries({ queryKey: ownDigestQuery.queryKey })
  }

  /**
   * Subscribes this browser. Returns true if that succeeded. Must be called from a click, or the
   * browser rejects the prompt.
   */
  async function switchOn(): Promise<boolean> {
    setTrouble(null)
    setWorking(true)
    const found = await subscribeDevice(user).catch(
      (fault: unknown): DeviceFault => (fault instanceof ApiError ? 'notSaved' : 'couldNot'),
    )
    if (typeof found === 'string') setTrouble(found)
    else await setDevices(found)
    setWorking(false)
    return typeof found !== 'string'
  }

  async function switchOff(id: string): Promise<boolean> {
    setTrouble(null)
    setWorking(true)
    if (id === device?._id) await deleteStoredDevice()
    const left = await send(removeDevice, { params: { id } }).catch(() => null)
    if (left) await setDevices(left)
    else setTrouble('notSaved')
    setWorking(false)
    return left !== null
  }

  return {
    device,
    isKnown: own !== undefined && (own === null || data !== undefined),
    trouble,
    isWorking,
    switchOn,
    switchOff,
  }
}

async function subscribeDevice(user: string): Promise<PushDevicesResponse | DeviceFault> {
  const support = pushSupport()
  if (support !== 'ready') return support
  // Must come first, because the click's permission to prompt expires.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'notAllowed'
  const { key } = await send(readDevices, {})
  const own = await subscribeToPush(key)
  const devices = await send(addDevice, { body: subscriptionBody(own) })
  storeDevice({ user, endpoint: own.endpoint })
  return devices
}

export function subscriptionBody(own: PushSubscription): Subscription {
  const { endpoint = '', keys = {} } = own.toJSON()
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
}
