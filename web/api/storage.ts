type Place = 'localStorage' | 'sessionStorage'

/** Null where nothing is kept, or the browser forbids to keep anything. */
export function readStored(key: string, place: Place = 'localStorage'): string | null {
  try {
    return globalThis[place].getItem(key)
  } catch {
    return null
  }
}

/** Null takes it away. Where storage is forbidden, nothing happens. */
export function writeStored(key: string, value: string | null, place: Place = 'localStorage'): void {
  try {
    if (value === null) globalThis[place].removeItem(key)
    else globalThis[place].setItem(key, value)
  } catch {
    // What is kept in memory counts until the page is left.
  }
}
