import { useEffect } from 'react'
import { useRememberedVisitor } from '../who/session.tsx'

export type Visitor = NonNullable<ReturnType<typeof useRememberedVisitor>>

/** Tells the landing page who is signed in. Loaded after the page, and only where somebody has signed in before. */
export function LandingVisitor({ onKnown }: { onKnown: (visitor: Visitor | null) => void }) {
  const visitor = useRememberedVisitor() ?? null
  useEffect(() => onKnown(visitor), [visitor, onKnown])
  return null
}
