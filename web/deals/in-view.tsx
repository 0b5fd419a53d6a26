import type { ReactNode } from 'react'

/** News inside a long dialog: brought before the eyes when it appears, clear of the buttons at the bottom. */
export function InView({ children }: { children: ReactNode }) {
  return <div ref={bring}>{children}</div>
}

const bring = (node: HTMLDivElement | null) => node?.scrollIntoView({ block: 'center' })
