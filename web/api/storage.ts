type StorageName = 'localStorage' | 'sessionStorage'

/** Reads a value. Returns null if there is none or the browser blocks storage. */
export function readStored(key: string, place: StorageName = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Stores a value, or deletes it if it is null. Does nothing where storage is blocked. */
export function writeStored(key: string, value: string | null, place: StorageName = 'localStorage'): void {
  try {
    if (value === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, value)
  } catch {
    // The value in memory is used until the page is left.
  }
}
