// Push support and the push subscription of this browser.

import { readStored, writeStored } from '../api/storage.ts'

/** `homeScreen`: push works only once the app has been added to the home screen. */
export type PushSupport = 'ready' | 'blocked' | 'homeScreen' | 'insecure' | 'unsupported'

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'insecure'
  const can = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!can) return isAppleMobile() ? 'homeScreen' : 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'ready'
}

export function deviceKind(): 'phone' | 'tablet' | 'computer' {
  const { userAgent } = navigator
  if (/iPhone|iPod|Android.*Mobile/.test(userAgent)) return 'phone'
  return /iPad|Android/.test(userAgent) || isAppleMobile() ? 'tablet' : 'computer'
}

/** An iPad identifies itself as a Mac. */
const isAppleMobile = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** This browser's subscription and the person it belongs to. */
export type StoredDevice = { user: string; endpoint: string }

const storageKey = 'keyturn-device'

export function readStoredDevice(): StoredDevice | null {
  try {
    const stored: unknown = JSON.parse(readStored(storageKey) ?? 'null')
    const isComplete =
      typeof stored === 'object' && stored !== null && 'user' in stored && 'endpoint' in stored
    return isComplete ? { user: String(stored.user), endpoint: String(stored.endpoint) } : null
  } catch {
    // The stored text has another format.
    return null
  }
}

/** If storage is blocked, the next page cannot tell whose subscription it is, and deletes it. */
export const storeDevice = (stored: StoredDevice | null): void =>
  writeStored(storageKey, stored && JSON.stringify(stored))

export async function findSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() !== 'ready') return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Returns the digest that identifies this device in the server's list. */
export async function computeDeviceDigest(): Promise<string | null> {
  const own = await findSubscription()
  if (!own) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(own.endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Longer than a newly registered worker takes to start. */
const workerStartTimeoutMs = 15_000

/**
 * Subscribes with the server's key, and drops a subscription with a different key. Does not prompt.
 */
export async function subscribeToPush(key: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js')
  const registration = await Promise.race([navigator.serviceWorker.ready, failAfter(workerStartTimeoutMs)])
  const before = await registration.pushManager.getSubscription()
  if (before && !hasKey(before, key)) await before.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

export function hasKey({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key
}

/**
 * Unsubscribes, so that the next person does not get this person's notifications. Waits only for a
 * limited time.
 */
export async function deleteStoredDevice(): Promise<void> {
  storeDevice(null)
  const forgotten = findSubscription().then((own) => own?.unsubscribe())
  await Promise.race([forgotten, failAfter(unsubscribeTimeoutMs)]).catch(() => undefined)
}

const unsubscribeTimeoutMs = 1_000

function failAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The service worker does not start')), ms)
  })
}
