import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type BuyerStage, nextStepToward, previousStage, stagesUpTo } from '@keyturn/contract/deals/stages.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import type { ApiError } from '@keyturn/contract/shared/error.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasErrorCode, isConflict } from '../../../../api/errors.ts'
import { useEndpointMutation } from '../../../../api/mutations/use-endpoint-mutation.ts'
import { progressQuery } from '../../queries.ts'
import { progressFacts } from '../progress-facts.ts'
import { useStageHistory } from './use-stage-history.ts'

type Data = EndpointInput<typeof updateProgress>['body']['data']
type Answers = Pick<Data, 'hasTrade' | 'needsFinancing' | 'financing' | 'tradeVins'>

export type UnsavedAnswers = { error: ApiError; retry: () => Promise<void> }

export type StageMoves = {
  saveAndMove: (to: BuyerStage, answers?: Answers) => Promise<void>
  moveBack?: () => Promise<void>
  moveBackTo: (stage: BuyerStage) => Promise<void>
  /** Call this before another component sends a change that moves the deal to this stage. */
  expectStage: (stage: BuyerStage) => void
  /** Whether a move by the browser's Back or Forward is in progress. */
  isFollowing: boolean
  unsaved: UnsavedAnswers | null
  /** Explains after a conflict why the screen shows a different state. */
  notice: string | null
}

/** Moves a purchase through its stages. After a conflict, the screen shows the server's state. */
export function useStageMoves(progress: Progress): StageMoves {
  const client = useQueryClient()
  const [unsaved, setUnsaved] = useState<UnsavedAnswers | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const { queryKey } = progressQuery(progress.sellerId, progress.vin)
  const saving = useEndpointMutation(updateProgress, {
    onDone: (saved) => {
      client.setQueryData(queryKey, saved)
      void client.invalidateQueries({ queryKey: ['deals'] })
    },
  })

  const saveProgress = async (
    seen: Progress,
    step: number[],
    data: Partial<Data>,
  ): Promise<Progress | null> => {
    const { sellerId: userId, vin, version } = seen
    setNotice(null)
    setUnsaved(null)
    try {
      return await saving.act({ body: { userId, vin, version, data: { userType: 'BUYER', step, ...data } } })
    } catch (fault) {
      const refusal = fault as ApiError
      // The page is stale or the purchase is gone, so the server's state replaces what is shown.
      if (hasErrorCode(refusal, updateProgress, 'NotFound') || isConflict(refusal)) {
        setNotice(refusal.message)
        // A trade that could be chosen may now be part of another request.
        void client.invalidateQueries({ queryKey: ['trades'] })
        await client.invalidateQueries({ queryKey })
      } else {
        console.error('Progress could not be saved:', refusal.code, refusal.message)
        setUnsaved({ error: refusal, retry: async () => void (await saveProgress(seen, step, data)) })
      }
      return null
    }
  }

  /** Moves step by step as far as possible, and returns the stage that was reached. */
  const moveStepwise = async (to: BuyerStage): Promise<BuyerStage> => {
    let current = progress
    for (
      let next = nextStepToward(progressFacts(current), to);
      next;
      next = nextStepToward(progressFacts(current), to)
    ) {
      const moved = await saveProgress(current, stagesUpTo(next.to), next.isBack ? { goBack: true } : {})
      if (!moved) break
      current = moved
    }
    return progressFacts(current).activeStep
  }

  const { expectStage, moveTo, isFollowing } = useStageHistory(progress, moveStepwise)
  const previous = previousStage(progressFacts(progress))
  return {
    saveAndMove: async (to, answers) => {
      expectStage(to)
      await saveProgress(progress, stagesUpTo(to), answers ?? {})
    },
    moveBack: previous === null ? undefined : () => moveTo(previous),
    moveBackTo: moveTo,
    expectStage,
    isFollowing,
    unsaved,
    notice,
  }
}
