import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type BuyerStage, buyerStage, buyerStages } from '@keyturn/contract/deals/stages.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** A purchase's state in a browser history entry. */
export type StageEntry = {
  dealId: string
  stage: BuyerStage
  /**
   * The stages of earlier entries, oldest first. Open tabs store this object, so the field must not
   * be renamed.
   */
  behind: readonly BuyerStage[]
}

type StageHistory = {
  /**
   * Call this before an action of the person that leads to this stage, which then gets its own
   * entry.
   */
  expectStage: (stage: BuyerStage) => void
  /** Moves across several stages, of which only the last gets an entry. */
  moveTo: (to: BuyerStage) => Promise<void>
  /** Whether a move by the browser's Back or Forward is in progress. */
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
  const isMoving = useRef(false)
  /** The server's stage, which the screen may not show yet. */
  const currentStage = useRef(stage)
  const [isFollowing, setFollowing] = useState(false)

  const readEntry = (): StageEntry | null => {
    const entry = history.location.state.purchase
    return entry?.dealId === progress._id && buyerStages.includes(entry.stage) ? entry : null
  }
  const writeEntry = (way: 'push' | 'replace', entry: Omit<StageEntry, 'dealId'>) =>
    history[way](history.location.href, {
      ...history.location.state,
      purchase: { dealId: progress._id, ...entry },
    })

  const showStage = (at: BuyerStage, isOwn: boolean) => {
    const entry = readEntry()
    if (entry?.stage === at) return
    if (!entry || !isOwn) return writeEntry('replace', { stage: at, behind: entry?.behind ?? [] })
    const { behind } = entry
    const earlier = behind.lastIndexOf(at)
    if (at < entry.stage && earlier >= 0) return history.go(earlier - behind.length)
    writeEntry('push', { stage: at, behind: [...behind, entry.stage] })
  }
  const followServer = useEffectEvent((at: BuyerStage) => {
    const isOwn = expected.current === at
    expected.current = null
    if (isMoving.current) return
    currentStage.current = at
    showStage(at, isOwn)
  })
  useEffect(() => followServer(stage), [stage])

  const followBrowser = useEffectEvent(async () => {
    if (isMoving.current) return
    isMoving.current = true
    for (let entry = readEntry(); entry && entry.stage !== currentStage.current; entry = readEntry()) {
      setFollowing(true)
      const target = entry.stage
      currentStage.current = await travel(target)
      const now = readEntry()
      if (currentStage.current !== target && now?.stage === target)
        writeEntry('replace', { ...now, stage: currentStage.current })
    }
    isMoving.current = false
    setFollowing(false)
  })
  useEffect(
    () =>
      history.subscribe(({ action }) => {
        if (action.type !== 'PUSH' && action.type !== 'REPLACE') void followBrowser()
      }),
    [history],
  )

  return {
    moveTo: async (to) => {
      isMoving.current = true
      currentStage.current = await travel(to)
      isMoving.current = false
      showStage(currentStage.current, true)
    },
    expectStage: (to) => {
      expected.current = to
    },
    isFollowing,
  }
}
