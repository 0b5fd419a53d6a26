import { updateProgress } from '@keyturn/contract/deals/calls.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type BuyerStage, backFrom, buyerStages } from '@keyturn/contract/deals/stages.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import type { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../../decide/act.ts'
import { isConflict, isRefusedWith } from '../../../wire/refusals.ts'
import { progressQuery } from '../../queries.ts'
import { factsOf } from './facts.ts'

type Data = Asked<typeof updateProgress>['body']['data']
type Answers = Pick<Data, 'hasTrade' | 'needsFinancing' | 'financing' | 'tradeVins'>

/** Why saving failed, and a function that tries again. */
export type Unsaved = { refusal: Refusal; again: () => Promise<void> }

export type Moves = {
  /** Saves the answers and goes to a stage, in one call. */
  go: (to: BuyerStage, answers?: Answers) => Promise<void>
  /** One stage back, if there is one. */
  back?: () => void
  /** Back to an earlier stage, if Back leads there. */
  backTo: (stage: BuyerStage) => Promise<void>
  unsaved: Unsaved | null
  /** Why the screen has just moved to the server's state by itself. */
  notice: string | null
}

/** Moves through the stages. The server decides; a stale screen catches up by itself. */
export function useMoves(progress: Progress): Moves {
  const client = useQueryClient()
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const { queryKey } = progressQuery(progress.sellerId, progress.vin)
  const save = useAct(updateProgress, {
    onDone: (saved) => {
      client.setQueryData(queryKey, saved)
      // The answer is enough to go on; other views of this purchase are refetched in the background.
      void client.invalidateQueries({ queryKey: ['deals'] })
    },
  })

  const change = async (seen: Progress, step: number[], data: Partial<Data>): Promise<Progress | null> => {
    const { sellerId: userId, vin, version } = seen
    setNotice(null)
    setUnsaved(null)
    try {
      return await save.act({ body: { userId, vin, version, data: { userType: 'BUYER', step, ...data } } })
    } catch (fault) {
      const refusal = fault as Refusal
      // The page is stale or the purchase is gone, so the server's state replaces what is shown.
      if (isRefusedWith(refusal, updateProgress, 'NotFound') || isConflict(refusal)) {
        setNotice(refusal.message)
        await client.invalidateQueries({ queryKey })
      } else {
        console.error('Progress could not be saved:', refusal.code, refusal.message)
        setUnsaved({ refusal, again: async () => void (await change(seen, step, data)) })
      }
      return null
    }
  }

  const goBack = (seen: Progress, to: BuyerStage) => change(seen, upTo(to), { goBack: true })
  const previous = backFrom(factsOf(progress))
  return {
    go: async (to, answers) => void (await change(progress, upTo(to), answers ?? {})),
    back: previous === null ? undefined : () => void goBack(progress, previous),
    backTo: async (stage) => {
      let seen: Progress | null = progress
      let next = previous
      while (seen && next !== null && next >= stage) {
        seen = await goBack(seen, next)
        next = seen && backFrom(factsOf(seen))
      }
    },
    unsaved,
    notice,
  }
}

/** A move names every step from 0 to its target (R-deals-8). */
const upTo = (stage: BuyerStage): number[] => buyerStages.filter((step) => step <= stage)
