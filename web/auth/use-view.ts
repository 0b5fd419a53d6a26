import { useNavigate, useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { parseViewSearch } from '../api/search-params.ts'
import { readStored, writeStored } from '../api/storage.ts'
import type { SideName } from '../components/theme/theme.ts'
import { useUser } from './session.tsx'

/**
 * The person's current view, stored on this device. The account type only determines the first view
 * (R-accounts-26). An address that names a view (/home?view=buying) takes precedence until the
 * person chooses.
 */
export function useView(): [view: SideName, setView: (view: SideName) => void] {
  const { _id, userType } = useUser()
  const named = parseViewSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const key = `keyturn-view-${_id}`
  const remembered = useSyncExternalStore(subscribe, () => read(key))
  const setView = (view: SideName) => {
    write(key, view)
    if (named.view) void navigate({ to: '/home', replace: true })
  }
  return [named.view ?? remembered ?? (userType === 'BUYER' ? 'buying' : 'selling'), setView]
}

function read(key: string): SideName | null {
  const stored = chosen.get(key) ?? readStored(key)
  return stored === 'selling' || stored === 'buying' ? stored : null
}

function write(key: string, view: SideName): void {
  chosen.set(key, view)
  writeStored(key, view)
  for (const listener of listeners) listener()
}

/** Where storage is blocked, the choice lasts until the page is closed. */
const chosen = new Map<string, SideName>()
const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
