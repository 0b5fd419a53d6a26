import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type BuyerStage, buyerStage, buyerStages } from '@keyturn/contract/deals/stages.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** The state of a purchase in a browser history entry. */
export type StageEntry = {
  dealId: string
  stage: BuyerStage
  /** The stages of the entries before it, oldest first. */
  behind: readonly BuyerStage[]
}

type StageHistory = {
  /** The person's own action leads there, so the stage gets its own entry. */
  expect: (stage: BuyerStage) => void
  /** The same over several stages; only the last gets an entry. */
  walk: (to: BuyerStage) => Promise<void>
  /** The browser's Back or Forward is being followed. */
  isFollowing: boolean
}

/**
 * Gives each stage a browser history entry, so that Back and Forward move between stages
 * (R-deals-59). The server decides the stage: an unreachable entry is rewritten to the current
 * stage, as is the current entry when somebody else moves the purchase. Browsers skip entries
 * created without a click.
 */
export function useStageHistory(
  progress: Progress,
  travel: (to: BuyerStage) => Promise<BuyerStage>,
): StageHistory {
  const { history } = useRouter()
  const stage = buyerStage(progress)
  const expected = useRef<BuyerStage | null>(null)
  const underWay = useRef(false)
  /** The server's stage, possibly before the screen shows it. */
  const standing = useRef(stage)
  const [isFollowing, setFollowing] = useState(false)

  const here = (): StageEntry | null => {
    const entry = history.location.state.purchase
    return entry?.dealId === progress._id && buyerStages.includes(entry.stage) ? entry : null
  }
  const write = (way: 'push' | 'replace', entry: Omit<StageEntry, 'dealId'>) =>
    history[way](history.location.href, {
      ...history.location.state,
      purchase: { dealId: progress._id, ...entry },
    })

  const arriveAt = (at: BuyerStage, isOwn: boolean) => {
    const entry = here()
    if (entry?.stage === at) return
    if (!entry || !isOwn) return write('replace', { stage: at, behind: entry?.behind ?? [] })
    const { behind } = entry
    const earlier = behind.lastIndexOf(at)
    if (at < entry.stage && earlier >= 0) return history.go(earlier - behind.length)
    write('push', { stage: at, behind: [...behind, entry.stage] })
  }
  const arrive = useEffectEvent((at: BuyerStage) => {
    const isOwn = expected.current === at
    expected.current = null
    if (underWay.current) return
    standing.current = at
    arriveAt(at, isOwn)
  })
  useEffect(() => arrive(stage), [stage])

  const follow = useEffectEvent(async () => {
    if (underWay.current) return
    underWay.current = true
    for (let entry = here(); entry && entry.stage !== standing.current; entry = here()) {
      setFollowing(true)
      const wanted = entry.stage
      standing.current = await travel(wanted)
      const now = here()
      if (standing.current !== wanted && now?.stage === wanted)
        write('replace', { ...now, stage: standing.current })
    }
    underWay.current = false
    setFollowing(false)
  })
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type !== 'PUSH' && action.type !== 'REPLACE') void follow()
      }),
    [history],
  )

  return {
    walk: async (to) => {
      underWay.current = true
      standing.current = await travel(to)
      underWay.current = false
      arriveAt(standing.current, true)
    },
    expect: (to) => {
      expected.current = to
    },
    isFollowing,
  }
}
